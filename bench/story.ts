/**
 * Stories of runs, told to a real ledger by the real core: what a benchmark measures on must be
 * what the product would have written.
 */
import { createHash } from 'node:crypto';
import { openLedger } from '../db/directory/open-ledger.ts';
import { ANA } from './host.ts';
import { RunBounds } from '../orchestrator/core/run-bounds.ts';
import type { EffectKind } from '../orchestrator/core/machine/effect-types.ts';
import { inputKindOf, type Input } from '../orchestrator/core/machine/inputs.ts';
import { decide } from '../orchestrator/core/machine/machine.ts';
import { recordStep } from '../orchestrator/core/machine/recorded-step.ts';
import type { Run } from '../orchestrator/core/machine/run.ts';
import type { StepCause, Ledger, ChatLimits, StepPlan, StepRequest } from '../orchestrator/ports.ts';
import * as acts from '../tests/support/core-acts.ts';
import { order } from '../tests/support/core-samples.ts';

const { check, confirm, discovered, implemented, later, opened, pull, pushed, startDiscovery } = acts;

/** From the order to a pull request whose checks are green: what most runs do. */
const toReview = (commit: string): acts.Act[] => [
  startDiscovery,
  discovered(),
  acts.baseChecked(),
  acts.startWork(),
  implemented(commit),
  acts.validated(),
  pushed(),
  confirm(),
  opened(),
  check(),
  later(30_000, acts.looked),
];
export const TO_REVIEW: readonly acts.Act[] = toReview('a');
/** Checks that run again and again and stay green. */
export const checks = (count: number): acts.Act[] =>
  Array.from({ length: count }, (_, i) => check({ startedAt: i + 2 }));
export const MERGED = pull({ merged: true });

/** Whose effect a result is. */
const CAUSES: Partial<Record<Input['type'], EffectKind>> = {
  'worker.discovery.completed': 'discover',
  'worker.base.checked': 'check_base',
  'worker.implementation.completed': 'implement',
  'worker.validation.completed': 'check',
  'worker.push.completed': 'push',
  'worker.pr.opened': 'open_pr',
};

export type Teller = {
  ledger: Ledger;
  /** Epoch ms of the first step; each next one is later. */
  from: number;
  /** The private chat that hears of the run. */
  chat?: number;
  /** Claims the effects that results come from, as the dispatcher does; true when left out. */
  claims?: boolean;
  bounds?: Partial<RunBounds>;
  /** Hears of each step before it is written. */
  onStep?: (request: StepRequest) => void;
};

const requestOf = (
  runId: string,
  before: Run | null,
  input: Input,
  at: number,
  cause: StepCause,
): StepRequest => {
  const result = inputKindOf(input.type) === 'result';
  const stamp = {
    at,
    nonce: `${runId}-${String(before?.lifecycle.version ?? 0).padStart(4, '0')}-xyz`,
    effectEpoch: result ? (before?.lifecycle.epoch ?? null) : null,
  };
  const made = decide(before, input, stamp);
  if (made.kind !== 'moved')
    throw new Error(`${input.type} was ${made.kind}: ${JSON.stringify(made.reason)}`);
  const plan: StepPlan = {
    ...made,
    kind: 'write',
    event: { type: input.type, body: recordStep(input, stamp, made), at },
    replies: [],
  };
  const from = inputKindOf(input.type) === 'command' ? 'chat' : 'forge';
  const key = result ? `effect:${runId}:${before?.lifecycle.version ?? 0}:0:1` : `${from}:${stamp.nonce}`;
  return { runId, key, cause, now: at, plan: () => plan };
};

/**
 * Tells one run's story, results by the effects that caused them. What follows (messages, cleaning)
 * is left: see `finishRest`.
 */
