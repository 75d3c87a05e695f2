/** Frees leases, kills survivors and removes leftovers after a restart (F4, L6). */
import { needsWorkspace } from '../upstream/reopening.ts';
import type { SystemClock, LogPort, ProcessReaper } from '#ports/processes';
import type { Ledger, LedgerRollback } from '#ports/ledger';
import type { WorkspacePort } from '#ports/workspaces';

export type RecoveryResult = {
  freed: number;
  killed: number;
  swept: number;
  lastSeenAt: number | null;
  rollback: LedgerRollback | null;
};

export const recoverAfterCrash = async (parts: {
  ledger: Ledger;
  workspaces: WorkspacePort;
  reaper: ProcessReaper;
  clock: SystemClock;
  log: LogPort;
}): Promise<RecoveryResult> => {
  const { ledger, workspaces, reaper, clock, log } = parts;
  const orphans = await ledger.attempt.orphans();
  const killed = await reaper.reap(orphans);
  for (const { id, startedAt } of orphans) {
    const ms = Math.max(0, clock.now() - startedAt);
    await ledger.attempt.end(id, {
      exitCode: null,
      outcome: 'interrupted',
      ms,
      stdout: null,
      stderr: null,
      containment: null,
      model: null,
    });
  }
  let swept = 0;
  for (const runId of await workspaces.list()) {
    const wanted = await ledger.query.run(runId).then(
      (run) => run !== null && needsWorkspace(run, clock.now()),
      (error: unknown) => {
        log.error({ err: error, run: runId }, 'a run cannot be read, and its workspace stays');
        return true;
      },
    );
    if (wanted) continue;
    await workspaces.clean(runId);
    swept += 1;
  }
  const { freed, lastSeenAt } = await ledger.recover(clock.now());
  const rollback = await ledger.rollback();
  if (rollback !== null)
    log.warn({ rollback }, 'the ledger is an older copy, or its anchor is gone: see agentpr audit accept');
  const found = { freed, killed, swept, lastSeenAt, rollback };
  if (freed + killed + swept > 0) log.info(found, 'recovered what the last boot left');
  return found;
};
