/** A row of the table: one number of the specification (§9), its bar, and whether it holds. */

export type Bar = { is: '>=' | '<=' | '='; at: number };
export type Row = {
  name: string;
  value: number;
  unit: string;
  /** Null: no bar is set; the number is for information. */
  bar: Bar | null;
  /** What was measured, the absolute numbers behind a ratio, and what was not. */
  note: string;
};
/** Something that can be measured by itself; it may give several rows. */
export type Measurement = { name: string; about: string; run(options: BenchOptions): Promise<Row[]> };
export type BenchOptions = {
  /** Smaller amounts, for a look; the bars are meant for the full ones. */
  quick: boolean;
  /** Alternating pairs behind each ratio. */
  pairs: number;
};

export const holds = ({ value, bar }: Row): boolean => {
  if (bar === null) return true;
  // A value that could not be measured is NaN and holds nothing.
  if (bar.is === '=') return value === bar.at;
  return bar.is === '>=' ? value >= bar.at : value <= bar.at;
};

export const barText = ({ bar, unit }: Row): string =>
  bar === null ? 'none' : `${bar.is} ${bar.at} ${unit}`;

/** One row as a member of the object that `--json` prints. */
export const toJsonMember = (row: Row): string => {
  const { name, value, unit, note } = row;
  const says = { value: rounded(value), unit, bar: barText(row), holds: holds(row), note };
  return `${JSON.stringify(name)}: ${JSON.stringify(says)}`;
};

/** Three digits that matter; counts as they are. */
export const rounded = (value: number): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(value >= 1_000 ? 4 : 3));

export const toText = (rows: readonly Row[]): string =>
  rows
    .map((row) => {
      const head = `${holds(row) ? '✔' : '✘'} ${row.name.padEnd(24)} ${`${rounded(row.value)} ${row.unit}`.padEnd(18)}`;
      return `${head} ${row.bar === null ? 'no bar' : `bar ${barText(row)}`}\n    ${row.note}`;
    })
    .join('\n');
