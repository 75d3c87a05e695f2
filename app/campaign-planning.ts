/** Creates the campaign planner with this host's settings, also for use without a process. */
import { createMayApprove, createChatRoles } from '../bot/commands/user-roles.ts';
import { createAdopter, createPlanner, type PullAdopter, type CampaignPlanner } from '#campaigns';
import { createFigures } from '#reports';
import { createPollHints } from '#kernel';
import type { SystemClock } from '#ports/processes';
import type { ForgeAdapter, ForgePort } from '#ports/roles';
import type { Ledger } from '#ports/ledger';
import { systemTimers } from './clock.ts';
import { listAdminIds } from './chats.ts';
import { readBudgets } from './runtime-settings.ts';
import type { ControlConfig } from './config.ts';
import { createEngineCosts } from './engine-costs.ts';
import { createConfiguredForge } from './forges.ts';

type Parts = {
  config: ControlConfig;
  ledger: Ledger;
  clock: SystemClock;
  host: ForgeAdapter;
  forge: ForgePort;
};

export const createCampaignPlanner = (
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
    cautionOf: createEngineCosts(config).cautionOf,
    budgetUsd: async () => (await readBudgets(ledger, config)).campaign?.costUsd ?? null,
    ...of,
  });

export const createPullAdopter = (
  { ledger, clock, host, forge }: Parts,
  hints = createPollHints({ ledger, clock }),
): PullAdopter => createAdopter({ ledger, clock, forge, hints, isRepository: host.isRepository });

const connectParts = (config: ControlConfig, ledger: Ledger, clock: SystemClock): Parts => {
  const host = createConfiguredForge(config, clock);
  return { config, ledger, clock, host, forge: host.connect({}).port };
};

export const openCampaignPlanner = (
  config: ControlConfig,
  ledger: Ledger,
  clock: SystemClock,
): CampaignPlanner =>
  createCampaignPlanner(connectParts(config, ledger, clock), {
    mayApprove: createMayApprove(
      createChatRoles({ users: ledger.query, adminIds: listAdminIds(config.chats) }),
    ),
    figures: createFigures({ query: ledger.query, books: ledger.figures }),
  });

export const openPullAdopter = (config: ControlConfig, ledger: Ledger, clock: SystemClock): PullAdopter =>
  createPullAdopter(connectParts(config, ledger, clock));
