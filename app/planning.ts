/** What plans campaigns and adopts pull requests, with the settings of this host; also where no process runs. */
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
import { costsOf } from './costs.ts';
import { credentialsOf } from './credentials.ts';

type Parts = { config: Config; ledger: Ledger; clock: Clock; forge: Forge };

export const plannerOf = (
  { config, ledger, clock, forge }: Parts,
  of: Pick<Parameters<typeof createPlanner>[0], 'figures' | 'mayApprove'>,
): Planner =>
  createPlanner({
    ledger,
    clock,
    forge,
    timers: systemTimers,
    forks: config.file.forks,
    settings: config.file.campaigns,
    isRepository: isRepositoryAt(config.github.serverUrl),
    cautionOf: costsOf(config).cautionOf,
    ...of,
  });

export const adopterOf = (
  { config, ledger, clock, forge }: Parts,
  hints = createHints({ ledger, clock }),
): Adopter =>
  createAdopter({ ledger, clock, forge, hints, isRepository: isRepositoryAt(config.github.serverUrl) });

/** Where no process runs that would have a code host. */
const alone = (config: Config, ledger: Ledger, clock: Clock): Parts => {
  const credentials = credentialsOf(config, clock);
  const { github } = config;
  const forge = createGitHubForge({
    apiUrl: github.apiUrl,
    token: credentials.token,
    userAgent: 'agentpr',
    clock,
    ...(github.app ? { app: credentials } : {}),
  });
  return { config, ledger, clock, forge };
};

export const openPlanner = (config: Config, ledger: Ledger, clock: Clock): Planner =>
  plannerOf(alone(config, ledger, clock), {
    mayApprove: createMayApprove(createRoles({ users: ledger.query, adminIds: config.telegram.admins })),
    figures: createFigures({ query: ledger.query, books: ledger.figures }),
  });

export const openAdopter = (config: Config, ledger: Ledger, clock: Clock): Adopter =>
  adopterOf(alone(config, ledger, clock));
