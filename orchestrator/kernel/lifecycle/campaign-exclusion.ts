/** Says why a run's repository takes no part in its campaign, although nothing failed (F5). */
import type { RunLifecycle, Run } from '../run/run.ts';
import { OF_REPOSITORY } from '#model/failure';
import type { ExclusionReason } from '#model/targets';
import { isStopped, isTerminal } from '#model/run';
import { bansStoppingRun } from '../preparation/ai-bans.ts';
import { pushBlockOf } from '../run/push-block.ts';

export type OutBy = Extract<ExclusionReason, 'archived' | 'banned' | 'duplicate' | 'missing' | 'not_allowed'>;

const isOfRepository = (of: string): of is keyof typeof OF_REPOSITORY => Object.hasOwn(OF_REPOSITORY, of);

/** The code host stops the run: nothing is wrong with the change. */
export const findHostStop = (run: { lifecycle: Pick<RunLifecycle, 'state' | 'reason'> }): OutBy | null => {
  const { state, reason } = run.lifecycle;
  if (!isStopped(state) || reason.kind !== 'step_failed') return null;
  // guard: F5-out-is-no-failure
  return isOfRepository(reason.class) ? OF_REPOSITORY[reason.class] : null;
};

const waitingBy = (run: Run): OutBy | null => {
  const { state } = run.lifecycle;
  const { pullRequest: pr, observed: seen } = run.upstream;
  if (isTerminal(state)) return null;
  if (pushBlockOf(run) === 'archived') return 'archived';
  const { kind, parts } = (pr && seen.outage?.failure) ?? { kind: null, parts: [] };
  return kind === 'missing' && parts.includes('pull') ? 'missing' : null;
};

export const findRunExclusion = (run: Run): OutBy | null => {
  const { kind } = run.lifecycle.reason;
  if (run.lifecycle.state === 'SKIPPED')
    return kind === 'repository_archived' ? 'archived' : kind === 'duplicate_repository' ? 'duplicate' : null;
  return bansStoppingRun(run).length > 0 ? 'banned' : (findHostStop(run) ?? waitingBy(run));
};
