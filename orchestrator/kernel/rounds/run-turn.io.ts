/** Lets an agent take one turn, and records the attempt with what it used. */
import { maxCommitment, type SpendingRequest, type SpendingStop } from '#model/spending';
import { NO_USAGE, type AgentSession, type ModelUsage } from '#model/reports';
import { proposersOfEngine } from '#model/order';
import type { TurnHead } from '#model/turn';
import { DAY, MINUTE } from '#model/values';
import type { SpendingMeter } from '#ports/ledger';
import type { EngineRound, ExecutorDone, ExecutorEvent } from '#ports/processes';
import type { TurnRecorder } from '#ports/records';
import { requireValue, type EffectContext } from '../handlers/effect-context.ts';
import { withAttempt } from '../handlers/attempt-end.ts';
import type { ActivityLog } from '../handlers/record-activity.ts';
import { accountOf } from '../lifecycle/run-budget.ts';
import { ASKED_OUTCOME } from '../run/permissions.ts';
import { engineOf } from '../run/proposer-rotation.ts';
import { ROUND_ROWS, type AgentRound } from '../run/round-table.ts';
import { patchRun, type Run } from '../run/run.ts';
import { sha256Hex } from '../runtime/content-hash.ts';
import { parentCommitsOf } from '../upstream/update-from-base.effect.ts';
import { usageAfterAttempt } from './count-unreported-usage.io.ts';
import type { createPermissionDecider } from './decide-permission.io.ts';
import { currentOrderedFix } from './ordered-fixes.ts';
import { writeAcceptedNotes } from './plan-round.io.ts';
import type { PreparedGround } from './prepare-workspace.io.ts';
import { isOfModel, type WordsDelivery } from './words-delivery.io.ts';
import type { createRepeatReport } from './report-repeated-call.io.ts';

/** Fallback limit when budgets cannot be recorded (ms). */
const LONGEST_MS = DAY;
const LOG_LIMIT = 200_000;

type Turn = {
  run: Run;
  round: AgentRound;
  ground: PreparedGround;
  meter: SpendingMeter;
  /** Null where nobody may be asked for a permission, and calls that are repeated are told to nobody. */
  asking: ReturnType<typeof createPermissionDecider> | null;
  repeats: ReturnType<typeof createRepeatReport> | null;
  /** Null where an operator has no words for the agent. */
  words: WordsDelivery | null;
  /** E21: the files that a round which may change nothing began with. */
  filesAt?: string;
};

/** E21: the name of an attempt that answers a person's question. */
export const QUESTION_STEP = 'question';
/** An answer that takes longer is given up (ms). */
const LONGEST_ANSWER_MS = 15 * MINUTE;

type Started = { engine: string; engineArgs: readonly string[]; prompt: string };
const startAttempt = async (
  parts: EffectContext,
  { run, filesAt }: Turn,
  { engine, engineArgs, prompt }: Started,
): Promise<number> => {
  if (prompt.length <= LOG_LIMIT)
    await parts.ledger.artifact({ runId: run.id, type: 'prompt', content: prompt, at: parts.clock.now() });
  return parts.ledger.attempt.start({
    runId: run.id,
    step: filesAt === undefined ? 'agent' : QUESTION_STEP,
    command: `${engine} ${engineArgs.join(' ')}`.trim(),
    startedAt: parts.clock.now(),
    engine,
    model: null,
    promptHash: sha256Hex(prompt),
    baseSha: filesAt ?? parentCommitsOf(run).parent,
    containment: null,
    pid: null,
    pidStart: null,
  });
};

type UsedEvent = Extract<ExecutorEvent, { type: 'used' }>;
const NOTHING_USED = { usage: NO_USAGE, session: null, outputBytes: 0 };

const followEvents =
  (
    parts: EffectContext,
    { run, meter, repeats, words }: Turn,
    attempt: number,
    activity: ActivityLog,
  ): EngineRound['onEvent'] =>
  (event) => {
    if (event.type === 'progress') activity.note(event);
    if (event.type === 'used') {
      meter.used(event);
      activity.used(event.usage);
    }
    if (event.type === 'repeated') repeats?.report(event);
    if (isOfModel(event)) words?.prompted();
    if (event.type !== 'started') return;
    meter.begin();
    parts.ledger.attempt
      .recordProcess(attempt, event.pid, event.pidStart)
      .catch((error: unknown) => parts.log.warn({ err: error, run: run.id }, 'a process could not be noted'));
  };

const watchSpending = ({ ledger, log, spending: { guard } }: EffectContext, run: Run, attempt: number) => {
  const spending = guard?.open(run, attempt);
  const ending = new AbortController();
  let reserved = false;
  let noting: Promise<void> = Promise.resolve();
  const recordBill = (usage: ModelUsage): Promise<void> =>
    ledger.attempt.recordBill(attempt, usageAfterAttempt(run, usage));
  return {
    signal: ending.signal,
    note: (event: ExecutorEvent): void => {
      if (event.type !== 'used' || reserved || !spending) return;
      const { usage: so } = event;
      noting = noting
        .then(async () => {
          // guard: P7-own-count-stops
          if (!ending.signal.aborted && (await spending.note(so))) ending.abort();
        })
        .catch((error: unknown) =>
          log.error({ err: error, run: run.id }, 'what an agent spent could not be noted'),
        );
    },
    reserve: async (asks: SpendingRequest): Promise<SpendingStop | null> => {
      const stop = (await spending?.reserve(asks)) ?? null;
      if (stop) return stop;
      reserved = true;
      await recordBill(maxCommitment(asks));
      return null;
    },
    settled: async (most: ModelUsage, used: ModelUsage): Promise<void> => spending?.settled(most, used),
    end: async (usage: ModelUsage): Promise<void> => {
      await noting;
      await spending?.end(usage);
      if (reserved) await recordBill(usage);
    },
  };
};

