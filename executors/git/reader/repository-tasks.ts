/** Reading of repositories and of logs, in a thread of readers. */
import type { Contract } from '../../../orchestrator/core/contract.ts';
import { refineContract } from '../../../discovery/refine-contract.ts';
import { readContract, readContribution, type OnReading } from '../../../discovery/read-repository.ts';
import { readCheckConfig } from '../../../orchestrator/core/govern/judges/read-check-config.ts';
import { distillLog } from '../../checks/distill-output.ts';
import { readLog } from '../../checks/shown-log.ts';

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
  judges: readCheckConfig,
  distillLog,
  readLog,
};
