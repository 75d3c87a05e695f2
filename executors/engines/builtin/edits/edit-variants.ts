/** Other readings of a block, by common additions of models. */
import type { SearchReplace } from './edit-types.ts';

const both = (
  { search, replace }: SearchReplace,
  by: (lines: readonly string[]) => readonly string[],
): SearchReplace => ({
  search: by(search),
  replace: by(replace),
});

const blankAtStart = (lines: readonly string[]): number => {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first < 0 ? lines.length : first;
};

const bare = ({ search, replace }: SearchReplace): SearchReplace | null => {
  const start = blankAtStart(search);
  const end = blankAtStart(search.toReversed());
  if (start + end === 0 || start === search.length) return null;
  const [ours, theirs] = [blankAtStart(replace), blankAtStart(replace.toReversed())];
  const empty = ours === replace.length;
  return {
    search: search.slice(start, search.length - end),
    replace: empty ? [] : replace.slice(Math.min(start, ours), replace.length - Math.min(end, theirs)),
  };
};

const NUMBERED = /^\s*\d+\s?(?:\||:|→|\t)\s?(.*)$/;
const isNumbered = (lines: readonly string[]): boolean =>
  lines.length > 0 && lines.every((line) => line.trim() === '' || NUMBERED.test(line));
const unnumbered = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/^\s*\d+\s?(?:\||:|→|\t) ?/, ''));

const FENCE = /^\s*(?:```|~~~)/;
const isFenced = (lines: readonly string[]): boolean =>
  lines.length >= 2 && FENCE.test(lines[0] ?? '') && FENCE.test(lines.at(-1) ?? '');

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&amp;': '&',
};
const ENTITY = /&(?:lt|gt|quot|#39|apos|amp);/;
const ENTITIES_IN = new RegExp(ENTITY, 'g');
const unescaped = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(ENTITIES_IN, (entity) => ENTITIES[entity] ?? entity));

export const variantsOf = (reading: SearchReplace, hunk: boolean): readonly SearchReplace[] => {
  const { search, replace, unmarked } = reading;
  const all: SearchReplace[] = unmarked === undefined ? [reading] : [reading, unmarked];
  if (isFenced(search) && (replace.length === 0 || isFenced(replace)))
    all.push(both(reading, (lines) => lines.slice(1, -1)));
  if (isNumbered(search) && (isNumbered(replace) || replace.every((line) => line.trim() === '')))
    all.push(both(reading, unnumbered));
  if (!hunk && search.some((line) => ENTITY.test(line))) all.push(both(reading, unescaped));
  return all.flatMap((one) => {
    const less = bare(one);
    return less === null ? [one] : [one, less];
  });
};
