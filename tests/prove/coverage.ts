/** What many histories came across: calls of ports and deaths at them, inputs in states, kinds of trouble. */
import { INPUT_TYPES, type InputType } from '../../orchestrator/core/inputs.ts';
import { STATES } from '../../orchestrator/core/states.ts';
import { targets } from '../../orchestrator/core/table.ts';

export type Counts = Map<string, number>;
export type Coverage = {
  /** `<port call>`, `crash before <port call>`, `crash after <port call>`. */
  points: Counts;
  /** `<state> ← <input>`, moved or not. */
  offered: Counts;
  /** The same, where the input moved the run. */
  moved: Counts;
  /** Kinds of trouble, and what people and the code host did. */
  troubles: Counts;
};

export const createCoverage = (): Coverage => ({
  points: new Map(),
  offered: new Map(),
  moved: new Map(),
  troubles: new Map(),
});

export const count = (counts: Counts, name: string, by = 1): void =>
  void counts.set(name, (counts.get(name) ?? 0) + by);

export const cell = (state: string, input: InputType): string => `${state} ← ${input}`;

/** As plain data, so that threads can hand it over, and put together again. */
export type Packed = Record<keyof Coverage, Record<string, number>>;
export const pack = (coverage: Coverage): Packed => ({
  points: Object.fromEntries(coverage.points),
  offered: Object.fromEntries(coverage.offered),
  moved: Object.fromEntries(coverage.moved),
  troubles: Object.fromEntries(coverage.troubles),
});
export const unpackInto = (coverage: Coverage, packed: Packed): void => {
  for (const key of ['points', 'offered', 'moved', 'troubles'] as const)
    for (const [name, n] of Object.entries(packed[key])) count(coverage[key], name, n);
};

/** Cells of the table in which an input may move a run. */
const movable = (): string[] =>
  STATES.flatMap((state) => INPUT_TYPES.filter((i) => targets(state, i).size > 0).map((i) => cell(state, i)));

export type Share = { what: string; of: number; missing: string[] };

/** `troubles`: every kind that there is, so that those which never came are named. */
export const shares = (coverage: Coverage, troubles: readonly string[]): Share[] => {
  const calls = [...coverage.points.keys()].filter((name) => !name.startsWith('crash '));
  const deaths = calls.flatMap((name) => [`crash before ${name}`, `crash after ${name}`]);
  const share = (what: string, all: readonly string[], seen: Counts): Share => ({
    what,
    of: all.length,
    missing: all.filter((name) => !seen.has(name)),
  });
  return [
    share('moves of the table (state × input)', movable(), coverage.moved),
    share('crash points', deaths, coverage.points),
    share('kinds of trouble', troubles, coverage.troubles),
  ];
};

export const percent = ({ of, missing }: Share): string =>
  of === 0 ? '–' : `${(((of - missing.length) * 100) / of).toFixed(1)} %`;
