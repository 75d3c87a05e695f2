/** Says what went wrong with a task, and sums a task set up. */
import type { CheckedTask } from './check-task.ts';
import type { PlayedTask } from './play-task.ts';
import type { Task } from './task-list.ts';

export type TaskOutcome = {
  task: Task;
  form: 'blocks' | 'diff';
  checked: CheckedTask | null;
  played: PlayedTask | null;
};

export const MAX_FIRST_TURN_TOKENS = 12_000;

/** A real model may reach the goal by another change, so only the script is held to the fix's bytes. */
export const findProblems = ({ checked, played }: TaskOutcome, isRealModel: boolean): string[] => {
  const problems: string[] = [];
  if (checked !== null) {
    if (!checked.red) problems.push('the check is not red before the fix');
    if (!checked.named) problems.push('the failing test is not named before the fix');
    if (!checked.green) problems.push('the check is not green after the fix');
  }
  if (played === null) return problems;
  if (played.sealed === null) problems.push(`nothing was sealed: ${played.ended}`);
  else if (!isRealModel && !played.sameTree) problems.push("the sealed tree is not the fix's");
  if (played.replay !== null) problems.push(`the turns do not fold: ${played.replay}`);
  return problems;
};

const share = (part: number, whole: number): string =>
  whole === 0 ? 'none' : `${part} of ${whole} (${Math.round((100 * part) / whole)} %)`;

const halfLine = (name: string, outcomes: readonly TaskOutcome[]): string[] => {
  const played = outcomes.flatMap((one) => (one.played === null ? [] : [one.played]));
  if (played.length === 0) return [];
  const tokens = played.map(({ firstTurn }) => firstTurn.tokens).toSorted((a, b) => a - b);
  const searched = played.filter(({ searchHasFile }) => searchHasFile !== null);
  const mapped = played.flatMap(({ firstTurn: { mapHasFile } }) => (mapHasFile === null ? [] : [mapHasFile]));
  const within = tokens.filter((count) => count <= MAX_FIRST_TURN_TOKENS).length;
  return [
    `${name}: first turn's tokens: median ${tokens[Math.floor(tokens.length / 2)]}, most ${tokens.at(-1)}; at most ${MAX_FIRST_TURN_TOKENS}: ${share(within, tokens.length)}`,
    `${name}: a file of the fix is in the first turn: ${share(played.filter(({ firstTurn }) => firstTurn.hasFile).length, played.length)}`,
    `${name}: a file of the fix is in the map: ${share(mapped.filter(Boolean).length, mapped.length)}`,
    `${name}: a file of the fix is in the answer to one search: ${share(searched.filter(({ searchHasFile }) => searchHasFile === true).length, searched.length)}`,
  ];
};

export const summariseTasks = (outcomes: readonly TaskOutcome[], isRealModel: boolean): string[] => {
  const passed = outcomes.filter((one) => findProblems(one, isRealModel).length === 0).length;
  const halves = [
    ...halfLine(
      'seen',
      outcomes.filter(({ task }) => !task.unseen),
    ),
    ...halfLine(
      'unseen',
      outcomes.filter(({ task }) => task.unseen),
    ),
  ];
  return [`${isRealModel ? 'solved' : 'mechanics'}: ${share(passed, outcomes.length)}`, ...halves];
};
