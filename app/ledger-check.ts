/** Checks the ledger once after a start, in the background, and tells whom it concerns (L5). */
import { setImmediate } from 'node:timers/promises';
import { findChangedRuns, type ChangedRun } from '#audit';
import { ledgerChangeInboxItem } from '#notices';
import type { Inbox } from '#runtime';
import type { Ledger } from '#ports/ledger';
import type { LogPort, SystemClock } from '#ports/processes';

type LedgerCheck = { changedRuns(): readonly ChangedRun[]; start(): void };

export const createLedgerCheck = (parts: {
  ledger: { query: Ledger['query'] };
  clock: SystemClock;
  log: Pick<LogPort, 'error'>;
  admins: readonly string[];
  receive: Inbox['receive'];
}): LedgerCheck => {
  const { ledger, clock, log, admins, receive } = parts;
  let changed: readonly ChangedRun[] = [];
  const reportChangedRuns = async (): Promise<void> => {
    changed = await findChangedRuns(ledger.query, () => setImmediate());
    if (changed.length === 0) return;
    for (const { runId, says } of changed)
      log.error({ run: runId, says }, 'a run is not what its log says: see agentpr replay');
    const runs = changed.map(({ runId, repo }) => ({ id: runId, repo }));
    await receive([ledgerChangeInboxItem({ runs, at: clock.now(), admins: [...admins] })]);
  };
  return {
    changedRuns: () => changed,
    start: () =>
      void reportChangedRuns().catch((error: unknown) =>
        log.error({ err: error }, 'the ledger could not be checked'),
      ),
  };
};
