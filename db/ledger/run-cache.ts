/** Caches parsed runs, so that lists read only those that changed. */
import type { Run } from '#run';
import { readableRuns, storedFold, type StoredFold } from '../sql/stored-rows.ts';
import { toCompiledQuery, type DefineStatement, type RunQuery } from '../sql/statements.ts';

type Version = { run_id: string; version: number };
type Stored = Version & StoredFold;
export type RunCache = (list: readonly Version[], all: () => Promise<Stored[]>) => Promise<Run[]>;

/** Reads the whole list above this number of changed runs. */
const MAX_SINGLE_READS = 20;
/** Maximum number of cached runs (about 50 KB each). */
const MAX_KEPT = 2_000;

export const createRunCache = (define: DefineStatement, read: RunQuery): RunCache => {
  const one = define((db, a: { id: string }) =>
    db.selectFrom('run_states').select(['run_id', 'version', storedFold]).where('run_id', '=', a.id),
  );
  const kept = new Map<string, { version: number; runs: Run[] }>();
  return async (list, all) => {
    const moved = list.filter(({ run_id, version }) => kept.get(run_id)?.version !== version);
    const rows =
      moved.length > MAX_SINGLE_READS
        ? await all()
        : (await Promise.all(moved.map(({ run_id }) => read(toCompiledQuery(one, { id: run_id }))))).flat();
    const found = new Map(list.map(({ run_id }) => [run_id, kept.get(run_id)?.runs ?? []]));
    for (const { run_id, version, fold_json } of rows) {
      const runs = readableRuns({ run_id, fold_json });
      if (found.has(run_id)) found.set(run_id, runs);
      kept.delete(run_id);
      kept.set(run_id, { version, runs });
    }
    for (const id of kept.keys()) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(id);
    }
    return [...found.values()].flat();
  };
};
