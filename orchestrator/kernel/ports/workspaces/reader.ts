/** Parses untrusted text outside the main thread (O10). Throws UnreadableFailure past a limit. */
import type { Contract } from '#model/contract';
import type { ContributionRequirements, OwnerFiles, RefinedContract, RepositoryTexts } from '#discovery';
import type { readCheckConfig } from '#governor';

/** One tool call; `exit` is null when unknown. */
export type LoggedCall = { call: string; exit: number | null; failed: boolean };
/** In the order in which they ended; `output` is the end of what a call printed. */
export type LoggedStep = { kind: 'said'; text: string } | ({ kind: 'call'; output: string } & LoggedCall);
export type ReadableLog = {
  text: string;
  steps: readonly LoggedStep[];
  /** Text for people: no invisible characters, no secrets; only the end of a long text. */
  shown: string;
};

export type RepositoryReader = {
  contract(texts: RepositoryTexts & { owner: OwnerFiles | null }): Promise<Contract | { problem: string }>;
  /** E7: adds the agent's findings that files of the base commit confirm. */
  refine(read: {
    before: Contract;
    note: string;
    files: ReadonlyMap<string, string>;
  }): Promise<RefinedContract>;
  contribution(texts: RepositoryTexts): Promise<ContributionRequirements>;
  /** E13: finds changed files that configure checks, and manifests with the base's configuration. */
  checkConfig(known: Parameters<typeof readCheckConfig>[0]): Promise<ReturnType<typeof readCheckConfig>>;
  /** F6: cuts a log down to its first failure and its summary, or to its end past a limit. */
  distillLog: (log: string) => Promise<string>;
  /** C2: splits an agent's log into calls; returns it unchanged past a limit. */
  readLog: (log: string) => Promise<ReadableLog>;
};
