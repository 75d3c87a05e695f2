/** Has the agent answer a person in its own session, and puts back what it changes meanwhile (E21). */
import { MAX_AGENT_ANSWER_LENGTH, type QuestionOutcome } from '#model/agent';
import type { Failure } from '#model/failure';
import { wordsFeedback } from '#model/feedback';
import { SECOND } from '#model/values';
import type { DiscardedEdits } from '#model/change';
import { OutsideFailure, toFailure } from '#ports/forge';
import type { EffectKind } from '../effects/effect-types.ts';
import type { MeterReading } from '#ports/ledger';
import type { ExecutorDone, SystemClock } from '#ports/processes';
import type { CollectedChange } from '#ports/workspaces';
import { requireValue, type EffectContext } from '../handlers/effect-context.ts';
import type { AgentRound } from '../run/round-table.ts';
import { findOpenQuestion, workspaceShaOf, type Run } from '../run/run.ts';
import {
  toQuestionEnd,
  type ClaimOf,
  type EffectHandler,
  type HandlerOutcome,
} from '../runtime/effect-handler.ts';
import { parentCommitsOf } from '../upstream/update-from-base.effect.ts';
import { checkMayStartAgent } from './check-agent-start.io.ts';
import { countUnreportedUsage } from './count-unreported-usage.io.ts';
import { toDiscardedEdits } from './record-discarded-edits.ts';
import { resetToRequestedCommit } from './prepare-workspace.io.ts';
import { findLeftovers } from './restore-guarded-files.io.ts';
import { QUESTION_STEP, runTurn } from './run-turn.io.ts';

/** Effects that work in the files of a run; only one of them does at a time. */
const IN_WORKSPACE: readonly EffectKind[] = [
  'implement',
  'update_from_base',
  'compare_base',
  'remove_workspace',
];
const AGAIN_MS = 500;

const waitFor = (parts: { clock: SystemClock }, reason: string): HandlerOutcome => ({
  kind: 'later',
  at: parts.clock.now() + AGAIN_MS,
  reason,
  counts: false,
});

/** A question that is being stopped puts its files back first. */
export const withQuestionEnded =
  <K extends EffectKind>(
    parts: Pick<EffectContext, 'ledger'> & { clock: SystemClock },
    inner: EffectHandler<K>,
  ): EffectHandler<K> =>
  async (claim, signal) => {
    const asked = await parts.ledger.query.effects({ runId: claim.runId ?? '', kind: 'answer_question' });
    // guard: E21-files-back-first
    return asked.some(({ state }) => state === 'pending' || state === 'claimed')
      ? waitFor(parts, 'a question to the agent is ending')
      : inner(claim, signal);
  };

const isWorkspaceTaken = async (
  { ledger }: Pick<EffectContext, 'ledger'>,
  runId: string,
): Promise<boolean> => {
  const claimed = await ledger.query.effects({ runId, state: 'claimed' });
  return claimed.some(({ kind }) => IN_WORKSPACE.includes(kind));
};

/** All bytes that could be published, as a commit of nobody's history, where they are not those of `at`. */
const compareFiles = (parts: EffectContext, run: Run, at: string): Promise<CollectedChange> =>
  parts.workspaces.harvest({
    runId: run.id,
    base: parentCommitsOf(run).base,
    parent: at,
    message: 'Files while a question is answered',
    author: parts.settings.author,
    at: run.lifecycle.createdAt,
  });

const nameFilesBefore = async (parts: EffectContext, run: Run): Promise<string> => {
  const at = requireValue(workspaceShaOf(run), 'base');
  const held = await compareFiles(parts, run, at);
  if (held.kind === 'unsafe')
    throw new OutsideFailure('unsafe_workspace', 'the files of the workspace cannot be compared');
  return held.kind === 'commit' ? held.commit.sha : at;
};

/** L6: a try that was killed noted the files that it began with. */
const filesBefore = async (
  parts: EffectContext,
  run: Run,
  { do: { askedAt } }: ClaimOf<'answer_question'>,
): Promise<string | null> => {
  const past = await parts.ledger.query.attempts(run.id);
  return past.find(({ step, startedAt }) => step === QUESTION_STEP && startedAt >= askedAt)?.baseSha ?? null;
};

const putFilesBack = async (
  parts: EffectContext,
  run: Run,
  before: string,
): Promise<DiscardedEdits | null> => {
  const isThere = await parts.workspaces.exists(run.id);
  // guard: E21-files-compared
  if (isThere && (await compareFiles(parts, run, before)).kind === 'no_changes') return null;
  const { files, unfit } = isThere ? await findLeftovers(parts, run) : { files: [], unfit: [] };
  await parts.workspaces.reset({ runId: run.id, sha: before, base: parentCommitsOf(run).base });
  return isThere ? toDiscardedEdits('guard', [...files, ...unfit.map(({ path }) => path)]) : null;
};

const toOutcome = ({ failure, summary, words = '' }: ExecutorDone): QuestionOutcome => {
  const said = [words, words.includes(summary) ? '' : summary].filter((part) => part.trim() !== '');
  const isSaid = failure === null || failure.class === 'invalid_output';
  if (isSaid && said.length > 0)
    return {
      kind: 'answered',
      text: said.join('\n\n').trim().slice(0, MAX_AGENT_ANSWER_LENGTH).toWellFormed(),
    };
  return failure === null ? { kind: 'silent' } : toFailed(failure);
};

