/** F3: facts of check suites that their check runs do not show. */
import type { CheckFact } from '../orchestrator/model/ci-records.ts';
import {
  checkKey,
  isActions,
  isAwaitingApproval,
  ofStanding,
  suiteKey,
  suiteName,
  type CheckRun,
  type CheckSuite,
} from './github-facts.ts';
import { newestOf, type WorkflowRun } from './workflow-runs.ts';

/** Only workflows distinguish two suites with the same job name. */
export const needsWorkflows = (runs: readonly CheckRun[], suites: readonly CheckSuite[]): boolean => {
  const ours = runs.filter((run) => isActions(run.app));
  const names = new Set(ours.map(({ name }) => name));
  const keys = new Set(ours.map(checkKey));
  return keys.size > names.size || suites.some((one) => isActions(one.app) && ofSuite(one, runs) !== null);
};

export const outdatedSuites = (workflows: readonly WorkflowRun[]): ReadonlySet<number> => {
  const newest = new Set(newestOf(workflows));
  return new Set(workflows.flatMap((run) => (newest.has(run) ? [] : [run.check_suite_id ?? run.id])));
};

export const anyAwaitingApproval = (suites: readonly CheckSuite[]): boolean =>
  suites.some(isAwaitingApproval);

const FAILED_OUTCOMES: ReadonlySet<CheckFact['outcome']> = new Set(['failed', 'stale']);

export const ofSuite = (suite: CheckSuite, all: readonly CheckRun[]): CheckFact | null => {
  const runs = all.filter((run) => run.check_suite?.id === suite.id);
  const stands = ofStanding(suite);
  const fact = (changes: Partial<CheckFact> = {}): CheckFact => ({
    key: suiteKey(suite),
    name: suiteName(suite),
    kind: 'suite',
    app: null,
    ...stands,
    startedAt: suite.created_at,
    ...changes,
  });
  // Maintainer approval is reported once for all suites.
  if (isAwaitingApproval(suite)) return null;
  if (runs.length > 0) {
    const ended = runs.every((run) => run.status === 'completed');
    // Jobs that depend on others have no check run yet.
    if (stands.status !== 'ended') return ended && isActions(suite.app) ? fact() : null;
    const said = runs.some((run) => FAILED_OUTCOMES.has(ofStanding(run).outcome));
    return stands.outcome === 'failed' && ended && !said ? fact() : null;
  }
  if (stands.status === 'ended')
    return FAILED_OUTCOMES.has(stands.outcome) && (isActions(suite.app) || stands.outcome === 'failed')
      ? fact()
      : null;
  // Every app gets a suite for every commit, and many never report.
  if (!isActions(suite.app) && stands.status === 'queued') return fact({ status: 'announced' });
  return fact();
};

export const nameByWorkflow = (
  fact: CheckFact,
  suite: CheckSuite,
  workflows: readonly WorkflowRun[],
): CheckFact => {
  const run = workflows.find((one) => one.check_suite_id === suite.id);
  return { ...fact, name: run?.name ?? run?.path ?? fact.name };
};
