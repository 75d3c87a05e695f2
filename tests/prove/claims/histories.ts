/** Whole random histories, mostly on the memory ledger, some on SQLite. */
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import { createCoverage, pack } from '../coverage.ts';
import { playHistory } from '../history.ts';
import { shrinkHistory } from '../shrink.ts';
import { spread } from '../spread.ts';
import { openSqlite } from '../stage.ts';

/** Every n-th history runs on SQLite. */
const SQLITE = 100;
/** Maximum number of failing histories to shrink. */
const SHRUNK = 2;

const bar = { quick: 300, full: 100_000 };
const onSqlite = (seed: number): boolean => seed % SQLITE === 0;
const openFor = (seed: number) => (onSqlite(seed) ? () => openSqlite() : undefined);

export const play: Play = async ({ from, count }, progress) => {
  const coverage = createCoverage();
  const violations: string[] = [];
  const facts = { crashes: 0, 'pull requests': 0, iterations: 0, 'webhook deliveries': 0, 'on SQLite': 0 };
  let shrunk = 0;
  for (let seed = from; seed < from + count; seed += 1) {
    const result = await playHistory(seed, { coverage, open: openFor(seed) });
    facts.crashes += result.crashes;
    facts['pull requests'] += result.pulls;
    facts.iterations += result.iterations;
    facts['webhook deliveries'] += result.deliveries;
    facts['on SQLite'] += onSqlite(seed) ? 1 : 0;
    for (const v of result.violations) violations.push(`--only histories --seed ${seed}: ${v}`);
    if (result.violations.length > 0 && (shrunk += 1) <= SHRUNK) {
      const small = await shrinkHistory(seed, result, { open: openFor(seed) });
      violations.push(`the same, smaller:\n      ${small.lines.join('\n      ')}`);
    }
    if (seed % 50 === 0) progress(seed - from);
  }
  return { trials: count, violations, facts, coverage: pack(coverage) };
};

export const histories: Claim = {
  name: 'histories',
  says: 'whole histories with crashes and trouble: one PR, approved, nothing lost, nothing twice, nobody forgotten',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts, coverage, cpuMs } = await spread('histories', { bar }, options);
      const rate = Math.round((trials * 2_000) / cpuMs);
      return {
        trials,
        violations,
        note: factsLine(facts),
        measured: [
          { name: 'histories-rate', value: rate, unit: 'a second of two cores', bar: { is: '>=', at: 100 } },
        ],
        coverage,
      };
    }),
  repeat: async (seed) => {
    const coverage = createCoverage();
    const open = openFor(seed);
    const result = await playHistory(seed, { coverage, open });
    if (result.violations.length === 0) return { lines: result.trace, violations: [] };
    const small = await shrinkHistory(seed, result, { open });
    return {
      lines: [...result.trace, '', 'The same, smaller:', ...small.lines],
      violations: result.violations,
    };
  },
};
