/** Creates the campaign planner with this host's settings, also for use without a process. */
import { createGitHubForge, isRepositoryAt } from '#forge';
import { createMayApprove, createRoles } from '../bot/commands/user-roles.ts';
import { createAdopter, createPlanner, type PullAdopter, type CampaignPlanner } from '#campaigns';
import { createFigures } from '#reports';
import { createPollHints } from '#kernel';
import type { SystemClock } from '#ports/processes';
import type { ForgePort } from '#ports/forge';
import type { Ledger } from '#ports/ledger';
import { systemTimers } from './clock.ts';
import { adminsOf, type ControlConfig } from './config.ts';
import { costsOf } from './engine-costs.ts';
import { credentialsOf } from './github-credentials.ts';

type Parts = { config: ControlConfig; ledger: Ledger; clock: SystemClock; forge: ForgePort };

export const plannerOf = (
  { config, ledger, clock, forge }: Parts,
  of: Pick<Parameters<typeof createPlanner>[0], 'figures' | 'mayApprove'>,
): CampaignPlanner =>
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
  hints = createPollHints({ ledger, clock }),
): PullAdopter =>
  createAdopter({ ledger, clock, forge, hints, isRepository: isRepositoryAt(config.github.serverUrl) });

const alone = (config: ControlConfig, ledger: Ledger, clock: SystemClock): Parts => {
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

export const openPlanner = (config: ControlConfig, ledger: Ledger, clock: SystemClock): CampaignPlanner =>
  plannerOf(alone(config, ledger, clock), {
    mayApprove: createMayApprove(createRoles({ users: ledger.query, adminIds: adminsOf(config) })),
    figures: createFigures({ query: ledger.query, books: ledger.figures }),
  });

export const openAdopter = (config: ControlConfig, ledger: Ledger, clock: SystemClock): PullAdopter =>
  adopterOf(alone(config, ledger, clock));
