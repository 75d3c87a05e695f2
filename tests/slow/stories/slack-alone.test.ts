/** The whole story where Slack is the only chat: no setting of Telegram, and nothing is asked of it. */
import { afterEach, expect, it } from 'vitest';
import { sampleAgentCommand, sampleCi, sampleDirectory, sampleGoal, type RepoHandle } from '#playground';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import {
  SLACK_TOKENS,
  startSlack,
  type SlackMessage,
  type SlackPerson,
  type SlackWorkspace,
} from '../../support/slack/slack-server.ts';

const wait = { deadlineMs: PATIENCE };
let product: Product | undefined;
let slack: SlackWorkspace | undefined;
afterEach(async () => {
  await product?.close();
  await slack?.stop();
});

const shows =
  (like: RegExp) =>
  ({ buttons }: SlackMessage): boolean =>
    buttons.some(({ text }) => like.test(text));

type Stage = { there: SlackWorkspace; ana: SlackPerson; run: Product; repo: RepoHandle };
const connected = (there: SlackWorkspace): Promise<unknown> =>
  there.waitFor(() => there.connections() > 0, { ...wait, what: 'a connection of the product' });
const gone = (there: SlackWorkspace): Promise<unknown> =>
  there.waitFor(() => there.connections() === 0, wait);
const open = async (env: Record<string, string> = {}): Promise<Stage> => {
  const there = await startSlack();
  slack = there;
  const ana = there.person('U0ANA0001', 'Ana');
  const run = await createProduct({
    script: sampleAgentCommand(),
    bounds: { ciSettleMs: 300, noCiMs: 5_000 },
    env: {
      TELEGRAM_BOT_TOKEN: undefined,
      TELEGRAM_ADMIN_IDS: undefined,
      TELEGRAM_API_ROOT: undefined,
      SLACK_BOT_TOKEN: SLACK_TOKENS.bot,
      SLACK_APP_TOKEN: SLACK_TOKENS.app,
      SLACK_ADMIN_IDS: ana.user,
      SLACK_API_ROOT: there.url,
      ...env,
    },
  });
  product = run;
  const from = sampleDirectory();
  const repo = await run.github.addRepo({ owner: 'acme', name: 'patient', from, ci: sampleCi });
  run.start();
  await connected(there);
  return { there, ana, run, repo };
};

it('C1, G4, O3: from an order by direct message to the merge, over a kill, with doctor and the board’s link', async () => {
  const { there, ana, run, repo } = await open();
  await ana.says(`new acme/patient ${sampleGoal}`).done;
  const opens = await ana.waitFor(shows(/^Open PR/));
  await ana.taps(/^Open PR/, { on: opens }).done;
  await ana.waitFor(shows(/^Confirm/));
  // Who taps a card before it is recorded is asked to tap again.
  await run.atRest();
  await run.kill();
  await gone(there);
  run.start();
  await connected(there);
  const confirms = await ana.waitFor(shows(/^Confirm/));
  await ana.taps(/^Confirm/, { on: confirms }).done;
  await ana.waitFor(({ text }) => text.includes('Pull request #1 opened'));
  // Red checks, and a fix.
  await ana.taps(/^Push\b/, { on: await ana.waitFor(shows(/^Push\b/)) }).done;
  await ana.taps(/^Confirm/, { on: await ana.waitFor(shows(/^Confirm/)) }).done;
  await run.waitForState('REVIEW_WAIT');
  await ana.says('board').done;
  await ana.waitFor(({ text, notice }) => /\/board\/enter\//.test(JSON.stringify([text, notice])));
  repo.review(1, { state: 'APPROVED' });
  await repo.merge(1);
  await ana.waitFor(({ text }) => /Merged by/.test(text));
  await run.atRest();

  expect(repo.pulls).toHaveLength(1);
  expect(run.run()).toMatchObject({ lifecycle: { state: 'DONE' }, order: { requester: { id: ana.user } } });
  expect(run.telegram.calls).toEqual([]);
  expect(run.complaints()).toEqual([]);
  const doctor = await run.cli(['doctor', '--json']);
  expect(doctor.out).toMatch(/"name": "slack",\s+"ok": true/);
  expect(doctor.out).not.toContain('"telegram"');
  // What is ordered on the host comes to the administrator's direct messages.
  const ordered = await run.cli(['run', 'create', 'acme/patient', 'Another thing', '--json']);
  expect(ordered.code, ordered.err).toBe(0);
  await ana.waitFor(({ text }) => text.includes('Another thing'));
  expect(JSON.parse((await run.cli(['replay', '--all', '--json'])).out)).toMatchObject({ findings: [] });
});

it.each(['before', 'after'] as const)(
  'G9, L6: killed %s GitHub has opened it, and started again at another address: the body is the approved one',
  async (moment) => {
    const [one, two] = ['https://one.example.com', 'https://two.example.com'];
    const { there, ana, run, repo } = await open({
      AGENTPR_PUBLIC_URL: one,
      GITHUB_WEBHOOK_SECRET: 'a-secret-of-a-test-4711',
    });
    await ana.says(`new acme/patient ${sampleGoal}`).done;
    await ana.taps(/^Open PR/, { on: await ana.waitFor(shows(/^Open PR/)) }).done;
    const confirms = await ana.waitFor(shows(/^Confirm/));
    const bodies: unknown[] = [];
    run.github.onRequest(async ({ phase, call }) => {
      if (!/^POST .*\/pulls$/.test(call.route) || (phase === 'before') === (moment === 'after'))
        return undefined;
      bodies.push(call.params.body);
      if (bodies.length > 1) return undefined;
      await run.kill();
      return 'lose';
    });
    await ana.taps(/^Confirm/, { on: confirms }).done;
    await gone(there);
    run.start({ env: { AGENTPR_PUBLIC_URL: two } });
    await connected(there);
    await ana.waitFor(({ text }) => text.includes('Pull request #1 opened'));
    expect(repo.pulls).toHaveLength(1);
    const body = repo.pulls[0]?.body ?? '';
    expect(body).toContain(`${one}/receipts`);
    expect(body).not.toContain(two);
    expect(new Set(bodies)).toEqual(new Set([body]));
  },
);
