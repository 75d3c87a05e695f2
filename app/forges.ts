/** The code host of this installation. Another one is its folder, and takes GitHub's place in these lines. */
import { createGitHubAdapter, type GitHubAdapter } from '#forge';
import type { SystemClock } from '#ports/processes';
import type { WorkConfig } from './config.ts';

export const forgeIn = ({ github }: Pick<WorkConfig, 'github'>, clock: SystemClock): GitHubAdapter =>
  createGitHubAdapter(github, clock);

/** What comes in from it: the route that stores a delivery, and the handler of what was stored. */
export { createHandle as createForgeHandler, createReceiver as createForgeReceiver } from '#webhooks';
