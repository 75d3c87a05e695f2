/** Probes of a running process for `/readyz` (O4). Programs read the answers, so they are English words. */
import type { ChangedRun } from '#audit';
import { SECOND } from '#model/values';
import type { Ledger } from '#ports/ledger';
import type { LogPort, SystemClock } from '#ports/processes';
import type { ConnectionStatus } from '../connection-monitor.ts';

/** `facts` become fields of the page. */
export type ReadyResult = { well: boolean; facts: Readonly<Record<string, unknown>> };

export type Standing = {
  ledger: Pick<Ledger, 'takesWrites'> & { query: Pick<Ledger['query'], 'counts'> };
  hasRoom: () => boolean;
  connections: () => readonly ConnectionStatus[];
  clock: SystemClock;
  log: Pick<LogPort, 'error'>;
  /** Known to a control process alone. */
  control: {
    inboxCounts: Ledger['query']['inboxCounts'];
    rollback: Ledger['rollback'];
    changedRuns: () => readonly ChangedRun[];
  } | null;
  worker: {
    tookAt: () => number | null;
    places: () => { pool: string; busy: number; most: number }[];
  } | null;
};

/** L5: what differs is told, and stops nothing: whoever watches decides what it means. */
const INTEGRITY = {
  older: 'an older copy of the ledger was put back: see agentpr audit accept',
  missing: 'keys/ledger.anchor is gone: see agentpr audit accept',
} as const;

const readCounts = async ({ ledger, control, log }: Standing) => {
  try {
    const runs = await ledger.query.counts();
    if (!control) return { counts: {}, rollback: null };
    return { counts: { runs, inbox: await control.inboxCounts() }, rollback: await control.rollback() };
  } catch (error) {
    log.error({ err: error }, 'the ledger could not be read');
    return null;
  }
};

export const probeLedgerReadiness = async (standing: Standing): Promise<ReadyResult> => {
  const { ledger, control } = standing;
  const found = await readCounts(standing);
  const state = !found ? 'cannot be read' : ledger.takesWrites() ? 'read' : 'takes no writes';
  const changed = (control?.changedRuns() ?? []).map(({ runId, says: differs }) => ({ run: runId, differs }));
  const integrity = found?.rollback
    ? INTEGRITY[found.rollback]
    : changed.length > 0
      ? 'changed'
      : 'as written';
  return {
    well: state === 'read',
    facts: {
      ledger: state,
      ...(control && { integrity }),
      ...(changed.length > 0 && { changed }),
      ...found?.counts,
    },
  };
};

export const probeDiskReadiness = async ({ hasRoom }: Standing): Promise<ReadyResult> => {
  const well = hasRoom();
  return { well, facts: { disk: well ? 'has room' : 'is full' } };
};

/** Unready after this time without a successful job request (ms). */
const MOST_WITHOUT = 30 * SECOND;

export const probeJobsReadiness = async ({ worker, clock }: Standing): Promise<ReadyResult | null> => {
  if (!worker) return null;
  const tookAt = worker.tookAt();
  const well = tookAt !== null && clock.now() - tookAt <= MOST_WITHOUT;
  return { well, facts: { jobs: well ? 'are taken' : 'cannot be taken', places: worker.places() } };
};

export const probeConnectionsReadiness = async ({ connections }: Standing): Promise<ReadyResult> => {
  const all = connections();
  return {
    well: all.every(({ state }) => state === 'reached'),
    facts: {
      connections: all.map(({ party, state, says, since }) => ({
        ...party,
        state,
        says,
        since: new Date(since).toISOString(),
      })),
    },
  };
};
