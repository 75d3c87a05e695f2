/** Numbers every random event, so that a shrunk history can omit some. */
import type { Random } from './random.ts';

export type Happened = { no: number; what: string };

export type Chaos = {
  /** Returns true when the event happens; omitted events never do. */
  strikes(what: string, chance: number): boolean;
  happened(): readonly Happened[];
};

/** `reached` counts events over many histories. */
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
