/** A row of the table: one number of the specification (§9) and its bar. */

export type Bar = { is: '>=' | '<=' | '='; at: number };
export type Row = {
  name: string;
  value: number;
  unit: string;
  /** Null means that the number is only informative. */
  bar: Bar | null;
  /** Absolute numbers behind a ratio, and limits of the measurement. */
  note: string;
};
export type Measurement = { name: string; about: string; run(options: BenchOptions): Promise<Row[]> };
export type BenchOptions = {
  /** Small amounts, for a look. */
  quick: boolean;
  /** The amounts of the bars where they take longer than a minute. */
  full: boolean;
  pairs: number;
};

export const amountOf = ({ quick, full }: BenchOptions, small: number, usual: number, all: number): number =>
  quick ? small : full ? all : usual;

export const holds = ({ value, bar }: Row): boolean => {
  if (bar === null) return true;
  // NaN marks a failed measurement and never holds.
  if (bar.is === '=') return value === bar.at;
  return bar.is === '>=' ? value >= bar.at : value <= bar.at;
};

export const barText = ({ bar, unit }: Row): string =>
  bar === null ? 'none' : `${bar.is} ${bar.at} ${unit}`;

export const toJsonMember = (row: Row): string => {
  const { name, value, unit, note } = row;
  const says = { value: rounded(value), unit, bar: barText(row), holds: holds(row), note };
  return `${JSON.stringify(name)}: ${JSON.stringify(says)}`;
};

/** Three significant digits; counts are exact. */
export const rounded = (value: number): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(value >= 1_000 ? 4 : 3));

export const toText = (rows: readonly Row[]): string =>
  rows
    .map((row) => {
      const head = `${holds(row) ? '✔' : '✘'} ${row.name.padEnd(24)} ${`${rounded(row.value)} ${row.unit}`.padEnd(18)}`;
      return `${head} ${row.bar === null ? 'no bar' : `bar ${barText(row)}`}\n    ${row.note}`;
    })
    .join('\n');
