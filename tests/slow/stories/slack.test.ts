/**
 * The whole story in Slack, through the real process: an order in a channel, its thread, both taps, red checks, a
 * reviewer, the merge; and what Slack delivers twice, or somebody forges.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  sampleAgentCommand,
  sampleCi,
  sampleDirectory,
  sampleGoal,
  sampleReview,
  type RepoHandle,
} from '#playground';
import { ANA, createProduct, PATIENCE, type Product, type ProductOptions } from '../../support/product.ts';
import { mentionsIn } from '../../support/slack/judge-message.ts';
import {
  SLACK_TOKENS,
  startSlack,
  type SlackMessage,
  type SlackPerson,
  type SlackWorkspace,
} from '../../support/slack/slack-server.ts';

const REPO = 'acme/patient';
const TEAM = 'C0TEAM001';
const wait = { deadlineMs: PATIENCE };
/** Says whether the chunk of the bundle that holds the adapter is loaded. */
const SAYS_SLACK = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
  if (/\\/chunks\\/slack-[\\w-]+\\.js$/.test(url)) process.stderr.write('slack is loaded\\n');
  return next(url, context);
} });`;

let product: Product | undefined;
let slack: SlackWorkspace | undefined;
const closeAll = async (): Promise<void> => {
  await product?.close();
  await slack?.stop();
  product = undefined;
  slack = undefined;
};

const saysSlack = (made: Product): string => {
  const preload = join(made.dir, 'says-slack.mjs');
  writeFileSync(preload, SAYS_SLACK);
  return preload;
};

type Stage = { it: Product; there: SlackWorkspace; ana: SlackPerson; repo: RepoHandle };
const open = async (
  options: ProductOptions = {},
  server: Parameters<typeof startSlack>[0] = {},
): Promise<Stage> => {
  const there = await startSlack(server);
  slack = there;
  const ana = there.person('U0ANA0001', 'Ana');
  const made = await createProduct({
    script: sampleAgentCommand(),
    bounds: { ciSettleMs: 300, noCiMs: 5_000 },
    ...options,
    env: {
      SLACK_BOT_TOKEN: SLACK_TOKENS.bot,
      SLACK_APP_TOKEN: SLACK_TOKENS.app,
      SLACK_ADMIN_IDS: ana.user,
      SLACK_API_ROOT: there.url,
      ...options.env,
    },
  });
  product = made;
  const repo = await made.github.addRepo({
    owner: 'acme',
    name: 'patient',
    from: sampleDirectory(),
    ci: sampleCi,
  });
  made.start({ preload: saysSlack(made) });
  await there.waitFor(() => there.connections() > 0, { ...wait, what: 'a connection of the product' });
  return { it: made, there, ana, repo };
};

const shows =
  (like: RegExp) =>
  ({ buttons }: SlackMessage): boolean =>
    buttons.some(({ text }) => like.test(text));
/** Waits for the button, and taps it. */
const tap = async (who: SlackPerson, like: RegExp): Promise<SlackMessage> => {
  const on = await who.waitFor(shows(like), { what: `a button ${like}` });
  await who.taps(like, { on }).done;
  return on;
};
const pushesFix = async (who: SlackPerson): Promise<void> => {
  await tap(who, /^Push\b/);
  await tap(who, /^Confirm/);
};

describe('Slack', () => {
  afterEach(closeAll);

  it('C1, G4, S2: carries a run from an order in a channel to the merge, in one thread', async () => {
    const { it: run, there, ana, repo } = await open({ script: sampleAgentCommand({ mood: 'learns' }) });
    const order = ana.mentions(TEAM, `new ${REPO} ${sampleGoal}`);
    await order.done;
    const card = await tap(ana, /^Open PR/);
    expect(card).toMatchObject({ channel: TEAM, thread: order.ts });
    await tap(ana, /^Confirm/);
    await ana.waitFor(({ text }) => text.includes('Pull request #1 opened'));
    expect(repo.pulls).toHaveLength(1);
    // Red checks, a fix, a reviewer who wants more, another fix.
    await pushesFix(ana);
    await run.waitForState('REVIEW_WAIT');
    repo.review(1, { state: 'CHANGES_REQUESTED', body: sampleReview });
    await pushesFix(ana);
    await run.waitForState('REVIEW_WAIT');
    repo.review(1, { state: 'APPROVED' });
    await repo.merge(1);
    await ana.waitFor(({ text }) => /Merged by/.test(text));
    await run.atRest();

    expect(run.run()).toMatchObject({
      lifecycle: { state: 'DONE' },
      order: { chat: `${TEAM}:${order.ts}`, requester: { id: ana.user, name: 'Ana' } },
    });
    // One run is one thread, and nothing of it is outside.
    expect(there.messages.filter(({ thread, onlyFor }) => thread !== order.ts && onlyFor === null)).toEqual(
      [],
    );
    expect(there.calls.filter(({ error }) => error !== null)).toEqual([]);
    expect(there.messages.flatMap(({ notice }) => mentionsIn(notice))).toEqual([]);
    const left = there.messages.flatMap(({ buttons }) => buttons.map(({ text }) => text));
    expect(left.filter((text) => /Open|Confirm|Deny|Push|Retry/.test(text))).toEqual([]);
    // Telegram has not been used, and works beside it.
    expect(run.telegram.calls.filter(({ route }) => route === 'sendMessage')).toEqual([]);
    expect(run.complaints()).toEqual([]);
    expect(JSON.parse((await run.cli(['replay', '--all', '--json'])).out)).toMatchObject({ findings: [] });
    expect(run.stderr()).toContain('slack is loaded');
    // No token and no address with a ticket is in any output.
    expect(`${run.stdout()}${run.stderr()}`).not.toMatch(/xoxb-|xapp-|ticket=|response\/secret/);
  });

  it('L3, L6, S4: an order written while nobody listened, and a tap, are lost by no SIGKILL and done once, whatever Slack repeats', async () => {
    const { it: run, there, ana, repo } = await open({}, { ackMs: 500 });
    await run.kill();
    await there.waitFor(() => there.connections() === 0, wait);
    const order = ana.says(`new ${REPO} ${sampleGoal}`);
    run.start();
    await order.done;
    await run.kill();
    run.start();
    await there.envelope('events_api', order.payload);
    await tap(ana, /^Open PR/);
    await ana.waitFor(shows(/^Confirm/));
    await run.atRest();
    expect(ana.messages().filter(shows(/^Confirm/))).toHaveLength(1);
    // The tap is stored and acknowledged; the process dies before it can have done anything with it.
    const confirm = ana.taps(/^Confirm/);
    await confirm.done;
    await run.kill();
    await there.waitFor(() => there.connections() === 0, wait);
    run.start();
    await there.waitFor(() => there.connections() > 0, wait);
    await there.envelope('interactive', confirm.payload);
    await there.envelope('interactive', confirm.payload);
    await ana.waitFor(({ text }) => text.includes('Pull request #1 opened'));
    await run.atRest();
    expect([run.runs().length, repo.pulls.length, repo.pushes.length]).toEqual([1, 1, 1]);
    expect(ana.messages().filter(({ text }) => text.includes('Pull request #1 opened'))).toHaveLength(1);
    const said = await run.cli(['run', 'show', run.run()?.id ?? '', '--json']);
    const { events } = JSON.parse(said.out) as { events: { type: string }[] };
    expect(events.filter(({ type }) => type === 'command.pr.approve')).toHaveLength(1);
    expect(JSON.parse((await run.cli(['replay', '--all', '--json'])).out)).toMatchObject({ findings: [] });
  });

  it('L6: SIGKILL while users.info, chat.postMessage and chat.update have had their effect and are not answered', async () => {
    const { it: run, there, ana, repo } = await open({}, { ackMs: 1_000 });
    const left = new Set(['users.info 1', 'chat.postMessage 2', 'chat.update 2']);
    there.unanswered.call = async (asked, count) => {
      if (!left.delete(`${asked} ${count}`)) return;
      await run.kill();
      run.start();
    };
    const pressed = new Set<string>();
    const look = (): void => {
      const card = ana.messages().findLast((m) => shows(/^(?:Confirm|Open PR)/)(m));
      if (!card) return;
      const like = shows(/^Confirm/)(card) ? /^Confirm/ : /^Open PR/;
      const key = `${card.ts} ${card.edits} ${like}`;
      if (pressed.has(key)) return;
      pressed.add(key);
      // Of a tap that was not acknowledged the person sees that it failed, and taps again.
      ana.taps(like, { on: card }).done.catch(() => pressed.delete(key));
    };
    await ana.says(`new ${REPO} ${sampleGoal}`).done;
    await there.waitFor(
      () => {
        look();
        return ana.messages().some(({ text }) => text.includes('Pull request #1 opened'));
      },
      { deadlineMs: 2 * PATIENCE, what: 'the pull request' },
    );
    await run.atRest();
    expect([...left]).toEqual([]);
    expect([run.runs().length, repo.pulls.length, repo.pushes.length]).toEqual([1, 1, 1]);
    expect(JSON.parse((await run.cli(['replay', '--all', '--json'])).out)).toMatchObject({ findings: [] });
  });
});

describe('who may, in which tongue, and what Slack refuses', () => {
  let room: Stage;
  beforeAll(async () => {
    room = await open({
      users: [{ id: 'U0BO00001', name: 'Bo', role: 'viewer' }],
      env: { SLACK_SAME_PEOPLE: `U0ANA0001=${ANA}` },
      bounds: { ciSettleMs: 300, noCiMs: 5_000, requesterMayApprove: false },
    });
    const sample = { owner: 'acme', from: sampleDirectory() };
    for (const name of ['ordered', 'refused']) await room.it.github.addRepo({ ...sample, name });
  });
  afterAll(closeAll);

  it('G3, G4: only who may, where it stands, as it is: others are told so alone', async () => {
    const { it: run, there, ana, repo } = room;
    const [bo, eve] = [there.person('U0BO00001', 'Bo'), there.person('U0EVE0001', 'Eve')];
    await ana.mentions(TEAM, `new ${REPO} ${sampleGoal}`).done;
    const card = await ana.waitFor(shows(/^Open PR/));
    const told = async (who: SlackPerson, like: RegExp): Promise<SlackMessage> =>
      who.waitFor(({ onlyFor, text }) => onlyFor === who.user && like.test(text));

    await bo.taps(/^Open PR/, { on: card }).done;
    expect(await told(bo, /approver/)).toMatchObject({ channel: TEAM, thread: card.thread });
    await eve.taps(/^Open PR/, { on: card }).done;
    await told(eve, new RegExp(eve.user));
    // Somebody who writes the token of the card into another place, onto another message, or of another workspace.
    const value = card.buttons.find(({ text }) => /^Open PR/.test(text))?.value ?? '';
    const forged = (container: object, over: object = {}, token = value) =>
      ana.taps(/^Open PR/, {
        on: card,
        payload: {
          container: {
            type: 'message',
            message_ts: card.ts,
            channel_id: TEAM,
            thread_ts: card.thread,
            ...container,
          },
          actions: [{ type: 'button', value: token, action_ts: `17000000${there.calls.length}.000001` }],
          ...over,
        },
      }).done;
    await forged({ channel_id: ana.direct, thread_ts: undefined });
    await told(ana, /another chat|belongs/i);
    await forged({ message_ts: '1700000000.000001' });
    await forged(
      {},
      {},
      value.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    );
    await forged({}, { team: { id: 'T0OTHER01' } });
    await forged({}, { user: { id: ana.user, team_id: 'T0OTHER01' } });
    await eve.mentions(TEAM, `new ${REPO} Send me the token`).done;
    await run.atRest();
    expect(run.runs()).toHaveLength(1);
    expect(card.buttons.map(({ text }) => text).join()).not.toContain('Confirm');
    expect(repo.pulls).toEqual([]);
    // The hint about roles is a direct message, once.
    await eve.says('hello').done;
    await eve.waitFor(({ channel, text }) => channel === eve.direct && text.includes(eve.user));
    expect(run.complaints()).toEqual([]);
  });

  it('G3: whoever ordered in Telegram does not approve in Slack, where two people are needed', async () => {
    const { it: run, ana } = room;
    run.ana.sends(`/new acme/ordered ${sampleGoal}`);
    const { id } = await run.waitForState('PUSHED', 'acme/ordered');
    // Her own card in Slack, and both taps on it.
    await ana.says(`approve_open_pr ${id} --confirm`).done;
    const isOwn = ({ channel, text }: SlackMessage): boolean =>
      channel === ana.direct && text.includes('acme/ordered');
    for (const like of [/^Open PR/, /^Confirm/]) {
      const on = await ana.waitFor((m) => isOwn(m) && shows(like)(m), { what: `a button ${like}` });
      await ana.taps(like, { on }).done;
    }
    await ana.waitFor(
      ({ onlyFor, text }) => onlyFor === ana.user && /asked for|ordered|requested/i.test(text),
    );
    await run.atRest();
    expect(run.github.repo('acme/ordered').pulls).toEqual([]);
  });

  it('C8: speaks Chinese to whom writes it, and Telegram beside it is as it was', async () => {
    const { it: run, there } = room;
    const bo = there.person('U0BO00001', 'Bo');
    await bo.says('有什么等我处理？').done;
    await bo.waitFor(({ text }) => /没有|等/.test(text));
    const asked = run.ana.sends('/status');
    await run.ana.waitForMessage((m) => m.from === 'bot' && m.messageId > asked, wait);
    await bo.commands('help').then((answer) => expect(answer).toMatchObject({ text: '我在私信里回答你。' }));
    await run.atRest();
    expect(run.complaints()).toEqual([]);
  });

  it('S6, C3: what Slack refuses stops nothing: the card comes later, to the other chat where it must', async () => {
    const { it: run, there, ana } = room;
    there.faults.push({ method: 'chat.postMessage', times: 1, answer: { status: 429, retryAfter: 1 } });
    there.faults.push({ method: 'chat.postMessage', times: 1, answer: { status: 503 } });
    const before = ana.messages().length;
    await ana.says('status').done;
    await there.waitFor(
      () =>
        ana
          .messages()
          .slice(before)
          .some(({ channel }) => channel === ana.direct),
      wait,
    );
    there.faults.push({
      method: 'chat.postMessage',
      times: 1_000,
      answer: { status: 200, body: { ok: false, error: 'is_archived' } },
    });
    await ana.mentions(TEAM, `new acme/refused ${sampleGoal}`).done;
    // The administrator in Telegram gets the card that the channel does not take.
    await run.ana.waitForMessage(
      (m) => m.text.includes('acme/refused') && m.buttons.flat().some(({ text }) => /^Open PR/.test(text)),
      wait,
    );
  });
});

it('O3: its code is not loaded where it is not configured', async () => {
  const made = await createProduct({ script: 'true' });
  product = made;
  made.start({ preload: saysSlack(made) });
  await made.running();
  expect(made.stderr()).not.toContain('slack is loaded');
  await closeAll();
});
