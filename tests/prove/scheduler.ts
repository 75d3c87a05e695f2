/**
 * The seeded scheduler: every call that crosses a port waits here, and chance decides which one
 * goes on, or where it all dies.
 */
import { count, type Counts } from './coverage.ts';
import type { Random } from './random.ts';

/** The process is dead: whatever it still tries to do does not happen. */
export class Crash extends Error {}
/** One for all: a trace of where it happened would say nothing, and costs. */
const CRASH = new Crash();

export type Life = {
  /**
   * Wraps a port so that each call is a point at which others may go first, and at which the
   * process may die.
   */
  guard<T extends object>(name: string, port: T): T;
  /** Lets one waiting call go on; false when none waits. */
  go(): Promise<boolean>;
  waiting(): number;
  dead(): boolean;
  kill(): void;
};

/** Ticks come after the last microtask, and cost less than a turn of the event loop. */
const settleMicrotasks = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
const settleLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Asked at each port call: does the process die here, before or after the call took effect? */
export type Fate = (where: string) => 'before' | 'after' | null;

/** Dies at the n-th port call, before or after it by chance. */
export const dieAt = (random: Random, n: number): Fate => {
  let left = n;
  return () => (left-- > 0 ? null : random.chance(0.5) ? 'after' : 'before');
};

/** `slow`: behind the ports are real processes, whose answers are waited for. */
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
  /**
   * What a port hands out may have calls of its own (reading a tree): no points to die at, but
   * waited for.
   */
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
      // What was asked for happened, but nobody lives to hear the answer.
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
      // The one port method that only names a path is not a call to anywhere.
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
