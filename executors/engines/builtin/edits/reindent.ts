/** Writes new lines with the indentation of the lines that they replace. */
import type { SearchReplace } from './edit-types.ts';
import { type FileLine, isBlankLine } from './file-text.ts';

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';

type ReindentLine = (line: string) => string | null;

type Pair = readonly [searched: string, found: string];

const findShiftRule = (pairs: readonly Pair[]): ReindentLine | null => {
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

const isOnly = (text: string, of: string): boolean => text.replaceAll(of, '') === '';
const STEPS = [4, 2, 8, 3];

const findScaleRule = (pairs: readonly Pair[]): ReindentLine | null => {
  const deep = pairs.filter(([s, f]) => s !== '' || f !== '');
  if (deep.length === 0) return null;
  for (const [from, to] of [
    [' ', '\t'],
    ['\t', ' '],
    [' ', ' '],
  ] as const) {
    if (!deep.every(([s, f]) => isOnly(s, from) && isOnly(f, to))) continue;
    for (const a of from === '\t' ? [1] : STEPS)
      for (const b of to === '\t' ? [1] : STEPS) {
        if (a === b || !deep.every(([s, f]) => s.length % a === 0 && (s.length / a) * b === f.length))
          continue;
        return (line) => {
          const own = indentOf(line);
          if (!isOnly(own, from) || own.length % a !== 0) return null;
          return to.repeat((own.length / a) * b) + line.slice(own.length);
        };
      }
  }
  return null;
};

/** Null if there is no rule; the rule returns null for a line it cannot convert. */
const reindentBy = (searched: readonly string[], found: readonly string[]): ReindentLine | null => {
  const pairs = searched.flatMap((line, i): Pair[] =>
    isBlankLine(line) ? [] : [[indentOf(line), indentOf(found[i] ?? '')]],
  );
  const known = new Map<string, string>();
  for (const [s, f] of pairs) {
    if ((known.get(s) ?? f) !== f) return null;
    known.set(s, f);
  }
  const rule = findShiftRule(pairs) ?? findScaleRule(pairs);
  return (line) => {
    if (isBlankLine(line)) return line;
    const own = indentOf(line);
    const there = known.get(own);
    return there === undefined ? (rule?.(line) ?? null) : there + line.slice(own.length);
  };
};

/** Lines that stay are written as the file has them; null where the indentation of a new line does not follow. */
export const reindentReplacement = (
  { search, replace }: SearchReplace,
  found: readonly FileLine[],
): readonly FileLine[] | null => {
  const rule = reindentBy(
    search,
    found.map(({ text }) => text),
  );
  if (rule === null) return null;
  const tail = commonTail(search, replace);
  const lines: FileLine[] = [];
  let next = 0;
  for (const [i, line] of replace.entries()) {
    const fromEnd = replace.length - i;
    const same = fromEnd <= tail ? search.length - fromEnd : search.indexOf(line, next);
    const kept = same >= 0 && (fromEnd <= tail || same < search.length - tail) ? found[same] : undefined;
    if (kept !== undefined) {
      lines.push(kept);
      next = same + 1;
      continue;
    }
    const text = rule(line);
    if (text === null) return null;
    lines.push({ text, end: '' });
  }
  return lines;
};
const commonTail = (searched: readonly string[], found: readonly string[]): number => {
  let n = 0;
  while (
    n < searched.length &&
    n < found.length &&
    searched[searched.length - 1 - n] === found[found.length - 1 - n]
  )
    n += 1;
  return n;
};
