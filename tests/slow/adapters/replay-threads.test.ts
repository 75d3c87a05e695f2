/** L5: many runs are judged by several threads, which find what one finds, or are not needed. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillLedger } from '../../../bench/bulk.ts';
import { TO_REVIEW } from '../../../bench/story.ts';
import { createReplayThreads } from '../../../cli/replay-threads.ts';
import { openReader } from '../../../db/directory/open-reader.ts';
import {
  replayRuns,
  replayShare,
  type ReplayHelpers,
  type ShareResult,
  type ReplayResult,
} from '../../../orchestrator/audit/replay.ts';
import { temporaryDirectory } from '../../support/ledger.ts';

const RUNS = 501;
const place = temporaryDirectory();
const meddle = (sql: string): void => {
  const db = new Database(join(place.dir, 'ledger.db'));
  db.exec(sql);
  db.close();
};
const judged = async (helpers?: ReplayHelpers): Promise<ReplayResult> => {
  const reader = openReader(place.dir, { snapshot: true });
  try {
    return await replayRuns(reader, null, helpers);
  } finally {
    await reader.close();
  }
};
/** One helper whose part was changed on its way. */
const with1 = (change: (part: ShareResult) => ShareResult | null): ReplayHelpers => ({
  count: 1,
  verifyShare: async (share) => {
    const reader = openReader(place.dir, { snapshot: true });
    const part = await replayShare(reader, share);
    await reader.close();
    return change(part);
  },
});

let ids: string[] = [];
beforeAll(async () => {
  const filled = await fillLedger(place.dir, [{ story: TO_REVIEW.slice(0, 4), runs: RUNS }], 1_000);
  ids = filled.ids.flat();
});
afterAll(() => place.remove());

describe('a ledger of many runs', () => {
  it('L5: is whole for one thread and for three', async () => {
    const alone = await judged();
    expect(alone).toMatchObject({ runs: RUNS, findings: [] });
    expect(await judged(createReplayThreads(place.dir, null, 2))).toEqual(alone);
  });

  it('L5: is judged here where a thread came to nothing, or saw another moment', async () => {
    const alone = await judged();
    const lies = { runId: null, verdict: 'decisions', says: 'of another ledger' } as const;
    expect(await judged(with1(() => null))).toEqual(alone);
    expect(await judged(with1((p) => ({ ...p, moment: p.moment + 1, findings: [lies] })))).toEqual(alone);
    expect((await judged(with1((p) => ({ ...p, findings: [lies] })))).findings).toEqual([lies]);
    expect(await judged(createReplayThreads(join(place.dir, 'elsewhere'), null, 1))).toEqual(alone);
  });

  it('L5: shows every thread’s findings in the order of the runs, and rows that only all of them together miss', async () => {
    const [first, last] = [ids[0] ?? '', ids.at(-1) ?? ''];
    meddle(`update run_states set version = version + 1 where run_id in ('${first}', '${last}');
      delete from effects where n = (select max(n) from effects)`);
    const alone = await judged();
    const several = await judged(createReplayThreads(place.dir, null, 2));
    expect(several).toEqual(alone);
    expect(several.findings.map((f) => f.runId).filter((id) => id !== null)).toEqual(
      expect.arrayContaining([first, last]),
    );
    expect(several.findings.some((f) => f.table === 'effects')).toBe(true);
  });
});
