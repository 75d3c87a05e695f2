/** The seeded scheduler: every call that crosses a port waits here, and chance decides which one goes on, or where it all dies. */
import type { Random } from './random.ts';

/** The process is dead: whatever it still tries to do does not happen. */
export class Crash extends Error {}

export type Life = {
  /** Wraps a port so that each call is a point at which others may go first, and at which the process may die. */
  guard<T extends object>(name: string, port: T): T;
  /** Lets one waiting call go on; false when none waits. */
  go(): Promise<boolean>;
  waiting(): number;
  dead(): boolean;
  kill(): void;
};

/** What a history did: which port calls it passed, and at which it died. */
export type Coverage = Map<string, number>;

const settleMicrotasks = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Asked at each port call: does the process die here, before or after the call took effect? */
export type Fate = (where: string) => 'before' | 'after' | null;

/** Dies at the n-th port call, before or after it by chance. */
export const dieAt = (random: Random, n: number): Fate => {
  let left = n;
  return () => (left-- > 0 ? null : random.chance(0.5) ? 'after' : 'before');
};

export const createLife = (random: Random, fate: Fate | null, coverage: Coverage): Life => {
  const queue: (() => void)[] = [];
  let dead = false;

  const turn = (): Promise<void> => new Promise((resolve) => queue.push(resolve));
  const point = (where: string): void => {
    coverage.set(where, (coverage.get(where) ?? 0) + 1);
  };

  const call = async (where: string, f: () => unknown): Promise<unknown> => {
    await turn();
    if (dead) throw new Crash();
    const end = fate?.(where) ?? null;
    if (end !== null) {
      dead = true;
      point(`crash ${end} ${where}`);
      // What was asked for happened, but nobody lives to hear the answer.
      if (end === 'after') await f();
      throw new Crash();
    }
    point(where);
    return f();
  };

  const guard = <T extends object>(name: string, port: T): T =>
    new Proxy(port, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (typeof key !== 'string') return value;
        if (typeof value === 'object' && value !== null) return guard(`${name}.${key}`, value);
        // The one port method that only names a path is not a call to anywhere.
        if (typeof value !== 'function' || key === 'places') return value;
        return (...args: unknown[]) =>
          call(`${name}.${key}`, () => Reflect.apply(value, target, args) as unknown);
      },
    });

  return {
    guard,
    waiting: () => queue.length,
    dead: () => dead,
    kill: () => {
      dead = true;
    },
    async go() {
      if (queue.length === 0) {
        await settleMicrotasks();
        if (queue.length === 0) return false;
      }
      const [next] = queue.splice(random.int(queue.length), 1);
      next?.();
      await settleMicrotasks();
      return true;
    },
  };
};
