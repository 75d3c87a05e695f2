/** Reads a block without what models add to both of its halves. */
import type { SearchReplace } from './edit-types.ts';
import { isBlankLine } from './file-text.ts';

type LinesOf = (lines: readonly string[]) => readonly string[];
type Addition = {
  stands: (block: SearchReplace, hunk: boolean) => boolean;
  without: LinesOf;
};

const NUMBERED = /^\s*\d+\s?(?:\||:|→|\t) ?/;
const isNumbered = (lines: readonly string[]): boolean =>
  lines.every((line) => isBlankLine(line) || NUMBERED.test(line));

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

const ADDITIONS: Readonly<Record<'fences' | 'numbers' | 'entities', Addition>> = {
  fences: {
    stands: ({ search, replace }) => isFenced(search) && (replace.length === 0 || isFenced(replace)),
    without: (lines) => lines.slice(1, -1),
  },
  numbers: {
    stands: ({ search, replace }) =>
      search.length > 0 && isNumbered(search) && (replace.every(isBlankLine) || isNumbered(replace)),
    without: (lines) => lines.map((line) => line.replace(NUMBERED, '')),
  },
  entities: {
    stands: ({ search }, hunk) => !hunk && search.some((line) => ENTITY.test(line)),
    without: (lines) =>
      lines.map((line) => line.replace(ENTITIES_IN, (entity) => ENTITIES[entity] ?? entity)),
  },
};

const blankAtStart = (lines: readonly string[]): number => {
  const first = lines.findIndex((line) => !isBlankLine(line));
  return first < 0 ? lines.length : first;
};

const withoutBlankEnds = ({ search, replace }: SearchReplace): SearchReplace | null => {
  const start = blankAtStart(search);
  const end = blankAtStart(search.toReversed());
  if (start + end === 0 || start === search.length) return null;
  const [ours, theirs] = [blankAtStart(replace), blankAtStart(replace.toReversed())];
  return {
    search: search.slice(start, search.length - end),
    replace:
      ours === replace.length
        ? []
        : replace.slice(Math.min(start, ours), replace.length - Math.min(end, theirs)),
  };
};

export const listReadingVariants = (
  reading: SearchReplace,
  { hunk }: { hunk: boolean },
): readonly SearchReplace[] =>
  [
    reading,
    ...(reading.unmarked === undefined ? [] : [reading.unmarked]),
    ...Object.values(ADDITIONS)
      .filter(({ stands }) => stands(reading, hunk))
      .map(({ without }) => ({ search: without(reading.search), replace: without(reading.replace) })),
  ].flatMap((one) => {
    const less = withoutBlankEnds(one);
    return less === null ? [one] : [one, less];
  });
