/**
 * O10: reads what strangers wrote, within limits of time and memory, where it holds nobody up.
 * Everything here throws UnreadableFailure past a limit.
 */
import type { Contract } from '../core/contract.ts';
import type { ContributionRequirements, OwnerFiles, RefinedContract, RepositoryTexts } from '#discovery';
import type { FoundCheckConfigFiles, KnownCheckConfig } from '../core/govern/judges/read-check-config.ts';

/** One call of a tool; `exit` is null where none is told. */
export type LoggedCall = { call: string; exit: number | null; failed: boolean };
export type ReadableLog = {
  text: string;
  calls: readonly LoggedCall[];
  /** As people get it: nothing unseen, no secret; of a long one the end. */
  shown: string;
};

export type RepositoryReader = {
  /** E7: what a repository says of installations, checks and rules; or what its own file is wrong in. */
  contract(texts: RepositoryTexts & { owner: OwnerFiles | null }): Promise<Contract | { problem: string }>;
  /** E7: that contract with what an agent read, as far as files of the base commit say so. */
  refine(read: {
    before: Contract;
    note: string;
    files: ReadonlyMap<string, string>;
  }): Promise<RefinedContract>;
  /** What it asks of contributions alone. */
  contribution(texts: RepositoryTexts): Promise<ContributionRequirements>;
  /** E13: which changed files judge the change, and the text of each manifest with the base's judges. */
  judges(known: KnownCheckConfig): Promise<FoundCheckConfigFiles>;
  /**
   * F6: a log of any size, cut down to its first failure and its summary; its end alone where it
   * goes past a limit.
   */
  distillLog: (log: string) => Promise<string>;
  /** C2: an agent's log with its calls apart; as it is where it cannot be read within limits. */
  readLog: (log: string) => Promise<ReadableLog>;
};
