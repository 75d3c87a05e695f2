/** Makes a commit of what a round left in the workspace, with a message that says what changed. */
import { EMPTY_REPORT, NO_CLAIMS, extractQuestion } from '#model/agent';
import type { Commit, DiscardedEdits } from '#model/change';
import { enginesInTurn } from '#model/order';
import { isModelNameRequired } from '#model/trailers';
import { commitMessage, type FixCommit } from '#pull-text';
import type { MeterReading } from '#ports/ledger';
import type { ExecutorDone } from '#ports/processes';
import type { CollectedChange } from '#ports/workspaces';
import { commitTrailers } from '../gate/commit-trailers.io.ts';
import {
  publicSummaryOf,
  finishedPlanSteps,
  summaryAfter,
  wholeSummaryAfter,
} from '../gate/summarise-change.ts';
import { requireValue, type EffectContext } from '../handlers/effect-context.ts';
import { feedbackAskedFor } from '../run/round-table.ts';
import { isResolving, type Run } from '../run/run.ts';
import { toStepFailure, type HandlerOutcome } from '../runtime/effect-handler.ts';
import { messageOfRevert } from '../upstream/revert-pull.io.ts';
import { mergeMessage, parentCommitsOf } from '../upstream/update-from-base.effect.ts';
import { toDiscardedEdits } from './record-discarded-edits.ts';
import { countPlanViolations } from './plan-round.io.ts';

const namesMaker = ({ order, target: { contract } }: Run): boolean =>
  enginesInTurn(order).length > 0 || contract?.rules.some(isModelNameRequired) === true;

const fixOf = (run: Run): FixCommit | null =>
  run.upstream.pullRequest && run.change.pushedHead
    ? { no: run.lifecycle.counts.iterations, asked: feedbackAskedFor(run.agent.round) }
    : null;

/** Discovery made the trailers; the proposer's engine and its model are only known now. */
const trailersNow = async (
  parts: EffectContext,
  run: Run,
  { model }: Pick<ExecutorDone, 'model'>,
): Promise<readonly string[]> =>
  namesMaker(run) && !run.upstream.pullRequest
    ? commitTrailers(parts, run, requireValue(run.target.contract, 'contract'), model)
    : run.target.commitTrailers;

const collectChange = async (
  parts: EffectContext,
  run: Run,
  done: ExecutorDone,
  signal: AbortSignal,
): Promise<CollectedChange> => {
  const fix = fixOf(run);
  const shape = requireValue(run.target.contract, 'contract');
  const trailers = await trailersNow(parts, run, done);
  const report = { said: done.claims?.reported, summary: publicSummaryOf(done) };
  const words = summaryAfter(run, report);
  const steps = finishedPlanSteps(words);
  // A summary of the last step or fix alone would describe only part of the change.
  const whole = wholeSummaryAfter(run, report) ?? report.summary;
  const summary = steps.length > 0 || run.order.fixes ? '' : whole;
  const told = fix
    ? { said: report.said ?? EMPTY_REPORT, summary: report.summary }
    : { said: words.agent.agentReports, summary, steps };
  return parts.workspaces.harvest({
    runId: run.id,
    ...parentCommitsOf(run),
    evenSame: isResolving(run),
    message: run.change.pendingMerge
      ? mergeMessage(run, run.change.pendingMerge)
      : run.order.reverts && !fix
        ? messageOfRevert(run)
        : (change) => commitMessage({ order: run.order, ...told, fix, shape, trailers, ...change }),
    author: parts.settings.author,
    // A constant time makes commits reproducible: same bytes and stage, same commit.
    at: run.lifecycle.createdAt,
    signal,
  });
};

/** Findings on skipped files are judged by the governor and shown on the card. */
const withSkipped = ({ commit, skipped }: Extract<CollectedChange, { kind: 'commit' }>): Commit => ({
  ...commit,
  diff: { ...commit.diff, findings: [...commit.diff.findings, ...skipped] },
});

export const commitRound = async (
  parts: EffectContext,
  run: Run,
  { done, spent, undone: lost }: { done: ExecutorDone; spent: MeterReading; undone: DiscardedEdits | null },
  signal: AbortSignal,
): Promise<HandlerOutcome> => {
  const violations = await countPlanViolations(parts, run);
  const harvested = await collectChange(parts, run, done, signal);
  if (harvested.kind === 'unsafe') {
    const leftOut = harvested.findings.slice(0, 5);
    return toStepFailure('agent', 'unsafe_workspace', '', {
      skippedFiles: leftOut,
      usageSoFar: spent,
      discardedEdits: lost,
    });
  }
  const { skipped } = harvested;
  const question = harvested.kind === 'commit' ? null : extractQuestion(done.words ?? '');
  const input = {
    type: 'worker.implementation.completed',
    commit: harvested.kind === 'commit' ? withSkipped(harvested) : null,
    ...spent,
    summary: done.summary.slice(0, 2_000),
    containment: done.containment,
    exposedCredentials: done.lends ?? null,
    claims: done.claims ?? NO_CLAIMS,
    violations,
    ...(namesMaker(run) ? { commitTrailers: [...(await trailersNow(parts, run, done))] } : {}),
    skippedFiles: skipped.filter(({ kind }) => kind !== 'skipped_ignored' && kind !== 'agent_git'),
    ...(harvested.kind === 'no_changes' ? { ignored: harvested.ignored } : {}),
    ...(question === null ? {} : { question }),
    discardedEdits: lost ?? (violations > 0 ? toDiscardedEdits('plan', ['PLAN.md']) : null),
  } as const;
  return { kind: 'result', input } as const;
};
