/** Applies reviewers' suggested changes without an agent (F7). */
import { commitMessage } from '#pull-text';
import { EMPTY_REPORT, NO_CLAIMS } from '#model/agent';
import { NO_USAGE } from '#model/reports';
import { feedbackAskedFor, type AgentRound } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';
import type { HandlerOutcome } from '../runtime/effect-handler.ts';
import { parentCommitsOf } from '../upstream/update-from-base.effect.ts';
import { requireValue, type EffectContext } from '../handlers/effect-context.ts';

/** Null when the lines no longer fit; then an agent gets them. */
export const applySuggestedLines = async (
  { workspaces, settings }: Pick<EffectContext, 'workspaces' | 'settings'>,
  run: Run,
  round: AgentRound,
): Promise<HandlerOutcome | null> => {
  const { suggestedEdits: edits = [], authors = [] } = round;
  if (round.kind !== 'suggested_edits' || edits.length === 0 || run.change.pendingMerge) return null;
  const { base, parent } = parentCommitsOf(run);
  const shape = requireValue(run.target.contract, 'contract');
  const fix = { no: run.lifecycle.counts.iterations, asked: feedbackAskedFor(round) };
  const trailers = [...run.target.commitTrailers, ...authors.map((by) => `Co-authored-by: ${by}`)];
  const told = { order: run.order, said: EMPTY_REPORT, summary: '', fix, shape, trailers };
  const commit = await workspaces.suggest({
    runId: run.id,
    base,
    parent,
    edits,
    message: (change) => commitMessage({ ...told, ...change }),
    author: settings.author,
    at: run.lifecycle.createdAt,
  });
  if (!commit) return null;
  const [summary = ''] = commit.message.split('\n');
  const input = {
    type: 'worker.implementation.completed',
    commit,
    session: null,
    usage: NO_USAGE,
    ms: 0,
    summary,
    containment: requireValue(run.agent.containment, 'containment'),
    claims: NO_CLAIMS,
    violations: 0,
    workspaceStale: true,
  } as const;
  return { kind: 'result', input };
};
