/** Entries of `after` that `before` lacks, by their keys; a key counts as often as it stands there. */
export const findNewEntries = <T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (entry: T) => string,
): readonly T[] => {
  const known = new Map<string, number>();
  for (const entry of before) known.set(keyOf(entry), (known.get(keyOf(entry)) ?? 0) + 1);
  return after.filter((entry) => {
    const left = known.get(keyOf(entry)) ?? 0;
    known.set(keyOf(entry), left - 1);
    // guard: E9-new-faults-only
    if (left > 0) return false;
    return true;
  });
};
