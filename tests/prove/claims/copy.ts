/** L7: a ledger copied to Postgres and back, interrupted at every page, stays the same. */
import { startPostgres } from '../../support/postgres.ts';
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import { roundTrip } from '../round-trip.ts';
import { spread } from '../spread.ts';

const bar = { quick: 3, full: 100 };

export const play: Play = async ({ from, count }, progress) => {
  const server = await startPostgres();
  const violations: string[] = [];
  const facts = { interruptions: 0, rows: 0 };
  try {
    for (let seed = from; seed < from + count; seed += 1) {
      const result = await roundTrip(server, seed);
      facts.interruptions += result.interruptions;
      facts.rows += result.rows;
      for (const v of result.violations) violations.push(`--only copy --seed ${seed}: ${v}`);
      progress(seed - from);
    }
  } finally {
    await server.stop();
  }
  return { trials: count, violations, facts };
};

export const copy: Claim = {
  name: 'copy',
  says: 'a ledger copied from SQLite into Postgres and back, cut off at each page and resumed: the same rows, heads, signatures and verdicts; nothing in use is touched',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts } = await spread('copy', { bar }, options);
      return { trials, violations, note: factsLine(facts) };
    }),
  repeat: async (seed) => {
    const server = await startPostgres();
    try {
      const { violations, interruptions } = await roundTrip(server, seed);
      return { lines: [`${interruptions} interruptions`], violations };
    } finally {
      await server.stop();
    }
  },
};
