/** What plans campaigns and adopts pull requests where no process runs: the code host, asked with the settings of this host. */
import { createGitHubForge } from '../forge/github.ts';
import { isRepositoryAt } from '../forge/facts.ts';
import { createMayApprove, createRoles } from '../bot/commands/roles.ts';
import { createAdopter, type Adopter } from '../orchestrator/engine/adopting.ts';
import { createFigures } from '../orchestrator/engine/figures.ts';
import { createHints } from '../orchestrator/engine/hints.ts';
import { createPlanner, type Planner } from '../orchestrator/engine/planning.ts';
import type { Clock, Forge, Ledger } from '../orchestrator/ports.ts';
import { systemTimers } from './clock.ts';
import type { Config } from './config.ts';
import { credentialsOf } from './credentials.ts';

const forgeOf = (config: Config, clock: Clock): Forge => {
  const credentials = credentialsOf(config, clock);
  const { github } = config;
  return createGitHubForge({
    apiUrl: github.apiUrl,
    token: credentials.token,
    userAgent: 'agentpr',
    clock,
    ...(github.app ? { app: credentials } : {}),
  });
};

export const openPlanner = (config: Config, ledger: Ledger, clock: Clock): Planner => {
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
    forge: forgeOf(config, clock),
  });
};

export const openAdopter = (config: Config, ledger: Ledger, clock: Clock): Adopter =>
  createAdopter({
    ledger,
    clock,
    hints: createHints({ ledger, clock }),
    isRepository: isRepositoryAt(config.github.origin),
    forge: forgeOf(config, clock),
  });