const argumentsOf = (run: Run, engine: string): string[] => {
  const script = engine === 'script' ? currentOrderedFix(run)?.script : undefined;
  if (script !== undefined) return [script];
  return engine === run.order.engine ? run.order.engineArgs : [];
};

export const runTurn = async (
  parts: EffectContext,
  turn: Turn,
  signal: AbortSignal,
): Promise<ExecutorDone> => {
  const { run, round, ground, meter, asking, words } = turn;
  const { order } = run;
  const engine = engineOf(run);
  const engineArgs = argumentsOf(run, engine);
  const executor = requireValue(parts.agents.engines[engine], 'engine');
  const { workspace, home } = parts.workspaces.places(run.id);
  await writeAcceptedNotes(parts, run, round);
  const { past, left, undone, conflicts } = ground;
  const briefing = await parts.agents.brief(run, round, { past, left, undone, conflicts });
  const { prompt, picture } = briefing;
  const attempt = await startAttempt(parts, turn, { engine, engineArgs, prompt });
  const spending = watchSpending(parts, run, attempt);
  let told: Pick<UsedEvent, 'usage' | 'session' | 'outputBytes'> = NOTHING_USED;
  const settleLost = async (ms: number): Promise<void> => {
    meter.end({ ...told, ms });
    await meter.flush();
    await spending.end(told.usage);
  };
  const takeTurn = async (activity: ActivityLog): Promise<{ done: ExecutorDone; head: TurnHead | null }> => {
    const given = executor.recordsTurns ? await briefing.equip(attempt, signal) : null;
    const turns = given?.tools.turns ?? null;
    const follow = followEvents(parts, turn, attempt, activity);
    const running = executor.run({
      ...(picture ? { picture } : {}),
      ...given?.tools,
      ...(run.target.contract?.box ? { box: run.target.contract.box } : {}),
      runId: run.id,
      engineArgs,
      prompt,
      workspace,
      home,
      session: run.agent.session ?? sessionCutOff(turns),
      writes: ROUND_ROWS[round.kind].writes === 'change' ? 'change' : 'nothing',
      left: { tokens: accountOf(run, 'tokens').left, costUsd: accountOf(run, 'cost').left },
      timeoutMs: turn.filesAt === undefined ? LONGEST_MS : LONGEST_ANSWER_MS,
      signal: AbortSignal.any([signal, spending.signal]),
      ...(words?.arriving ? { words: words.arriving } : {}),
      ...(asking ? { ask: asking.ask, weigh: asking.weigh } : {}),
      proposers: proposersOfEngine(order, engine),
      needsPrice: order.campaignBudget !== undefined && 'costUsd' in order.campaignBudget,
      leftNow: () => readRestOfBudgets(parts, run),
      reserve: spending.reserve,
      settled: spending.settled,
      onEvent: (event) => {
        if (event.type === 'used') told = event;
        follow(event);
        spending.note(event);
      },
    });
    let ended: ExecutorDone;
    try {
      ended = await running;
    } finally {
      await given?.end();
    }
    return { done: ended, head: turns?.head() ?? null };
  };
  const { done, head } = await withAttempt(parts, { id: attempt, signal, settleLost }, takeTurn);
  const { exitCode, ms, stdout, stderr } = done.end;
  const outputBytes = Buffer.byteLength(stdout) + Buffer.byteLength(stderr);
  const { session, usage } = done;
  if (done.outcome === 'completed' || usage.inputTokens > 0) words?.prompted();
  meter.end({ session, usage, ms, outputBytes, ...(head ? { turns: head } : {}) });
  await meter.told();
  await spending.end(usage);
  const outcome = asking?.question() ? ASKED_OUTCOME : (done.failure?.class ?? 'completed');
  await parts.ledger.attempt.end(attempt, {
    exitCode,
    outcome,
    containment: done.containment,
    model: done.model,
    ms,
    stdout: logOf(done.transcript, stdout),
    stderr: stderr.slice(0, LOG_LIMIT),
  });
  return spending.signal.aborted && !signal.aborted ? { ...done, failure: SPENT } : done;
};

const SPENT = {
  class: 'budget_exceeded',
  message: 'A budget above this run is used up.',
  retryAt: null,
  detail: { kind: 'spending_used_up' },
} as const;

/** E6: a raise holds at once. What was used counts from the beginning of this turn. */
const readRestOfBudgets = async (
  { ledger }: Pick<EffectContext, 'ledger'>,
  begun: Run,
): Promise<{ tokens: number | null; costUsd: number | null }> => {
  const now = await ledger.query.run(begun.id);
  const raised = now ? patchRun(begun, { lifecycle: { raisedLimits: now.lifecycle.raisedLimits } }) : begun;
  return { tokens: accountOf(raised, 'tokens').left, costUsd: accountOf(raised, 'cost').left };
};

/** A process that was killed in its first turn told its session to the turn's row alone. */
const sessionCutOff = (turns: TurnRecorder | null): AgentSession | null => {
  const last = turns?.past.at(-1)?.facts;
  // guard: L6-session-of-cut-turn
  return last?.evaluation?.kind === 'interrupted' ? { id: last.session, usage: NO_USAGE } : null;
};

const logOf = (transcript: string | undefined, stdout: string): string =>
  (transcript === undefined ? stdout : `${transcript}\n${stdout}`).slice(0, LOG_LIMIT);
