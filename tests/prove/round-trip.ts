/** L7: copies a ledger from SQLite to Postgres and back, interrupted at every page. */
import { copyLedger, type CopyEnd } from '../../db/directory/copy-ledger.ts';
import { openLedger } from '../../db/directory/open-ledger.ts';
import { openReader } from '../../db/directory/open-reader.ts';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import type { Ledger } from '#ports/ledger';
import { temporaryDirectory } from '../support/ledger.ts';
import { randomAct, type Past } from '../support/ledger-acts.ts';
import type { Server } from '../support/postgres.ts';
import { createCoverage } from './coverage.ts';
import { playHistory } from './history.ts';
import { createRandom, seedFor } from './random.ts';
import { EPOCH, openSqlite } from './stage.ts';

const CUT = 'cut off';
const LOST = /^The Postgres of the ledger cannot be reached/;
const TERMINATE =
  "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'agentpr%'";

export type RoundTrip = { violations: string[]; interruptions: number; rows: number };

/** Texts that databases store differently, or not at all. */
const ODD = ['a\0b', '\uFDD0\uFDD00', '\u{1F600}é漢', `\\x00 \\u0000 '"$1`, 'line\r\nline\u2028', ''];
/** Acts on both ledgers after the copy. */
const ACTS = 20;
/** Later than all of the history (ms). */
const LATER = EPOCH + 10_000_000_000;

const makeLedger = async (dir: string, seed: number): Promise<string[]> => {
  const played = await playHistory(seed, { coverage: createCoverage(), open: () => openSqlite(dir) });
  const ledger = await openLedger({ dataDir: dir, now: () => LATER });
  await ledger.acceptRollback(null);
  const [run] = await ledger.query.runs({ live: false, limit: 1 });
  for (const content of run ? ODD : [])
    await ledger.artifact({ runId: run?.id ?? '', type: 'log', content, at: LATER });
  await ledger.receive([{ source: 'chat', key: 'odd', body: ODD }], LATER);
  await ledger.close();
  return played.violations;
};

/** Returns everything visible: rows, signed heads, and the result of replay. */
const look = async (dataDir: string, database?: string): Promise<string> => {
  const reader = openReader(dataDir, { snapshot: true, database: database ?? null });
  try {
    const rows: string[] = [];
    for await (const line of reader.rows())
      rows.push(JSON.stringify([line.table, Object.entries(line.row).sort()]));
    const heads = await reader.query.heads();
    return JSON.stringify([rows.sort(), heads, await replayRuns(reader, null)]);
  } finally {
    await reader.close();
  }
};

const failing = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

export const roundTrip = async (server: Server, seed: number): Promise<RoundTrip> => {
  const random = createRandom(seedFor(seed, 'copy'));
  const [first, back] = [temporaryDirectory(), temporaryDirectory()];
  const database = await server.database();
  const violations: string[] = [];
  const expect = (holds: boolean, what: string): void => void (holds || violations.push(what));
  let interruptions = 0;

  /** Interrupts at each page, and sometimes ends connections. */
  const copy = async (from: CopyEnd, to: CopyEnd, opens: () => Promise<Ledger>): Promise<void> => {
    for (;;) {
      const ending: Promise<unknown>[] = [];
      const ended = await failing(
        copyLedger({
          from,
          to,
          dataDir: first.dir,
          onPage: (table) => {
            // The copy is a valid ledger once `installation` is written.
            if (table === 'installation') return;
            if (random.chance(0.7)) throw new Error(CUT);
            ending.push(server.ask(database, TERMINATE).catch(() => undefined));
          },
        }),
      );
      await Promise.all(ending);
      if (ended === 'nothing') return;
      interruptions += 1;
      expect(ended === CUT || LOST.test(ended), `a copy ended by ${ended}`);
      if (random.chance(0.5)) continue;
      const taken = await failing(opens().then((ledger) => ledger.close()));
      expect(/are gone|is missing/.test(taken), `half a copy was taken for a ledger: ${taken}`);
    }
  };
  const inPostgres = (): Promise<Ledger> => openLedger({ dataDir: first.dir, database, now: () => LATER });
  const inBack = (): Promise<Ledger> => openLedger({ dataDir: back.dir, now: () => LATER });
  /** Refuses ends that are in use, and never overwrites. */
  const refuses = async (to: CopyEnd, inUse: () => Promise<Ledger>): Promise<void> => {
    const request = { from: { dir: first.dir }, to, dataDir: first.dir };
    const again = await failing(copyLedger(request));
    expect(/holds a ledger/.test(again), `a ledger was written over: ${again}`);
    const live = await inUse();
    const beside = await failing(copyLedger(request));
    expect(/is using/.test(beside), `a live target was written: ${beside}`);
    await live.close();
  };

  try {
    violations.push(...(await makeLedger(first.dir, seed)));
    const before = await look(first.dir);
    await copy({ dir: first.dir }, { database }, inPostgres);
    expect((await look(first.dir, database)) === before, 'in Postgres it is another ledger');
    await copy({ database }, { dir: back.dir }, inBack);
    expect((await look(back.dir)) === before, 'back in SQLite it is another ledger');
    await refuses({ database }, inPostgres);
    await refuses({ dir: back.dir }, inBack);
    violations.push(...(await goesOn(seed, await inPostgres(), await inBack())));
    return { violations, interruptions, rows: before.split('],[').length };
  } finally {
    first.remove();
    back.remove();
  }
};

/** Both copies must give equal answers. */
const goesOn = async (seed: number, one: Ledger, other: Ledger): Promise<string[]> => {
  const random = createRandom(seedFor(seed, 'afterwards'));
  const past: Past = { now: LATER, keys: 0, claims: [], inbox: [] };
  const violations: string[] = [];
  for (const ledger of [one, other])
    if ((await ledger.rollback()) !== null) violations.push('a copy takes itself for an older one');
  for (let i = 0; i < ACTS; i += 1) {
    past.now += 1_000;
    const { name, on } = randomAct(random, past);
    const said = await Promise.all([one, other].map((ledger) => answer(on(ledger))));
    if (said[0] !== said[1])
      violations.push(`after the copy ${name} is answered otherwise: ${said.join(' / ')}`);
  }
  await one.close();
  await other.close();
  return violations;
};

/** The owner differs, because it names the boot. */
const answer = async (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    (is) => JSON.stringify(is, (name, value: unknown) => (name === 'owner' ? undefined : value)) ?? '',
    () => 'failed',
  );
