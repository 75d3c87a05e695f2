/** Plays stories of runs through the real core into a real ledger. */
import { createHash } from 'node:crypto';
import { openLedger } from '../db/directory/open-ledger.ts';
import { ANA } from './host.ts';
import type { CheckedRepository } from './load/payloads.ts';
import { RunBounds } from '#model/limits';
import type { EffectKind } from '#effects';
import { inputKindOf } from '../orchestrator/kernel/run/input-types.ts';
import type { Input } from '#inputs';
import { toRecordedEvent } from '../orchestrator/kernel/effects/recorded-step.ts';
import type { Run } from '#run';
import { decideStep } from '../orchestrator/kernel/lifecycle/decide.ts';
import type { StepCause, StepPlan, StepRequest } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import type { ChatLimits } from '#ports/chat';
import * as acts from '../tests/support/core-acts.ts';
import { order } from '../tests/support/core-samples.ts';

const { check, confirm, discovered, implemented, later, opened, pull, pushed, startDiscovery } = acts;

/** The usual story: from the order to a pull request with green checks. */
const toReview = (commit: string, repoId = '1'): acts.Act[] => [
  startDiscovery,
  discovered({ repoId }),
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
export const checks = (count: number): acts.Act[] =>
  Array.from({ length: count }, (_, i) => check({ startedAt: i + 2 }));
export const MERGED = pull({ merged: true });

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
  /** Epoch ms of the first step; later steps follow. */
  from: number;
  chat?: number;
  /** Claims effects before their results; default: true. */
  claims?: boolean;
  bounds?: Partial<RunBounds>;
  /** Called before each step is written. */
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
  const made = decideStep(before, input, stamp);
  if (made.kind !== 'moved')
    throw new Error(`${input.type} was ${made.kind}: ${JSON.stringify(made.reason)}`);
  const plan: StepPlan = {
    ...made,
    kind: 'write',
    event: { type: input.type, body: toRecordedEvent(input, stamp, made), at },
    replies: [],
  };
  const from = inputKindOf(input.type) === 'command' ? 'chat' : 'forge';
  const key = result ? `effect:${runId}:${before?.lifecycle.version ?? 0}:0:1` : `${from}:${stamp.nonce}`;
  return { runId, key, cause, now: at, plan: () => plan };
};

/** Leaves later effects (messages, cleaning) to `finishRest`. */
export const tellStory = async (
  { ledger, from, chat = 7, claims: claiming = true, bounds, onStep }: Teller,
  runId: string,
  story: readonly acts.Act[],
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

/** Counts every waiting message as sent and every workspace as removed. */
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
/** Messages count as sent at once. */
export const NO_PACE: ChatLimits = {
  of: () => ({ every: 1, burst: BURST, progress: 0 }),
  overall: { every: 1, burst: BURST, progress: 0 },
};

/** Idle runs that wait for a person, so that screens have buttons. */
export const waitingRuns = async (
  dataDir: string,
  { count, named, story = TO_REVIEW }: { count: number; named: string; story?: readonly acts.Act[] },
): Promise<void> => {
  const ledger = await openLedger({ dataDir, now: Date.now, limits: NO_PACE });
  // Recent enough that no reminder is due.
  const from = Date.now() - 60_000;
  for (let i = 0; i < count; i += 1)
    await tellStory({ ledger, from, chat: ANA }, `${named}${i}`, [...story, acts.pause]);
  await finishRest(ledger, Date.now());
  await ledger.close();
};

/** Each run has its own repository and commit, so further checks are news to it alone and change no state. */
export const greenRuns = async (
  dataDir: string,
  { count, chat }: { count: number; chat: number },
): Promise<CheckedRepository[]> => {
  const from = Date.now() - 120_000;
  const ledger = await openLedger({ dataDir, now: Date.now, limits: NO_PACE });
  const runs: CheckedRepository[] = [];
  for (let repoId = 1; repoId <= count; repoId += 1) {
    const id = `green${repoId}`;
    const commit = createHash('sha1').update(id).digest('hex');
    const run = await tellStory({ ledger, from, chat }, id, toReview(commit, String(repoId)));
    runs.push({ name: id, repoId, sha: run.change.pushedHead?.sha ?? '' });
  }
  await finishRest(ledger, Date.now());
  await ledger.close();
  return runs;
};
