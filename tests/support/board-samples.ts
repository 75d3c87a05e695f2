/** Runs in many states, a change with everything that a diff shows, for tests and pictures of the board. */
import type { Input } from '#inputs';
import type { BoardWorld } from './board-world.ts';
import { file, inputsToCard, someAssessment, someDiff } from './ready-run.ts';
import { anOrder } from './ledger.ts';

const ANA = { id: '7', name: 'Ana' };

export const samplePatch = [
  'diff --git a/src/webhook/worker.ts b/src/webhook/worker.ts',
  'index 1111111..2222222 100644',
  '--- a/src/webhook/worker.ts',
  '+++ b/src/webhook/worker.ts',
  '@@ -14,12 +14,18 @@ export const createWorker = (queue: Queue) => {',
  ' const MAX_TRIES = 5;',
  ' ',
  ' export const deliver = async (hook: Hook, signal: AbortSignal) => {',
  '-  for (let tries = 0; tries < 3; tries += 1) {',
  '-    const answer = await post(hook.url, hook.body);',
  '+  for (let tries = 0; tries < MAX_TRIES; tries += 1) {',
  '+    const answer = await post(hook.url, hook.body, { signal });',
  '     if (answer.ok) return answer;',
  '-    await sleep(1000);',
  '+    // The host says how long to wait; without a word we double.',
  '+    const told = Number(answer.headers.get("retry-after"));',
  '+    await sleep(told > 0 ? told * 1000 : 250 * 2 ** tries, { signal });',
  '   }',
  '-  throw new Error("gave up");',
  '+  throw new DeliveryFailed(hook, MAX_TRIES);',
  ' };',
  '@@ -48,3 +54,7 @@ export const close = () => {',
  '   queue.close();',
  '   return done;',
  ' };',
  '+',
  '+/** Names\u202e the hook, so that a person finds it. */',
  '+export class DeliveryFailed extends Error {}  ',
  '+',
  'diff --git a/package.json b/package.json',
  'index 1111111..2222222 100644',
  '--- a/package.json',
  '+++ b/package.json',
  '@@ -20,4 +20,5 @@',
  '   "dependencies": {',
  '     "undici": "7.1.0",',
  '+    "p-retry": "7.0.0",',
  '     "zod": "4.1.0"',
  '   }',
  'diff --git a/test/webhook/worker.test.ts b/test/webhook/worker.test.ts',
  'index 1111111..2222222 100644',
  '--- a/test/webhook/worker.test.ts',
  '+++ b/test/webhook/worker.test.ts',
  '@@ -1,4 +1,9 @@',
  " import { deliver } from '../../src/webhook/worker.ts';",
  ' ',
  '-it("tries three times", async () => {',
  '+it("waits as long as the host asks", async () => {',
  '+  const host = await startHost({ retryAfter: 2 });',
  '+  await deliver(host.hook, AbortSignal.timeout(5_000));',
  '+  expect(host.waits).toEqual([2_000]);',
  '+});',
  '',
].join('\n');

const diff = someDiff({
  files: [
    file('src/webhook/worker.ts', 11, 5),
    file('package.json', 1, 0),
    file('test/webhook/worker.test.ts', 5, 1),
  ],
  added: 17,
  deleted: 6,
  findings: [
    {
      kind: 'bidi_text',
      path: 'src/webhook/worker.ts',
      line: 59,
      note: { kind: 'character', code: 'U+202E' },
    },
  ],
});

type Begun = { repo: string; goal: string; upTo?: number; after?: Input[]; engine?: string };

/** Returns the address of each page, by its name. */
export const fillBoard = async (world: BoardWorld): Promise<Record<string, string>> => {
  const begin = async ({ repo, goal, upTo = 4, after = [], engine = 'codex' }: Begun): Promise<string> => {
    world.passes(7 * 60_000);
    const runId = `r${repo.length}${goal.length}x`;
    const order = anOrder({ repo, goal, engine });
    await world.offer(
      runId,
      { type: 'command.run.create', runId, order },
      ...inputsToCard().slice(0, upTo),
      ...after,
    );
    return runId;
  };
  const fields = { title: 'Retry webhooks as long as the host asks' };
  const goal =
    'Webhook deliveries give up after three tries, and ignore Retry-After. Retry as the host asks, and name the hook that failed.';
  await begin({
    repo: 'acme/docs',
    goal: 'Correct the install steps for Windows',
    after: [{ type: 'command.cancel', by: ANA, reason: 'Somebody else did it' }],
  });
  await begin({
    repo: 'acme/mobile',
    goal: 'Drop the polyfill for Array.prototype.at',
    after: [{ type: 'command.skip', by: ANA, reason: '' }],
  });
  await world.openRun({
    diff,
    fields,
    order: {
      repo: 'acme/gateway',
      goal: 'Close idle sockets before the load balancer does',
      engine: 'claude',
    },
  });
  await begin({ repo: 'acme/console', goal: 'Replace moment by Temporal in the date column' });
  await begin({
    repo: 'acme/search-indexer',
    goal: 'Stop reindexing documents that did not change',
    upTo: 1,
    engine: 'opencode',
  });
  await begin({
    repo: 'acme/billing',
    goal: 'Round invoice lines half to even',
    after: [{ type: 'command.pause', by: ANA }],
  });
  world.passes(11 * 60_000);
  const card = await world.readyRun({
    diff,
    fields,
    assessment: someAssessment({ risk: 'medium' }),
    order: { repo: 'acme/api', goal, engine: 'codex' },
  });
  const attempt = await world.ledger.attempt.start({
    runId: card.id,
    step: 'test',
    command: 'npm test',
    startedAt: world.now(),
    engine: null,
    model: null,
    promptHash: null,
    baseSha: null,
    containment: 'bwrap',
    pid: null,
    pidStart: null,
  });
  await world.ledger.attempt.end(attempt, {
    exitCode: 0,
    outcome: 'exited',
    ms: 4_100,
    stdout: '✓ waits as long as the host asks (12 ms)\n✓ names the hook (3 ms)\n\n2 passed',
    stderr: '',
    containment: 'bwrap',
    model: null,
  });
  world.passes(3 * 60_000);
  const run = `/board/run/${card.id}`;
  return {
    inbox: '/board/',
    run,
    diff: `${run}/diff`,
    split: `${run}/diff?split=1`,
    log: `${run}/log/${attempt}`,
    figures: '/board/figures?days=all',
    campaigns: '/board/campaigns',
  };
};
