/** A bounded cache for values that never change. */

export const createBoundedCache = <T>(most: number, weigh: (value: T) => number) => {
  const kept = new Map<string, T>();
  let weight = 0;
  const dropEntry = (key: string, value: T): void => {
    kept.delete(key);
    weight -= weigh(value);
  };
  return {
    get: (key: string): T | undefined => {
      const value = kept.get(key);
      if (value === undefined) return undefined;
      kept.delete(key);
      kept.set(key, value);
      return value;
    },
    add: (key: string, value: T): void => {
      const before = kept.get(key);
      if (before !== undefined) dropEntry(key, before);
      if (weigh(value) > most) return;
      kept.set(key, value);
      weight += weigh(value);
      for (const [oldest, old] of kept) {
        if (weight <= most) break;
        dropEntry(oldest, old);
      }
    },
  };
};
