/** `implement` runs one agent round, waits until its processes are dead, and harvests a commit. */
import { extractQuestion } from '#model/agent';
import { NO_USAGE } from '#model/reports';
import type { DiscardedEdits } from '#model/change';
import type { MeterReading } from '#ports/ledger';
import type { ExecutorDone } from '#ports/processes';
import type { EffectContext } from '../handlers/effect-context.ts';
import { readContractAfterRound } from '../preparation/preflight-round.io.ts';
import { applySuggestedLines } from '../reviews/apply-suggestions.io.ts';
import { engineOf } from '../run/proposer-rotation.ts';
import { ROUND_ROWS, type AgentRound } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';
import { toStepFailure, type EffectHandler, type HandlerOutcome } from '../runtime/effect-handler.ts';
import { revertChange, checkScriptRevert } from '../upstream/revert-pull.io.ts';
import { commitRound } from './commit-round.io.ts';
import { countUnreportedUsage } from './count-unreported-usage.io.ts';
import { checkMayStartAgent } from './check-agent-start.io.ts';
import { createPermissionDecider, type PermissionQuestion } from './decide-permission.io.ts';
import { toPlanOutcome } from './plan-round.io.ts';
import { resetToRequestedCommit, prepareRoundWorkspace, restoreAfterRound } from './prepare-workspace.io.ts';
import { createRepeatReport } from './report-repeated-call.io.ts';
import { findLeftovers } from './restore-guarded-files.io.ts';
import { runTurn } from './run-turn.io.ts';
import { createWordsDelivery } from './words-delivery.io.ts';

const NO_AGENT = {
  outcome: 'completed',
  failure: null,
  session: null,
  summary: '',
  usage: NO_USAGE,
  end: { exitCode: 0, ended: 'exited', signal: null, ms: 0, stdout: '', stderr: '' },
  model: null,
} as const;
/** E21: no agent runs; what the stopped one left is committed. */
const keepEdits = async (parts: EffectContext, run: Run, signal: AbortSignal): Promise<HandlerOutcome> => {
  const spent = { session: null, usage: NO_USAGE, ms: 0, outputBytes: 0 };
  const done = { ...NO_AGENT, containment: run.agent.containment ?? 'group' };
  // guard: E21-dropped-not-kept
  await resetToRequestedCommit(parts, run);
  if (await parts.workspaces.exists(run.id))
    return commitRound(parts, run, { done, spent, undone: null }, signal);
  return toStepFailure('agent', 'interrupted', 'the workspace is not there any more');
};

const checkMayWork = async (parts: EffectContext, run: Run): Promise<HandlerOutcome | null> => {
  const refused = checkScriptRevert(run, engineOf(run));
  if (refused) return refused;
  const stop = await checkMayStartAgent(parts, run);
  if (stop === null) return null;
  return 'hold' in stop
    ? { kind: 'held', hold: stop.hold }
    : toStepFailure('agent', stop.class, stop.message);
};

/** C4: final words may contain a question, which the next report would overwrite. */
const findQuestion = async (
  parts: EffectContext,
  run: Run,
  round: AgentRound,
  { failure, words = '' }: ExecutorDone,
  signal: AbortSignal,
) => {
  const text = failure?.class === 'invalid_output' ? extractQuestion(words) : null;
  if (text === null) return {};
  const edited =
    ROUND_ROWS[round.kind].writes === 'change' && (await findLeftovers(parts, run, signal)).files.length > 0;
  return { question: { text, edited } };
};

export const createImplementHandler =
  (parts: EffectContext): EffectHandler<'implement'> =>
  async (claim, signal) => {
    const { round } = claim.do;
    const run = await countUnreportedUsage(parts, claim);
    if (round.kind === 'kept_edits') return keepEdits(parts, run, signal);
    const revert = await revertChange(parts, run, round);
    if (revert && revert.kind !== 'conflicts') return revert;
    const without = await applySuggestedLines(parts, run, round);
    if (without) return without;
    const stop = await checkMayWork(parts, run);
    if (stop) return stop;
    const meter = parts.spending.createMeter(run, claim, 'agent');
    const ground = await prepareRoundWorkspace(parts, run, revert, signal);
    const asking = createPermissionDecider(parts, claim, round);
    const repeats = createRepeatReport(parts, run.id, claim);
    const words = createWordsDelivery(parts, claim, run);
    const turn = { run, round, ground, meter, asking, repeats, words };
    const done = await runTurn(parts, turn, signal).finally(() => words.end());
    await Promise.all([repeats.settled(), words.settled()]);
    if (signal.aborted) {
      await meter.flush();
      return { kind: 'done', result: 'stopped' };
    }
    const spent = meter.rest();
    const undone = await restoreAfterRound(parts, turn, done);
    const wanted = asking.question();
    if (wanted) return toPermissionOutcome(wanted, done, spent, undone);
    if (done.interrupted) return toInterruptedOutcome(done, spent, undone);
    if (ROUND_ROWS[round.kind].verifiedBy === 'contract' && readsWell(done))
      return readContractAfterRound(parts, run, done, spent, undone);
    if (done.failure) {
      const { failure } = done;
      if (failure.detail?.kind === 'spending_used_up') {
        await meter.flush();
        // Its edits and its conversation stay; it waits without a slot, and goes on by itself.
        return { kind: 'later', at: parts.clock.now(), reason: failure.message, counts: false };
      }
      return toStepFailure('agent', failure.class, failure.message, {
        retryAt: failure.retryAt,
        usageSoFar: spent,
        discardedEdits: undone,
        ...(failure.model === undefined ? {} : { model: failure.model }),
        ...(failure.detail === undefined ? {} : { detail: failure.detail }),
        ...(await findQuestion(parts, run, round, done, signal)),
      });
    }
    if (ROUND_ROWS[round.kind].verifiedBy === 'plan')
      return toPlanOutcome(parts, run, { ...spent, containment: done.containment }, undone);
    return commitRound(parts, run, { done, spent, undone }, signal);
  };

const toPermissionOutcome = (
  question: PermissionQuestion,
  { containment, lends = null }: ExecutorDone,
  spent: MeterReading,
  undone: DiscardedEdits | null,
): HandlerOutcome => ({
  kind: 'result',
  input: {
    type: 'worker.permission.asked',
    ...question,
    ...spent,
    containment,
    exposedCredentials: lends,
    discardedEdits: undone,
  },
});

const toInterruptedOutcome = (
  { containment, lends = null }: ExecutorDone,
  spent: MeterReading,
  discardedEdits: DiscardedEdits | null,
): HandlerOutcome => ({
  kind: 'result',
  input: {
    type: 'worker.turn.interrupted',
    ...spent,
    containment,
    exposedCredentials: lends,
    discardedEdits,
  },
});

const readsWell = ({ failure }: ExecutorDone): boolean =>
  failure === null || failure.class === 'invalid_output';
