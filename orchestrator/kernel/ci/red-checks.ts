/** F6: the red checks of our head, and whether it is known whose failures they are. */
import type { Run } from '../run/run.ts';
import { redChecks } from './ci-verdict.ts';

/** Names of the red checks of our head, sorted, each once. */
export const redNames = ({ change: { pushedHead }, upstream: { observed } }: Run): string[] => {
  const ci = pushedHead ? observed.ci[pushedHead.sha] : undefined;
  return ci ? [...new Set(redChecks(ci).map(({ name }) => name))].sort() : [];
};

const comparison = ({
  change: { pushedHead },
  upstream: { ciComparison },
}: Run): Run['upstream']['ciComparison'] =>
  ciComparison && ciComparison.sha === pushedHead?.sha ? ciComparison : null;

/** Red checks that are not known to be red on the base as well. */
export const redHere = (run: Run): string[] => {
  const onBase = comparison(run)?.failingOnBase ?? [];
  return redNames(run).filter((name) => !onBase.includes(name));
};

/** True while a red check of the head was not asked about. */
export const isUncompared = (run: Run): boolean => {
  const asked = comparison(run)?.checks ?? [];
  // guard: S7-compared-before-counted
  return run.upstream.pullRequest !== null && redNames(run).some((name) => !asked.includes(name));
};

/** Everything red is red on the base as well: no fix of ours would turn it green. */
// guard: F6-red-on-base
export const isRedOnBase = (run: Run): boolean => redNames(run).length > 0 && redHere(run).length === 0;
