/** Adapts the indentation of a model's lines to the file's. */

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';
const isBlank = (line: string): boolean => line.trim() === '';

export type ReindentLine = (line: string) => string | null;

type Pair = readonly [searched: string, found: string];

const shifted = (pairs: readonly Pair[]): ReindentLine | null => {
  const [first] = pairs;
  if (first === undefined) return (line) => line;
  const [searched, found] = first;
  if (found.endsWith(searched)) {
    const more = found.slice(0, found.length - searched.length);
    if (pairs.every(([s, f]) => f === more + s)) return (line) => more + line;
  }
  if (searched.endsWith(found)) {
    const less = searched.slice(0, searched.length - found.length);
    if (pairs.every(([s, f]) => s === less + f))
      return (line) => (line.startsWith(less) ? line.slice(less.length) : null);
  }
  return null;
};

const only = (text: string, of: string): boolean => text.replaceAll(of, '') === '';
const STEPS = [4, 2, 8, 3];

const scaled = (pairs: readonly Pair[]): ReindentLine | null => {
  const deep = pairs.filter(([s, f]) => s !== '' || f !== '');
  if (deep.length === 0) return null;
  for (const [from, to] of [
    [' ', '\t'],
    ['\t', ' '],
    [' ', ' '],
  ] as const) {
    if (!deep.every(([s, f]) => only(s, from) && only(f, to))) continue;
    for (const a of from === '\t' ? [1] : STEPS)
      for (const b of to === '\t' ? [1] : STEPS) {
        if (a === b || !deep.every(([s, f]) => s.length % a === 0 && (s.length / a) * b === f.length))
          continue;
        return (line) => {
          const own = indentOf(line);
          if (!only(own, from) || own.length % a !== 0) return null;
          return to.repeat((own.length / a) * b) + line.slice(own.length);
        };
      }
  }
  return null;
};

/** Null if there is no rule; the rule returns null for a line it cannot convert. */
export const reindentBy = (searched: readonly string[], found: readonly string[]): ReindentLine | null => {
  const pairs = searched.flatMap((line, i): Pair[] =>
    isBlank(line) ? [] : [[indentOf(line), indentOf(found[i] ?? '')]],
  );
  const known = new Map<string, string>();
  for (const [s, f] of pairs) {
    if ((known.get(s) ?? f) !== f) return null;
    known.set(s, f);
  }
  const rule = shifted(pairs) ?? scaled(pairs);
  return (line) => {
    if (isBlank(line)) return line;
    const own = indentOf(line);
    const there = known.get(own);
    return there === undefined ? (rule?.(line) ?? null) : there + line.slice(own.length);
  };
};
