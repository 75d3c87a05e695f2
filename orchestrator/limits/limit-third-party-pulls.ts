/** Limits pull requests to third parties (F5). Counts are computed from the runs themselves. */
import { repositoryOf, type Run } from '../kernel/run/run.ts';
import { ownerOf } from '#model/pull';
import { MINUTE, SECOND } from '#model/values';
import {
  isThirdParty,
  thirdPartyPullOf,
  thirdPartyTurn,
  type ThirdPartyPull,
  type ThirdPartySettings,
} from './stranger-allowance.ts';
import type { WriteLimit } from '#ports/forge';
import type { SystemClock } from '#ports/processes';
import type { Ledger } from '#ports/ledger';

type ThirdPartyLimiter = WriteLimit & { note(run: Run): void };

const MAX_REPUTATION_RUNS = 2_000;
const MAX_EVENTS_PER_READ = 2_000;
/** Concurrent writers may commit events out of order, so this many are read again. */
const EVENT_OVERLAP = 100;
/** Maintainers may merge or close at any time, so check again after this time (ms). */
const MAX_RECHECK_MS = 5 * MINUTE;
/** Other processes write runs as well, and nothing tells this one: what it knows is no older (ms). */
const REREAD_MS = 30 * SECOND;
/** A permitted write has happened by then, or asks again (ms). */
const ON_ITS_WAY = 10 * MINUTE;

export const createThirdPartyLimiter = (parts: {
  ledger: { query: Pick<Ledger['query'], 'run' | 'runs' | 'moved' | 'newestEvent'> };
  clock: SystemClock;
  settings: ThirdPartySettings;
  isAlone: boolean;
}): ThirdPartyLimiter => {
  const { clock, settings, isAlone } = parts;
  const { query } = parts.ledger;
  const known = new Map<string, ThirdPartyPull>();
  let read: Promise<void> | null = null;
  let readAt = 0;
  let newestEvent: number | null = null;
  let whole = false;
  const newer = new Set<string>();
  const note = (run: Run): void => {
    if (!whole) newer.add(run.id);
    const outing = thirdPartyPullOf(run);
    if (outing) known.set(run.id, outing);
  };
  const noteRuns = async (find: () => Promise<Run[]>): Promise<void> => {
    newer.clear();
    whole = false;
    readAt = clock.now();
    for (const run of (await find()).filter(({ id }) => !newer.has(id))) note(run);
    whole = true;
    newer.clear();
  };

  const readAllRuns = async (): Promise<Run[]> => {
    const upto = await query.newestEvent();
    const runs = await query.runs({ live: false, limit: MAX_REPUTATION_RUNS });
    newestEvent = upto;
    return runs;
  };

  /** Only runs with new events, because all are many. */
  const readMovedRuns = async (): Promise<Run[]> => {
    if (newestEvent === null) return readAllRuns();
    const after = Math.max(0, newestEvent - EVENT_OVERLAP);
    const moved = await query.moved({ after, limit: MAX_EVENTS_PER_READ, version: 0 });
    if (moved.length === MAX_EVENTS_PER_READ) return readAllRuns();
    const runs: Run[] = [];
    for (const id of new Set(moved.map(({ runId }) => runId))) {
      const run = await query.run(id);
      if (run) runs.push(run);
    }
    newestEvent = moved.at(-1)?.event ?? newestEvent;
    return runs;
  };

  /** Permitted but not written yet: of two concurrent effects, only one takes the place. */
  const underWay = new Map<string, { outing: ThirdPartyPull; until: number }>();
  const listOutings = (now: number): ThirdPartyPull[] => {
    const all = new Map(known);
    for (const [id, { outing, until }] of underWay) {
      if (until <= now || all.get(id)?.state === 'open') underWay.delete(id);
      else all.set(id, { ...outing, at: all.get(id)?.at ?? outing.at });
    }
    return [...all.values()];
  };

  return {
    note,
    async holds({ runId, do: { kind } }) {
      if (runId === null || (kind !== 'push' && kind !== 'open_pr')) return null;
      const run = await query.run(runId);
      // Fixes of open pull requests and our own repositories are not limited.
      if (!run || !isThirdParty(run) || run.upstream.pullRequest) return null;
      // guard: F5-others-write
      if (!isAlone && clock.now() - readAt >= REREAD_MS) read = null;
      read ??= noteRuns(readMovedRuns).catch((error: unknown) => {
        read = null;
        throw error;
      });
      await read;
      const now = clock.now();
      const owner = ownerOf(repositoryOf(run)).toLowerCase();
      const turn = thirdPartyTurn(listOutings(now), { run: runId, owner, what: kind, now }, settings);
      if (turn.kind === 'wait') {
        const { why, readyAt: at, queueLength: of } = turn;
        const next = at === 0 ? now + MAX_RECHECK_MS : Math.min(at, now + MAX_RECHECK_MS);
        return { at: next, turn: { action: kind, why, readyAt: at, position: 1, queueLength: of } };
      }
      const state = kind === 'open_pr' ? 'open' : 'branch';
      underWay.set(runId, {
        outing: { run: runId, owner, at: now, state, hidden: false, ended: null },
        until: now + ON_ITS_WAY,
      });
      return null;
    },
  };
};
