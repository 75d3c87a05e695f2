import type { PolicyContext } from '#governor';
import type { PolicySettings } from '#model/settings';
import { repositoryOf, type Run } from '../run/run.ts';

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