export const tellStory = async (
  { ledger, from, chat = 7, claims: claiming = true, bounds, onStep }: Teller,
  runId: string,
  story: readonly acts.Act[],
  /** Goes on from here; a new run without. */
  told: Run | null = null,
): Promise<Run> => {
  let at = told ? told.lifecycle.updatedAt : from;
  const causeOf = async (input: Input): Promise<StepCause> => {
    const kind = claiming ? CAUSES[input.type] : undefined;
    if (kind === undefined) return { kind: 'none' };
    const claims = await ledger.claim({ now: at, leaseMs: 60_000, limit: 1, kinds: [kind] });
    const claim = claims.find((c) => c.runId === runId);
    if (!claim) throw new Error(`run ${runId} asked for no ${kind}`);
    return { kind: 'effect', n: claim.n, leaseEpoch: claim.leaseEpoch };
  };
  const offer = async (before: Run | null, input: Input): Promise<Run> => {
    const request = requestOf(runId, before, input, at, await causeOf(input));
    onStep?.(request);
    const outcome = await ledger.step(request);
    if (outcome.kind !== 'written') throw new Error(`${input.type} was ${outcome.kind}`);
    return outcome.run;
  };
  const create = {
    type: 'command.run.create' as const,
    runId,
    order: order({
      repo: `acme/${runId}`,
      chat: String(chat),
      ...(bounds ? { bounds: RunBounds.parse(bounds) } : {}),
    }),
  };
  let run = told ?? (await offer(null, create));
  for (const act of story) {
    const { input, wait = 1 } = act(run);
    at += wait;
    run = await offer(run, input);
  }
  return run;
};

/**
 * Does what is left of a story: every waiting message counts as sent, every workspace as removed.
 */
export const finishRest = async (ledger: Ledger, now: number, messageId = 1): Promise<void> => {
  for (;;) {
    const claims = await ledger.claim({
      now,
      leaseMs: 60_000,
      limit: 32,
      kinds: ['chat_message', 'remove_workspace'],
    });
    if (claims.length === 0) return;
    for (const claim of claims) {
      const chat = (await ledger.query.effect(claim.n))?.chat ?? null;
      const result = chat === null ? null : { chat, messageId, epoch: null };
      await ledger.finish(claim, { kind: 'done', result }, now);
    }
  }
};

const BURST = { card: 1_000, answer: 1_000, message: 1_000, progress: 1_000 };
/** While a scene is set, every message counts as sent at once. */
export const NO_PACE: ChatLimits = {
  of: () => ({ every: 1, burst: BURST, progress: 0 }),
  overall: { every: 1, burst: BURST, progress: 0 },
};

/** Live runs that wait for a person: a screen of them has buttons, and nothing goes on. */
export const waitingRuns = async (
  dataDir: string,
  { count, named, story = TO_REVIEW }: { count: number; named: string; story?: readonly acts.Act[] },
): Promise<void> => {
  const ledger = await openLedger({ dataDir, now: Date.now, limits: NO_PACE });
  // So lately that nobody is reminded of them meanwhile.
  const from = Date.now() - 60_000;
  for (let i = 0; i < count; i += 1)
    await tellStory({ ledger, from, chat: ANA }, `${named}${i}`, [...story, acts.pause]);
  await finishRest(ledger, Date.now());
  await ledger.close();
};

/**
 * Makes a ledger of runs whose checks are green, each of a commit of its own, so that each further
 * check is news to one of them and moves nobody.
 */
export const greenRuns = async (
  dataDir: string,
  { count, chat }: { count: number; chat: number },
): Promise<{ id: string; sha: string }[]> => {
  const from = Date.now() - 120_000;
  const ledger = await openLedger({ dataDir, now: Date.now, limits: NO_PACE });
  const runs = [];
  for (let i = 0; i < count; i += 1) {
    const commit = createHash('sha1').update(`green${i}`).digest('hex');
    const run = await tellStory({ ledger, from, chat }, `green${i}`, toReview(commit));
    runs.push({ id: run.id, sha: run.change.pushedHead?.sha ?? '' });
  }
  await finishRest(ledger, Date.now());
  await ledger.close();
  return runs;
};
