/** F5, E18: limits all writes to the code host, and the starts of agents. */
import { repositoryOf } from '../orchestrator/kernel/run/run.ts';
import type { ForgeCredentials } from '#forge';
import { type ProviderPauses, createReputation, createWriters } from '#pacing';
import type { SystemClock, Ledger } from '../orchestrator/kernel/ports/index.ts';
import { systemTimers } from './clock.ts';
import type { WorkConfig } from './config.ts';

export const createWriting = (parts: {
  config: WorkConfig;
  ledger: Ledger;
  clock: SystemClock;
  credentials: Pick<ForgeCredentials, 'identity'>;
  pauses: ProviderPauses;
}) => {
  const { config, ledger, clock, credentials } = parts;
  const reputation = createReputation({ ledger, clock, settings: config.file.thirdParty });
  const writers = createWriters({
    books: ledger.writers,
    clock,
    timers: systemTimers,
    identity: async ({ runId }) => {
      const run = runId === null ? null : await ledger.query.run(runId);
      return credentials.identity(run && repositoryOf(run));
    },
    holds: async (claim) => (await reputation.holds(claim)) ?? (await parts.pauses.holds(claim)),
  });
  return { writers, reputation };
};
