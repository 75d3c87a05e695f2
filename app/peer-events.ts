/** Notices commits of other processes by notification, and by polling for lost ones (L7). */
import type { OpenedFleet } from '#db';
import type { Run } from '#run';
import { SECOND } from '#model/values';
import type { Ledger } from '#ports/ledger';
import type { LogPort } from '#ports/processes';

const PEER_POLL_INTERVAL_MS = 2 * SECOND;

export const subscribeToPeers = (
  fleet: OpenedFleet,
  parts: {
    ledger: { query: Pick<Ledger['query'], 'run'> };
    log: Pick<LogPort, 'warn'>;
    wake: () => void;
    written: (run: Run) => void;
    concerns: (runId: string) => boolean;
  },
): { stop(): void } => {
  const { ledger, log, wake, written, concerns } = parts;
  const timer = setInterval(wake, PEER_POLL_INTERVAL_MS);
  fleet.onNews((runId) => {
    wake();
    if (runId === '' || !concerns(runId)) return;
    ledger.query.run(runId).then(
      (run) => run && written(run),
      (error: unknown) => log.warn({ err: error, run: runId }, 'a run that moved on could not be read'),
    );
  });
  return { stop: () => clearInterval(timer) };
};
