/** E9: the states of one turn, and which may follow which. What has no row cannot happen. */

export type TurnState =
  | 'THINKING'
  | 'PROPOSING'
  | 'GOVERNING'
  | 'EXECUTING'
  | 'OBSERVING'
  | 'EVALUATING'
  | 'ENDED';

const FOLLOWS: Readonly<Record<TurnState, readonly TurnState[]>> = {
  // A model that says it is done is judged like any other: it is no end by itself.
  THINKING: ['PROPOSING', 'EVALUATING', 'ENDED'],
  PROPOSING: ['GOVERNING', 'EVALUATING'],
  GOVERNING: ['EXECUTING', 'OBSERVING', 'ENDED'],
  EXECUTING: ['OBSERVING'],
  OBSERVING: ['GOVERNING', 'EVALUATING'],
  EVALUATING: ['THINKING', 'ENDED'],
  ENDED: [],
};

/** Throws for a step that the table does not have: a bug of ours. */
export const createTurns = () => {
  let at: TurnState = 'THINKING';
  let way: TurnState[] = [at];
  return {
    to: (next: TurnState): void => {
      // guard: E9-table-of-states
      if (!FOLLOWS[at].includes(next)) throw new Error(`No turn goes from ${at} to ${next}`);
      at = next;
      if (next === 'THINKING') way = [];
      way.push(next);
    },
    /** Of this turn so far. */
    way: (): readonly TurnState[] => way,
  };
};
