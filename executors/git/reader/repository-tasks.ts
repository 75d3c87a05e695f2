/** Reads repositories and logs in a reader thread. */
import type { Contract } from '../../../orchestrator/model/contract.ts';
import { type OnReading, readContract, readContribution, refineContract } from '#discovery';
import { readCheckConfig } from '#governor';
import { distillLog, readLog } from '#checks';

export const tasks = {
  contract: readContract,
  refine: (
    { before, note, files }: { before: Contract; note: string; files: ReadonlyMap<string, string> },
    reading: OnReading,
  ) =>
    refineContract(before, note, (path) => {
      reading(path);
      return files.get(path) ?? null;
    }),
  contribution: readContribution,
  readCheckConfig,
  distillLog,
  readLog,
};