const toFailed = ({ class: of, message, detail }: Failure): QuestionOutcome => ({
  kind: 'failed',
  class: of,
  message: message.slice(0, 1_000),
  ...(detail === undefined ? {} : { detail }),
});

type Spent = { spent: MeterReading; done: ExecutorDone; undone: DiscardedEdits | null };
const toResult = (
  { do: { question } }: ClaimOf<'answer_question'>,
  outcome: QuestionOutcome,
  after: Spent | null = null,
): HandlerOutcome => ({
  kind: 'result',
  input: {
    ...toQuestionEnd(question, outcome),
    ...(after && {
      ...after.spent,
      containment: after.done.containment,
      exposedCredentials: after.done.lends ?? null,
      discardedEdits: after.undone,
    }),
  },
});

const checkMayAnswer = async (parts: EffectContext, run: Run): Promise<QuestionOutcome | null> => {
  const stop = await checkMayStartAgent(parts, run);
  if (stop === null) return null;
  if (!('hold' in stop)) return toFailed(stop);
  return stop.hold.turn.why === 'provider'
    ? toFailed({ class: 'rate_limited', message: PROVIDER_CLOSED, detail: { kind: 'provider_closed' } })
    : toFailed({ class: 'budget_exceeded', message: SPENDING_USED_UP, detail: { kind: 'spending_used_up' } });
};
const PROVIDER_CLOSED = 'The provider of the model takes nothing for now.';
const SPENDING_USED_UP = 'A budget above this run is used up.';

const QUESTION_LOOK_MS = 5 * SECOND;

/** L7: the run may go on in another process, which stops nothing here. */
const watchQuestion = (
  { ledger, clock, log }: Pick<EffectContext, 'ledger' | 'clock' | 'log'>,
  { runId, do: { question } }: ClaimOf<'answer_question'>,
): { signal: AbortSignal; end(): void } => {
  const over = new AbortController();
  let timer = { cancel: () => {} };
  let isEnded = false;
  const lookLater = (): void => {
    if (!isEnded)
      timer = clock.after(QUESTION_LOOK_MS, () => {
        lookAgain()
          .catch((error: unknown) =>
            log.warn({ err: error, run: runId }, 'a question could not be looked for'),
          )
          .finally(lookLater);
      });
  };
  const lookAgain = async (): Promise<void> => {
    const run = await ledger.query.run(runId ?? '');
    if (run && findOpenQuestion(run)?.id !== question) over.abort();
  };
  lookLater();
  return {
    signal: over.signal,
    end: () => {
      isEnded = true;
      timer.cancel();
    },
  };
};

const askAgent = async (
  parts: EffectContext,
  claim: ClaimOf<'answer_question'>,
  signal: AbortSignal,
): Promise<HandlerOutcome> => {
  const run = await countUnreportedUsage(parts, claim);
  const question = findOpenQuestion(run);
  const known = await filesBefore(parts, run, claim);
  if (question?.id !== claim.do.question) {
    if (known !== null) await putFilesBack(parts, run, known);
    return { kind: 'done', result: 'moved on' };
  }
  if (await isWorkspaceTaken(parts, run.id)) return waitFor(parts, 'the workspace is in use');
  const stop = await checkMayAnswer(parts, run);
  if (stop) return toResult(claim, stop);
  if (!(await parts.workspaces.exists(run.id)) && known === null)
    return toResult(claim, toFailed({ class: 'session_lost', message: 'Its workspace is gone.' }));
  // After a card was taken back the files are still those of the other change.
  if (known === null) await resetToRequestedCommit(parts, run);
  const before = known ?? (await nameFilesBefore(parts, run));
  if (known !== null) await putFilesBack(parts, run, known);
  const round: AgentRound = { kind: 'person_question', feedback: wordsFeedback(question.text), purpose: [] };
  const meter = parts.spending.createMeter(run, claim, 'agent');
  const left = await findLeftovers(parts, run, signal);
  const ground = { past: [], left, undone: run.agent.discardedEdits, lost: null, conflicts: null };
  const turn = { run, round, ground, meter, asking: null, repeats: null, words: null, filesAt: before };
  const watch = watchQuestion(parts, claim);
  try {
    const either = AbortSignal.any([signal, watch.signal]);
    const done = await runTurn(parts, turn, either);
    if (either.aborted) return await stopAnswering(parts, run, before, meter);
    const undone = await putFilesBack(parts, run, before);
    return toResult(claim, toOutcome(done), { spent: meter.rest(), done, undone });
  } catch (error) {
    await stopAnswering(parts, run, before, meter);
    throw error;
  } finally {
    watch.end();
  }
};

const stopAnswering = async (
  parts: EffectContext,
  run: Run,
  before: string,
  meter: ReturnType<EffectContext['spending']['createMeter']>,
): Promise<HandlerOutcome> => {
  try {
    await putFilesBack(parts, run, before);
  } finally {
    await meter.flush();
  }
  return { kind: 'done', result: 'stopped' };
};

export const createAnswerQuestionHandler =
  (parts: EffectContext): EffectHandler<'answer_question'> =>
  async (claim, signal) => {
    try {
      return await askAgent(parts, claim, signal);
    } catch (error) {
      if (!(error instanceof OutsideFailure) || signal.aborted) throw error;
      return toResult(claim, toFailed(toFailure(error)));
    }
  };
