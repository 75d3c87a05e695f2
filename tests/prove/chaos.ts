/**
 * Everything that may go wrong, or that somebody may do: numbered as it happens, so that a shrunk
 * history can leave some of it out.
 */
import type { Random } from './random.ts';

export type Happened = { no: number; what: string };

export type Chaos = {
  /** Whether something takes place that has this chance to; what is left out does not. */
  strikes(what: string, chance: number): boolean;
  happened(): readonly Happened[];
};

/** `reached` counts what took place, over many histories. */
export const createChaos = (
  random: Random,
  reached: Map<string, number>,
  leftOut: ReadonlySet<number> = new Set(),
): Chaos => {
  const happened: Happened[] = [];
  let no = 0;
  return {
    strikes(what, chance) {
      if (chance <= 0 || !random.chance(chance)) return false;
      no += 1;
      if (leftOut.has(no)) return false;
      happened.push({ no, what });
      reached.set(what, (reached.get(what) ?? 0) + 1);
      return true;
    },
    happened: () => happened,
  };
};
