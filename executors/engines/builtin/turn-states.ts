import { TURN_TRANSITIONS, type TurnState } from '#model/turn';

/** Throws on any other transition, which is a bug. */
export const createTurnStates = () => {
  let at: TurnState = 'THINKING';
  let way: TurnState[] = [at];
  return {
    to: (next: TurnState): void => {
      // guard: E9-table-of-states
      if (!TURN_TRANSITIONS[at].includes(next)) throw new Error(`No turn goes from ${at} to ${next}`);
      at = next;
      if (next === 'THINKING') way = [];
      way.push(next);
    },
    way: (): readonly TurnState[] => way,
  };
};
