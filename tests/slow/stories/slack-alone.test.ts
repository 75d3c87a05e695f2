/** The whole story where Slack is the only chat: no setting of Telegram, and nothing is asked of it. */
import { afterEach, expect, it } from 'vitest';
import { sampleAgentCommand, sampleDirectory, sampleGoal, type RepoHandle } from '#playground';
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
    bounds: { ciSettleMs: 300, noCiMs: 300 },
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
  const repo = await run.github.addRepo({ owner: 'acme', name: 'patient', from });
  run.start();
  await connected(there);
  return { there, ana, run, repo };
};

it('C1, G4, G9, L6, O3: from an order by direct message to the merge, over kills and at another address, with doctor and the board’s link', async () => {
  const [one, two] = ['https://one.example.com', 'https://two.example.com'];
  const { there, ana, run, repo } = await open({
    AGENTPR_PUBLIC_URL: one,
    GITHUB_WEBHOOK_SECRET: 'a-secret-of-a-test-4711',
  });
  const startsAgain = async (env: Record<string, string> = {}): Promise<void> => {
    await gone(there);
    run.start({ env });
    await connected(there);
  };
  await ana.says(`new acme/patient ${sampleGoal}`).done;
  const opens = await ana.waitFor(shows(/^Open PR/));
  await ana.taps(/^Open PR/, { on: opens }).done;
  await ana.waitFor(shows(/^Confirm/));
  // Who taps a card before it is recorded is asked to tap again.
  await run.atRest();
  await run.kill();
  await startsAgain();
  // Killed once before GitHub has opened it, and once after: the body is the approved one.
  const bodies: unknown[] = [];
  const moments = ['before', 'after'];
  let killed = Promise.withResolvers<void>();
  run.github.onRequest(async ({ phase, call }) => {
    if (!/^POST .*\/pulls$/.test(call.route)) return undefined;
    if (phase === 'before') bodies.push(call.params.body);
    if (moments[0] !== phase) return undefined;
    moments.shift();
    await run.kill();
    killed.resolve();
    return 'lose';
  });
  const confirms = await ana.waitFor(shows(/^Confirm/));
  await ana.taps(/^Confirm/, { on: confirms }).done;
  await killed.promise;
  killed = Promise.withResolvers();
  await startsAgain({ AGENTPR_PUBLIC_URL: two });
  await killed.promise;
  await startsAgain({ AGENTPR_PUBLIC_URL: two });
  await ana.waitFor(({ text }) => text.includes('Pull request #1 opened'));
  expect(repo.pulls).toHaveLength(1);
  const body = repo.pulls[0]?.body ?? '';
  expect(body).toContain(`${one}/receipts`);
  expect(body).not.toContain(two);
  expect([bodies.length, new Set(bodies)]).toEqual([2, new Set([body])]);

  await run.waitForState('REVIEW_WAIT');
  await ana.says('board').done;
  await ana.waitFor(({ buttons }) => buttons.some(({ url }) => url?.includes('/board/enter/')));
  repo.review(1, { state: 'APPROVED' });
  await repo.merge(1);
  await ana.waitFor(({ text }) => /Merged by/.test(text));
  await run.atRest();

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
}, 300_000);
