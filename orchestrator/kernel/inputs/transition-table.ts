/** The transition table, read from the moves of all inputs (S2). */
import type { RunState } from '#model/run';
import { findInput } from './inputs.ts';

/** An empty set means a blank cell: the input is refused or ignored. */
export const targetStates = (from: RunState, input: string): ReadonlySet<RunState> =>
  new Set(findInput(input)?.moves.flatMap((move) => (move.from.includes(from) ? move.to : [])));
