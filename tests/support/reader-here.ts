/** A synchronous reader for simulated worlds, whose clock does not know threads. */
import { readLog } from '../../executors/checks/readable-log.ts';
import { refineContract } from '../../discovery/refine-contract.ts';
import { readContract, readContributionRequirements } from '../../discovery/read-repository.ts';
import { readCheckConfig } from '../../governor/check-config/read-check-config.ts';
import type { RepositoryReader } from '#ports/workspaces';

const nobody = (): void => undefined;

export const readerHere: RepositoryReader = {
  contract: async (texts) => readContract(texts, nobody),
  refine: async ({ before, note, files }) => refineContract(before, note, (path) => files.get(path) ?? null),
  contribution: async (texts) => readContributionRequirements(texts, nobody),
  checkConfig: async (known) => readCheckConfig(known, nobody),
  distillLog: async (log) => log,
  readLog: async (log) => readLog(log),
};
