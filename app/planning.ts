/** What plans campaigns where no process runs: the code host, asked with the settings of this host. */
import { createGitHubForge } from '../forge/github.ts';
import { isRepositoryAt } from '../forge/facts.ts';
import { createMayApprove, createRoles } from '../bot/commands/roles.ts';
import { createFigures } from '../orchestrator/engine/figures.ts';
import { createPlanner, type Planner } from '../orchestrator/engine/planning.ts';
import type { Clock, Ledger } from '../orchestrator/ports.ts';
import { systemTimers } from './clock.ts';
import type { Config } from './config.ts';
import { credentialsOf } from './credentials.ts';

export const openPlanner = (config: Config, ledger: Ledger, clock: Clock): Planner => {
  const credentials = credentialsOf(config, clock);
  const { file, github } = config;
  return createPlanner({
    ledger,
    clock,
    timers: systemTimers,
    forks: file.forks,
    settings: file.campaigns,
    isRepository: isRepositoryAt(github.origin),
    mayApprove: createMayApprove(createRoles({ users: ledger.query, adminIds: config.telegram.admins })),
    figures: createFigures({ query: ledger.query, books: ledger.figures }),
    forge: createGitHubForge({
      apiUrl: github.apiUrl,
      token: credentials.token,
      userAgent: 'agentpr',
      clock,
      ...(github.app ? { app: credentials } : {}),
    }),
  });
};
