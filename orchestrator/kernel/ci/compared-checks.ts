/** The red checks of our head, and whether it is known whose failures they are (F6). */
import type { Run } from '../run/run.ts';
import type { CheckFact, CiFacts } from '#model/ci';
import { redChecks } from './ci-verdict.ts';

/** Replaces what is known of the checks of our head. */
export const rewriteChecks = (
  { change: { pushedHead }, upstream }: Run,
  rewrite: (ci: CiFacts) => CiFacts,
): void => {
  const ci = pushedHead ? upstream.observed.ci[pushedHead.sha] : undefined;
  if (ci && pushedHead)
    upstream.observed = {
      ...upstream.observed,
      ci: { ...upstream.observed.ci, [pushedHead.sha]: rewrite(ci) },
    };
};

const redOf = ({ change: { pushedHead }, upstream: { observed } }: Run): CheckFact[] => {
  const ci = pushedHead ? observed.ci[pushedHead.sha] : undefined;
  return ci ? redChecks(ci) : [];
};

const namesOf = (checks: readonly CheckFact[]): string[] =>
  [...new Set(checks.map(({ name }) => name))].sort();

export const redNames = (run: Run): string[] => namesOf(redOf(run));

/** Start of the latest try that a comparison covers, by the code host's clock. */
export const latestRedStart = (run: Run): number =>
  Math.max(0, ...redOf(run).map(({ startedAt }) => startedAt));

export const checksTriedSince = (run: Run, { latestTry: last }: { latestTry: number }): string[] =>
  namesOf(redOf(run).filter(({ startedAt }) => startedAt > last));

/** Tells where a red check of the head fails by the last comparison; null when it was not asked about. */
const failsWhere = (
  { change: { pushedHead }, upstream: { ciComparison } }: Run,
  { name, startedAt }: CheckFact,
): 'base' | 'here' | null => {
  if (ciComparison?.sha !== pushedHead?.sha || !ciComparison?.checks.includes(name)) return null;
  if (!ciComparison.failingOnBase.includes(name)) return 'here';
  // guard: F6-later-try-asked
  return startedAt > ciComparison.latestTry ? null : 'base';
};

export const ownRedCheckNames = (run: Run): string[] =>
  namesOf(redOf(run).filter((check) => failsWhere(run, check) !== 'base'));

/** True while a red check of the head was not asked about. */
export const isUncompared = (run: Run): boolean =>
  // guard: S7-compared-before-counted
  run.upstream.pullRequest !== null && redOf(run).some((check) => failsWhere(run, check) === null);

/** Everything red is red on the base as well: no fix of ours would turn it green. */
// guard: F6-red-on-base
export const isOnlyRedOnBase = (run: Run): boolean =>
  redNames(run).length > 0 && ownRedCheckNames(run).length === 0;
