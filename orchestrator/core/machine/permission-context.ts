import type { PolicyContext } from '../govern/governed-action.ts';
import type { PolicySettings } from '../policy-settings.ts';
import { repositoryOf, type Run } from './run.ts';

export const permissionContext = (
  settings: PolicySettings,
  run: Run,
  defaultBranch: string,
): PolicyContext => ({
  repo: repositoryOf(run),
  requester: run.order.requester,
  contract: run.target.contract,
  defaultBranch,
  containment: run.agent.containment,
  openPrs: null,
  settings,
});
