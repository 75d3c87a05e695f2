/** What the work of a run is done with: engines, checks and notes, with everything lent hidden. */
import { createChecks } from '../executors/checks/checks.ts';
import { createEngines } from '../executors/engines/engines.ts';
import type { Gateway } from '../executors/gateway/gateway.ts';
import type { Lent } from '../executors/sandbox/lent.ts';
import { hidingChecks, hidingNotes } from '../executors/sandbox/lent-hiding.ts';
import { createNotes } from '../executors/workspace/notes.ts';
import type { Boxes } from './boxes.ts';
import type { WorkConfig } from './config.ts';
import { watchedChecks, watchedExecutors, type Watch } from './watching.ts';

export type WorkParts = {
  config: Pick<WorkConfig, 'file' | 'operator'>;
  boxed: Boxes;
  gateway: Gateway;
  lent: Lent;
  workspaces: Parameters<typeof createNotes>[0];
  /** Hears of agents and checks. */
  watch: Watch;
};

export const createWork = ({ config, boxed, gateway, lent, workspaces, watch }: WorkParts) => {
  const { network, engines, gateway: settings } = config.file;
  const ways = { gateway, settings, network: network.agents };
  const checks = createChecks({
    ...boxed,
    gateway,
    network: { install: network.installs, check: network.checks },
  });
  const lending = { ...boxed, lent, ways, scriptNetwork: network.scripts };
  return {
    notes: hidingNotes(lent, createNotes(workspaces)),
    checks: watchedChecks(watch, hidingChecks(lent, checks)),
    executors: watchedExecutors(watch, createEngines(lending, config.operator, engines)),
  };
};
