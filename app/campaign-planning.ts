/** Creates the campaign planner with this host's settings, also for use without a process. */
import { createMayApprove, createRoles } from '../bot/commands/user-roles.ts';
import { createAdopter, createPlanner, type PullAdopter, type CampaignPlanner } from '#campaigns';
import { createFigures } from '#reports';
import { createPollHints } from '#kernel';
import type { SystemClock } from '#ports/processes';
import type { ForgeAdapter, ForgePort } from '#ports/roles';
import type { Ledger } from '#ports/ledger';
import { systemTimers } from './clock.ts';
import { adminsOf } from './chats.ts';
import { readBudgets } from './runtime-settings.ts';
import type { ControlConfig } from './config.ts';
import { costsOf } from './engine-costs.ts';
import { forgeIn } from './forges.ts';

type Parts = {
  config: ControlConfig;
  ledger: Ledger;
  clock: SystemClock;
  host: ForgeAdapter;
  forge: ForgePort;
};

export const plannerOf = (
  { config, ledger, clock, host, forge }: Parts,
  of: Pick<Parameters<typeof createPlanner>[0], 'figures' | 'mayApprove'>,
): CampaignPlanner =>
  createPlanner({
    ledger,
    clock,
    forge,
    timers: systemTimers,
    forks: config.file.forks,
    settings: config.file.campaigns,
    isRepository: host.isRepository,
    cautionOf: costsOf(config).cautionOf,
    budgetUsd: async () => (await readBudgets(ledger, config)).campaign?.costUsd ?? null,
    ...of,
  });

export const adopterOf = (
  { ledger, clock, host, forge }: Parts,
  hints = createPollHints({ ledger, clock }),
): PullAdopter => createAdopter({ ledger, clock, forge, hints, isRepository: host.isRepository });

const connectParts = (config: ControlConfig, ledger: Ledger, clock: SystemClock): Parts => {
  const host = forgeIn(config, clock);
  return { config, ledger, clock, host, forge: host.connect({}).port };
};

export const openPlanner = (config: ControlConfig, ledger: Ledger, clock: SystemClock): CampaignPlanner =>
  plannerOf(connectParts(config, ledger, clock), {
    mayApprove: createMayApprove(createRoles({ users: ledger.query, adminIds: adminsOf(config.chats) })),
    figures: createFigures({ query: ledger.query, books: ledger.figures }),
  });

export const openAdopter = (config: ControlConfig, ledger: Ledger, clock: SystemClock): PullAdopter =>
  adopterOf(connectParts(config, ledger, clock));
