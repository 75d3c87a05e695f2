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
/** Maintainers may merge or close at any time, so check again after this time (ms). */
const MAX_RECHECK_MS = 5 * MINUTE;
/** Other processes write runs as well, and nothing tells this one: what it knows is no older (ms). */
const REREAD_MS = 30 * SECOND;
/** A permitted write has happened by then, or asks again (ms). */
const ON_ITS_WAY = 10 * MINUTE;

export const createThirdPartyLimiter = (parts: {
  ledger: { query: Pick<Ledger['query'], 'run' | 'runs'> };
  clock: SystemClock;
  settings: ThirdPartySettings;
  isAlone: boolean;
}): ThirdPartyLimiter => {
  const { ledger, clock, settings, isAlone } = parts;
  const known = new Map<string, ThirdPartyPull>();
  let read: Promise<void> | null = null;
  let readAt = 0;
  let whole = false;
  const newer = new Set<string>();
  const note = (run: Run): void => {
    if (!whole) newer.add(run.id);
    const outing = thirdPartyPullOf(run);
    if (outing) known.set(run.id, outing);
  };
  const readAll = async (): Promise<void> => {
    newer.clear();
    whole = false;
    readAt = clock.now();
    const found = await ledger.query.runs({ live: false, limit: MAX_REPUTATION_RUNS });
    for (const run of found.filter(({ id }) => !newer.has(id))) note(run);
    whole = true;
    newer.clear();
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
      const run = await ledger.query.run(runId);
      // Fixes of open pull requests and our own repositories are not limited.
      if (!run || !isThirdParty(run) || run.upstream.pullRequest) return null;
      // guard: F5-others-write
      if (!isAlone && clock.now() - readAt >= REREAD_MS) read = null;
      read ??= readAll().catch((error: unknown) => {
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
