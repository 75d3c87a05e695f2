/** Makes a revert by git itself; an agent gets only what conflicts (F5). */
import { NO_USAGE } from '#model/reports';
import { failureDetail, type FailureDetail } from '#model/failure';
import { NO_CLAIMS } from '#model/agent';
import type { AgentRound } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';
import { revertMessage } from '#pull-text';
import { toStepFailure, type HandlerOutcome } from '../runtime/effect-handler.ts';
import type { RevertResult } from '#ports/workspaces';
import { requireValue, type EffectContext } from '../handlers/effect-context.ts';

type Needs = Pick<EffectContext, 'workspaces' | 'settings'>;
type Conflicts = Extract<RevertResult, { kind: 'conflicts' }>;

export const messageOfRevert = (run: Run): string =>
  revertMessage(
    run.order.title ?? run.order.goal,
    {
      commit: requireValue(run.target.mergedPull, 'merged pull request').commit,
      url: run.order.reverts?.url ?? '',
    },
    run.target.commitTrailers,
  );

const makeRevert = (parts: Needs, run: Run): Promise<RevertResult> =>
  parts.workspaces.revert({
    runId: run.id,
    base: requireValue(run.target.base, 'base').sha,
    merged: requireValue(run.target.mergedPull, 'merged pull request'),
    message: messageOfRevert(run),
    author: parts.settings.author,
    at: run.lifecycle.createdAt,
  });

const isFirst = ({ order, change, upstream }: Run): boolean =>
  order.reverts !== undefined &&
  change.commit === null &&
  change.pendingMerge === null &&
  upstream.pullRequest === null;

const toRevertFailure = (run: Run, detail: FailureDetail): HandlerOutcome =>
  toStepFailure('agent', 'revert_impossible', `the revert of ${run.order.reverts?.pull} cannot be made`, {
    detail: failureDetail(detail),
  });

export const checkScriptRevert = (run: Run, engine: string): HandlerOutcome | null => {
  const { reverts } = run.order;
  // guard: F5-no-script-reverts
  if (reverts && engine === 'script')
    return toRevertFailure(run, { kind: 'revert_needs_agent', pull: reverts.pull });
  return null;
};

export const revertChange = async (
  parts: Needs,
  run: Run,
  round: AgentRound,
): Promise<HandlerOutcome | Conflicts | null> => {
  const { reverts } = run.order;
  if (!reverts || !isFirst(run) || round.kind !== 'implement') return null;
  const result = await makeRevert(parts, run);
  const { pull } = reverts;
  switch (result.kind) {
    case 'conflicts':
      return result;
    case 'unreachable':
      return toRevertFailure(run, {
        kind: 'revert_unreachable',
        pull,
        branch: requireValue(run.target.base, 'base').ref,
      });
    case 'unclear':
      return toRevertFailure(run, { kind: 'revert_unclear', pull });
    default: {
      const commit = result.kind === 'reverted' ? result.commit : null;
      const input = {
        type: 'worker.implementation.completed',
        commit,
        session: null,
        usage: NO_USAGE,
        ms: 0,
        summary: '',
        containment: 'bwrap',
        claims: NO_CLAIMS,
        violations: 0,
        revert: commit ? 'clean' : 'empty',
        ...(commit ? { workspaceStale: true as const } : {}),
      } as const;
      return { kind: 'result', input };
    }
  }
};

export const findRevertMarkers = async (parts: Needs, run: Run): Promise<string | null> => {
  const { commit, pushedHead, cleanRevert } = run.change;
  if (!run.order.reverts || !commit || pushedHead || cleanRevert) return null;
  const result = await makeRevert(parts, run);
  if (result.kind !== 'conflicts') return null;
  const left = await parts.workspaces.unresolved({ runId: run.id, sha: commit.sha, ...result });
  return left.length === 0 ? null : left.join('\n');
};
