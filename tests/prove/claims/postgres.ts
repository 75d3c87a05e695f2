/** L7: whole histories on Postgres, half compared with SQLite, half with lost connections. */
import { startPostgres, type Server } from '../../support/postgres.ts';
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import { createCoverage, pack, type Coverage } from '../coverage.ts';
import { playHistory, type HistoryResult } from '../history.ts';
import { createBench, openBeside } from '../on-postgres.ts';
import { createRandom, seedFor } from '../random.ts';
import { spread } from '../spread.ts';

const bar = { quick: 12, full: 2_000 };
const isTwin = (seed: number): boolean => seed % 2 === 0;

const createPlayer = async (server: Server) => {
  const [alone, beside] = [await createBench(server, 'alone'), await createBench(server, 'control')];
  return {
    cuts: () => beside.cuts(),
    play: async (seed: number, coverage: Coverage): Promise<HistoryResult> => {
      const random = createRandom(seedFor(seed, 'connections'));
      if (!isTwin(seed))
        return playHistory(seed, { coverage, open: () => beside.open(random, () => undefined) });
      let [theirs, ours]: string[][] = [[], []];
      const result = await playHistory(seed, {
        coverage,
        open: () => alone.open(null, (rows) => void (theirs = rows)),
      });
      const twin = await playHistory(seed, {
        coverage: createCoverage(),
        open: () => openBeside((rows) => void (ours = rows)),
      });
      const other = theirs?.find((row, i) => row !== ours?.[i]);
      if (theirs?.length !== ours?.length || other !== undefined)
        result.violations.push(`L7: SQLite has other rows: ${other?.slice(0, 300)}`);
      result.violations.push(...twin.violations.map((v) => `on SQLite: ${v}`));
      return result;
    },
    close: async (): Promise<void> => {
      await alone.close();
      await beside.close();
    },
  };
};

export const play: Play = async ({ from, count }, progress) => {
  // Only the product dies here; claim `workers` kills the server.
  const server = await startPostgres();
  const player = await createPlayer(server);
  const coverage = createCoverage();
  const violations: string[] = [];
  const facts = {
    crashes: 0,
    'pull requests': 0,
    'the same rows as SQLite': 0,
    'calls that lost their connection': 0,
  };
  try {
    for (let seed = from; seed < from + count; seed += 1) {
      const result = await player.play(seed, coverage);
      facts.crashes += result.crashes;
      facts['pull requests'] += result.pulls;
      facts['the same rows as SQLite'] += isTwin(seed) ? 1 : 0;
      for (const v of result.violations) violations.push(`--only postgres --seed ${seed}: ${v}`);
      progress(seed - from);
    }
    facts['calls that lost their connection'] = player.cuts();
  } finally {
    await player.close();
    await server.stop();
  }
  return { trials: count, violations, facts, coverage: pack(coverage) };
};

export const postgres: Claim = {
  name: 'postgres',
  says: 'whole histories on a real Postgres keep what they keep on SQLite, to the row, and lose nothing when connections end in the middle of a call',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts, coverage } = await spread('postgres', { bar }, options);
      return { trials, violations, note: factsLine(facts), coverage };
    }),
  repeat: async (seed) => {
    const server = await startPostgres();
    const player = await createPlayer(server);
    try {
      const { trace, violations } = await player.play(seed, createCoverage());
      return { lines: trace, violations };
    } finally {
      await player.close();
      await server.stop();
    }
  },
};
