/** The whole story where Slack is the only chat: no setting of Telegram, and nothing is asked of it. */
import { afterEach, expect, it } from 'vitest';
import { sampleAgentCommand, sampleCi, sampleDirectory, sampleGoal } from '#playground';
import { createProduct, PATIENCE, type Product } from '../support/product.ts';
import {
  SLACK_TOKENS,
  startSlack,
  type SlackMessage,
  type SlackWorkspace,
} from '../support/slack/slack-server.ts';

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

it('C1, G4, O3: from an order by direct message to the merge, over a kill, with doctor and the board’s link', async () => {
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
    },
  });
  product = run;
  const repo = await run.github.addRepo({
    owner: 'acme',
    name: 'patient',
    from: sampleDirectory(),
    ci: sampleCi,
  });
  run.start();
  await there.waitFor(() => there.connections() > 0, { ...wait, what: 'a connection of the product' });

  await ana.says(`new acme/patient ${sampleGoal}`).done;
  const opens = await ana.waitFor(shows(/^Open PR/));
  await ana.taps(/^Open PR/, { on: opens }).done;
  await ana.waitFor(shows(/^Confirm/));
  await run.kill();
  await there.waitFor(() => there.connections() === 0, wait);
  run.start();
  await there.waitFor(() => there.connections() > 0, wait);
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
