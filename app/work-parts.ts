/** Creates engines, checks and notes, with lent credentials hidden. */
import { createChecks } from '#checks';
import { createEngines } from '#engines';
import type { ModelGateway } from '#gateway';
import { type ExposedSecrets, hidingChecks, hidingNotes } from '#sandbox';
import { createNotes } from '#git';
import type { SandboxSetup } from './sandbox-setup.ts';
import type { WorkConfig } from './config.ts';
import { watchedChecks, watchedExecutors, type ObserveWork } from './instrumentation.ts';

export type WorkParts = {
  config: Pick<WorkConfig, 'file' | 'operator'>;
  boxed: SandboxSetup;
  gateway: ModelGateway;
  lent: ExposedSecrets;
  workspaces: Parameters<typeof createNotes>[0];
  watch: ObserveWork;
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
