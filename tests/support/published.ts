/** Titles and commit messages of an order, where a test has no diff at hand. */
import type { Contract } from '../../orchestrator/core/contract.ts';
import type { FileChange } from '../../orchestrator/core/facts.ts';
import type { Order } from '../../orchestrator/core/order.ts';
import { commitMessage, titleFrom, type Fix } from '../../orchestrator/core/publish/publish.ts';
import { NOTHING_SAID, type Reported } from '../../orchestrator/core/report.ts';

export const saying = (said: Partial<Reported>): Reported => ({ ...NOTHING_SAID, ...said });

type Diff = { files: readonly FileChange[]; patch: string };
const NO_DIFF: Diff = { files: [], patch: '' };

export const pullTitle = (
  order: Order,
  contract: Contract | null,
  said: Partial<Reported> = {},
  diff = NO_DIFF,
): string => titleFrom({ order, said: saying(said), checks: [], ...diff }, contract, 100);

/** `summary` is the agent's. */
export const messageOf = (
  order: Order,
  contract: Contract | null,
  summary: string,
  fix: Fix | null = null,
  said: Partial<Reported> = {},
  diff: Diff = { files: [], patch: summary },
): string =>
  commitMessage({ order, shape: contract, said: saying(said), summary, fix, trailers: [], ...diff });
