/** Reading of repositories and of logs, in a thread of readers. */
import { readContract, readContribution } from '../../orchestrator/core/discovery/read-repository.ts';
import { readJudges } from '../../orchestrator/core/govern/judges/read-judges.ts';
import { distillLog } from '../checks/distill.ts';
import { readLog } from '../checks/shown-log.ts';

export const tasks = {
  contract: readContract,
  contribution: readContribution,
  judges: readJudges,
  distillLog,
  readLog,
};
