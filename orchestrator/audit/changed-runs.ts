/** Finds runs whose rows were changed by somebody else, soon after a start and beside the work (L5). */
import type { LedgerQueries } from '#ports/ledger';
import { verifyRun } from './replay.ts';

export type ChangedRun = { runId: string; repo: string; says: readonly string[] };

const MAX_AUDITED_RUNS = 1_000;
const MAX_TRIES = 5;
const MAX_SAYS = 5;
const CUT_LOG = 'the log does not end with the event that the signed state names';

/**
 * Replays live runs, and looks at the last event of all others. `pause` is awaited between runs, so
 * that the work goes on.
 */
export const findChangedRuns = async (
  query: LedgerQueries,
  pause: () => Promise<void>,
): Promise<ChangedRun[]> => {
  const changed: ChangedRun[] = [];
  const live = await query.runs({ live: true, limit: MAX_AUDITED_RUNS });
  for (const { id, order } of live) {
    const says = await findFaults(query, id);
    if (says.length > 0) changed.push({ runId: id, repo: order.repo, says: says.slice(0, MAX_SAYS) });
    await pause();
  }
  const known = new Set(live.map(({ id }) => id));
  // guard: L5-cut-log
  for (const runId of (await query.audit.cutLogs()).filter((id) => !known.has(id)))
    changed.push({ runId, repo: (await query.run(runId))?.order.repo ?? '', says: [CUT_LOG] });
  return changed;
};

/** A run that moves while it is read differs from itself, and is read again. */
const findFaults = async (query: LedgerQueries, runId: string): Promise<string[]> => {
  for (let tried = 1; ; tried += 1) {
    const before = (await query.audit.log(runId)).head?.seq;
    const { findings } = await verifyRun(query, query.audit, runId);
    if (findings.length === 0) return [];
    const isSame = (await query.audit.log(runId)).head?.seq === before;
    if (isSame) return findings.map(({ says }) => says);
    if (tried === MAX_TRIES) return [];
  }
};
