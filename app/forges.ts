/** The code host of this installation. Another one is its folder, and takes GitHub's place in these lines. */
import { createGitHubAdapter, type GitHubAdapter } from '#forge';
import type { SystemClock } from '#ports/processes';
import type { WorkConfig } from './config.ts';

export const createConfiguredForge = (
  { github }: Pick<WorkConfig, 'github'>,
  clock: SystemClock,
): GitHubAdapter => createGitHubAdapter(github, clock);

/** The code host tells us by deliveries: a route stores them, and a handler reads what was stored. */
export {
  createDeliveryHandler as createForgeHandler,
  createReceiver as createForgeReceiver,
} from '#webhooks';
