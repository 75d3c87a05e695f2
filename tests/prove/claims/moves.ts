/** F12: people move, rename and archive what runs work against; some trials on two databases. */
import { startPostgres, type Server } from '../../support/postgres.ts';
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import { createCoverage, pack, type Coverage } from '../coverage.ts';
import { playHistory, type HistoryResult } from '../history.ts';
import { createBench, openBeside } from '../on-postgres.ts';
import { shrinkHistory } from '../shrink.ts';
import { spread } from '../spread.ts';

const bar = { quick: 120, full: 20_000 };
/** Every n-th history runs on both ledgers. */
const BOTH = 20;
const MOVES = [0.03, 0.1, 0.3];
/** Maximum number of failing histories to shrink. */
const SHRUNK = 2;

const isOnBoth = (seed: number): boolean => seed % BOTH === 0;
const movesOf = (seed: number): number => MOVES[seed % MOVES.length] ?? 0;

const createPlayer = () => {
  let server: Server | null = null;
  let bench: Awaited<ReturnType<typeof createBench>> | null = null;
  const onBoth = async (seed: number, coverage: Coverage): Promise<HistoryResult> => {
    server ??= await startPostgres();
    const database = (bench ??= await createBench(server, 'alone'));
    let [theirs, ours]: string[][] = [[], []];
    const moves = movesOf(seed);
    const open = () => database.open(null, (rows) => void (theirs = rows));
    const result = await playHistory(seed, { coverage, moves, open });
    const twin = await playHistory(seed, {
      coverage: createCoverage(),
      moves,
      open: () => openBeside((rows) => void (ours = rows)),
    });
    const other = theirs?.find((row, i) => row !== ours?.[i]);
    if (theirs?.length !== ours?.length || other !== undefined)
      result.violations.push(`L7: SQLite has other rows: ${other?.slice(0, 300)}`);
    result.violations.push(...twin.violations.map((v) => `on SQLite: ${v}`));
    return result;
  };
  return {
    play: (seed: number, coverage: Coverage): Promise<HistoryResult> =>
      isOnBoth(seed) ? onBoth(seed, coverage) : playHistory(seed, { coverage, moves: movesOf(seed) }),
    close: async (): Promise<void> => {
      await bench?.close();
      await server?.stop();
    },
  };
};

export const play: Play = async ({ from, count }, progress) => {
  const player = createPlayer();
  const coverage = createCoverage();
  const violations: string[] = [];
  const facts = { crashes: 0, 'pull requests': 0, iterations: 0, 'on SQLite and Postgres': 0 };
  let shrunk = 0;
  try {
    for (let seed = from; seed < from + count; seed += 1) {
      const result = await player.play(seed, coverage);
      facts.crashes += result.crashes;
      facts['pull requests'] += result.pulls;
      facts.iterations += result.iterations;
      facts['on SQLite and Postgres'] += isOnBoth(seed) ? 1 : 0;
      for (const v of result.violations) violations.push(`--only moves --seed ${seed}: ${v}`);
      if (result.violations.length > 0 && (shrunk += 1) <= SHRUNK) {
        const small = await shrinkHistory(seed, result, { moves: movesOf(seed) });
        violations.push(`the same, smaller:\n      ${small.lines.join('\n      ')}`);
      }
      progress(seed - from);
    }
  } finally {
    await player.close();
  }
  const moved = Object.entries(pack(coverage).troubles).filter(([what]) => MOVED.includes(what));
  return {
    trials: count,
    violations,
    facts: { ...facts, ...Object.fromEntries(moved) },
    coverage: pack(coverage),
  };
};

/** Events that must occur, or the claim proves nothing. */
const MOVED = [
  'move to another base',
  'rename a base',
  'rename the repository',
  'take its former name',
  'archive, or unarchive',
  'lose the fork, or find it',
].map((what) => `people: ${what}`);

export const moves: Claim = {
  name: 'moves',
  says: 'whatever people move, rename, archive or take away, in any state: nothing of another base is published, nothing goes to a stranger, and every run follows or waits',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts, coverage } = await spread('moves', { bar }, options);
      const never = MOVED.filter((what) => (facts[what] ?? 0) === 0);
      if (trials >= bar.quick && never.length > 0) violations.push(`it never happened: ${never.join(', ')}`);
      return { trials, violations, note: factsLine(facts), coverage };
    }),
  repeat: async (seed) => {
    const player = createPlayer();
    try {
      const result = await player.play(seed, createCoverage());
      return { lines: result.trace, violations: result.violations };
    } finally {
      await player.close();
    }
  },
};
