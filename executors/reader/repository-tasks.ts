/** Reading of repositories and of logs, in a thread of readers. */
import type { Contract } from '../../orchestrator/core/contract.ts';
import { refine } from '../../orchestrator/core/discovery/evidence.ts';
import {
  readContract,
  readContribution,
  type OnReading,
} from '../../orchestrator/core/discovery/read-repository.ts';
import { readJudges } from '../../orchestrator/core/govern/judges/read-judges.ts';
import { distillLog } from '../checks/distill.ts';
import { readLog } from '../checks/shown-log.ts';

export const tasks = {
  contract: readContract,
  refine: (
    { before, note, files }: { before: Contract; note: string; files: ReadonlyMap<string, string> },
    reading: OnReading,
  ) =>
    refine(before, note, (path) => {
      reading(path);
      return files.get(path) ?? null;
    }),
  contribution: readContribution,
  judges: readJudges,
  distillLog,
  readLog,
};
