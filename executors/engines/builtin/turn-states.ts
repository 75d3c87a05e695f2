/** E9: the states of one turn and their allowed transitions. */

export type TurnState =
  | 'THINKING'
  | 'PROPOSING'
  | 'GOVERNING'
  | 'EXECUTING'
  | 'OBSERVING'
  | 'EVALUATING'
  | 'ENDED';

const FOLLOWS: Readonly<Record<TurnState, readonly TurnState[]>> = {
  THINKING: ['PROPOSING', 'EVALUATING', 'ENDED'],
  PROPOSING: ['GOVERNING', 'EVALUATING'],
  GOVERNING: ['EXECUTING', 'OBSERVING', 'ENDED'],
  EXECUTING: ['OBSERVING'],
  OBSERVING: ['GOVERNING', 'EVALUATING'],
  EVALUATING: ['THINKING', 'ENDED'],
  ENDED: [],
};

/** Throws on any other transition, which is a bug. */
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
    way: (): readonly TurnState[] => way,
  };
};
