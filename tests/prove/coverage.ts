/** Coverage of histories: port calls, crashes, inputs per state, kinds of trouble. */
import { INPUTS } from '../../orchestrator/kernel/inputs/inputs.ts';
import { type InputType, targetStates } from '#inputs';
import { RUN_STATES, type RunState } from '#model/run';

export type Counts = Map<string, number>;
export type Coverage = {
  /** `<port call>`, `crash before <port call>`, `crash after <port call>`. */
  points: Counts;
  /** `<state> ← <input>`, moved or not. */
  offered: Counts;
  /** Inputs that moved the run. */
  moved: Counts;
  troubles: Counts;
};

const INPUT_TYPES = INPUTS.map(({ type }) => type);

export const createCoverage = (): Coverage => ({
  points: new Map(),
  offered: new Map(),
  moved: new Map(),
  troubles: new Map(),
});

export const count = (counts: Counts, name: string, by = 1): void =>
  void counts.set(name, (counts.get(name) ?? 0) + by);

export const cell = (state: string, input: InputType): string => `${state} ← ${input}`;

/** Plain data for transfer between threads. */
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

/** Only a poll of a pull request reports these. */
const OF_A_PULL: ReadonlySet<InputType> = new Set(['forge.ci.observed', 'forge.review.submitted']);
/** G1: runs in these states have no pull request, and none returns to them. */
const WITHOUT_PULL: ReadonlySet<RunState> = new Set([
  ...(['QUEUED', 'DISCOVERY', 'PLAN_READY', 'IMPLEMENTING'] as const),
  ...(['LOCAL_VALIDATING', 'PUSHED'] as const),
]);
/** Covered by claim `permissions` instead. */
const OF_A_QUESTION: ReadonlySet<InputType> = new Set([
  ...(['worker.permission.asked', 'worker.permission.used', 'command.permission.answer'] as const),
  'worker.call.repeated',
]);
/** Returns why the world cannot cause this, or null. */
const unreachable = (state: RunState, input: InputType): string | null => {
  if (OF_A_PULL.has(input) && WITHOUT_PULL.has(state)) return 'there is no pull request to look at';
  if (OF_A_QUESTION.has(input)) return 'no agent of this world asks, or repeats itself';
  return input === 'command.validation.accept' ? 'neither the chat nor the command line says it' : null;
};

/** Cells in which an input may move a run; tests/core/table.test.ts visits them all, too. */
const movable = (): string[] =>
  RUN_STATES.flatMap((state) =>
    INPUT_TYPES.filter((i) => targetStates(state, i).size > 0 && unreachable(state, i) === null).map((i) =>
      cell(state, i),
    ),
  );

export type Share = { what: string; of: number; missing: string[] };

/** `troubles` lists all kinds, to name the missing ones. */
export const shares = (coverage: Coverage, troubles: readonly string[]): Share[] => {
  const calls = [...coverage.points.keys()].filter((name) => !name.startsWith('crash '));
  const deaths = calls.flatMap((name) => [`crash before ${name}`, `crash after ${name}`]);
  const share = (what: string, all: readonly string[], seen: Counts): Share => ({
    what,
    of: all.length,
    missing: all.filter((name) => !seen.has(name)),
  });
  return [
    share('moves of the table (state × input) that the world can bring about', movable(), coverage.moved),
    share('crash points', deaths, coverage.points),
    share('kinds of trouble', troubles, coverage.troubles),
  ];
};

export const sayShare = ({ what, of, missing }: Share, lists: boolean): string => {
  const never =
    missing.length === 0 ? '' : lists ? `; never: ${missing.join(', ')}` : ` (--lists names the others)`;
  return `${what}: ${of - missing.length} of ${of}${never}`;
};
