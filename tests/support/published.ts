/** Titles and commit messages of an order, for tests without a diff. */
import type { Contract } from '#model/contract';
import type { FileChange } from '#model/change';
import type { Order } from '#model/order';
import { EMPTY_REPORT, type ReportedChange } from '#model/agent';
import { commitMessage, composePullTitle, type FixCommit } from '../../pull-text/pull-body.ts';

export const saying = (said: Partial<ReportedChange>): ReportedChange => ({ ...EMPTY_REPORT, ...said });

type Diff = { files: readonly FileChange[]; patch: string };
const NO_DIFF: Diff = { files: [], patch: '' };

export const pullTitle = (
  order: Order,
  contract: Contract | null,
  said: Partial<ReportedChange> = {},
  diff = NO_DIFF,
): string => composePullTitle({ order, said: saying(said), checks: [], ...diff }, contract, 100);

/** `summary` is the agent's. */
export const messageOf = (
  order: Order,
  contract: Contract | null,
  summary: string,
  fix: FixCommit | null = null,
  said: Partial<ReportedChange> = {},
  diff: Diff = { files: [], patch: summary },
): string =>
  commitMessage({ order, shape: contract, said: saying(said), summary, fix, trailers: [], ...diff });
