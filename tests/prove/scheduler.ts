/** The seeded scheduler: port calls wait here; chance decides which goes on, or crashes. */
import { count, type Counts } from './coverage.ts';
import type { Random } from './random.ts';

/** Thrown in a dead process, whose further calls have no effect. */
export class Crash extends Error {}
/** Shared, because stack traces are useless here and slow. */
const CRASH = new Crash();

export type Life = {
  /** Makes each call a point of interleaving and crashing. */
  guard<T extends object>(name: string, port: T): T;
  /** Returns false when no call waits. */
  go(): Promise<boolean>;
  waiting(): number;
  dead(): boolean;
  kill(): void;
};

/** A tick runs after all microtasks, and is faster than a loop turn. */
const settleMicrotasks = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
const settleLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Decides whether a port call crashes before or after it took effect. */
export type Fate = (where: string) => 'before' | 'after' | null;

export const dieAt = (random: Random, n: number): Fate => {
  let left = n;
  return () => (left-- > 0 ? null : random.chance(0.5) ? 'after' : 'before');
};

/** `slow`: real processes answer, so calls are awaited. */
export const createLife = (random: Random, fate: Fate | null, points: Counts, slow = false): Life => {
  const queue: (() => void)[] = [];
  const underWay = new Set<Promise<unknown>>();
  let dead = false;

  const turn = (): Promise<void> => new Promise((resolve) => queue.push(resolve));

  const watched = (work: unknown): unknown => {
    if (!(work instanceof Promise)) return work;
    const done: Promise<unknown> = work.then(withMethodsWatched);
    underWay.add(done);
    const over = (): void => void underWay.delete(done);
    done.then(over, over);
    return done;
  };
  /** Returned objects may have methods (e.g. a tree): awaited, but no crash points. */
  const withMethodsWatched = (given: unknown): unknown => {
    if (given === null || typeof given !== 'object' || Array.isArray(given)) return given;
    const entries = Object.entries(given as Record<string, unknown>);
    if (!entries.some(([, v]) => typeof v === 'function')) return given;
    const methods = entries.map(([name, value]): [string, unknown] => [
      name,
      typeof value === 'function'
        ? (...args: unknown[]) => watched(Reflect.apply(value, given, args))
        : value,
    ]);
    return Object.fromEntries(methods);
  };
  const does = (f: () => unknown): unknown => (slow ? watched(f()) : f());

  const call = async (where: string, f: () => unknown): Promise<unknown> => {
    await turn();
    if (dead) throw CRASH;
    const end = fate?.(where) ?? null;
    if (end !== null) {
      dead = true;
      count(points, `crash ${end} ${where}`);
      // The call took effect, but nobody gets its answer.
      if (end === 'after') await does(f);
      throw CRASH;
    }
    count(points, where);
    return does(f);
  };

  const guard = <T extends object>(name: string, port: T): T => {
    const known = new Map<string | symbol, unknown>();
    const guarded = (target: T, key: string | symbol): unknown => {
      const value: unknown = Reflect.get(target, key);
      if (typeof key !== 'string') return value;
      const where = `${name}.${key}`;
      if (typeof value === 'object' && value !== null) return guard(where, value);
      // `places` only names a path.
      if (typeof value !== 'function' || key === 'places') return value;
      return (...args: unknown[]) => call(where, () => Reflect.apply(value, target, args) as unknown);
    };
    return new Proxy(port, {
      get: (target, key) => {
        if (!known.has(key)) known.set(key, guarded(target, key));
        return known.get(key);
      },
    });
  };

  return {
    guard,
    waiting: () => queue.length,
    dead: () => dead,
    kill: () => {
      dead = true;
    },
    async go() {
      if (queue.length === 0) {
        await settleLoop();
        if (queue.length === 0) return false;
      }
      const [next] = queue.splice(random.int(queue.length), 1);
      next?.();
      await settleMicrotasks();
      while (underWay.size > 0) {
        await Promise.allSettled(underWay);
        await settleMicrotasks();
      }
      return true;
    },
  };
};
