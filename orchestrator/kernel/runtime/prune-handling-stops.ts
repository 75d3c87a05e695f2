/** Reads what stopped the processes before this one, as the ledger knows it now (L9). */
import { MAX_STOPS, SET_ASIDE, keyOfEffect, keyOfRow, maxStopsOf, type HandlingWatch } from '#ports/steps';
import type { Ledger } from '#ports/ledger';

type Queries = Pick<Ledger['query'], 'incoming' | 'effect'>;

/** How many stops set it aside; null when it is handled or gone. */
const findLimit = async (query: Queries, key: string): Promise<number | null> => {
  const [kind, number] = key.split(' ');
  const id = Number(number);
  if (kind === 'inbox') {
    const row = await query.incoming(id);
    const isOpen = row?.state === 'new' && keyOfRow({ ...row, id }) === key;
    return isOpen ? maxStopsOf({ wasSetAside: row.note === SET_ASIDE }) : null;
  }
  const row = Number.isSafeInteger(id) ? await query.effect(id) : null;
  const isOpen = row !== null && ['pending', 'claimed'].includes(row.state) && keyOfEffect(row) === key;
  return isOpen ? MAX_STOPS : null;
};

/** Forgets what is handled or gone, and returns how much is set aside from now on. */
export const pruneHandlingStops = async (
  watch: Pick<HandlingWatch, 'forget' | 'stopsAt'> & { stopped(): readonly string[] },
  query: Queries,
): Promise<number> => {
  let setAside = 0;
  for (const key of watch.stopped()) {
    const limit = await findLimit(query, key);
    // guard: L9-stops-of-the-living
    if (limit === null) watch.forget(key);
    else if (watch.stopsAt(key) >= limit) setAside += 1;
  }
  return setAside;
};
