/** Says which lines of a file come nearest to those that were searched. */

const MAX_SHOWN_LINES = 12;
const MAX_COMPARED_LINE_LENGTH = 200;
const MOST_PLACES = 50;

const cutLine = (line: string): string =>
  line.length > MAX_COMPARED_LINE_LENGTH ? `${line.slice(0, MAX_COMPARED_LINE_LENGTH)}…` : line;
const identifiersOf = (line: string): string[] => line.match(/[A-Za-z_]\w+/g)?.slice(0, 40) ?? [];

const byLines = (
  file: readonly string[],
  search: readonly string[],
): { at: number; alike: number } | null => {
  const places = new Map<string, number[]>();
  file.forEach((line, i) => {
    const key = line.trim();
    if (key === '') return;
    const known = places.get(key);
    if (known === undefined) places.set(key, [i]);
    else if (known.length <= MOST_PLACES) known.push(i);
  });
  const votes = new Map<number, number>();
  search.forEach((line, i) => {
    const at = places.get(line.trim()) ?? [];
    if (at.length > MOST_PLACES) return;
    for (const place of at) votes.set(place - i, (votes.get(place - i) ?? 0) + 1);
  });
  let best: { at: number; alike: number } | null = null;
  for (const [at, alike] of votes) if (at >= 0 && (best === null || alike > best.alike)) best = { at, alike };
  return best;
};

const byWords = (file: readonly string[], search: readonly string[]): number | null => {
  const longest = search.reduce((a, b) => (b.trim().length > a.trim().length ? b : a), '');
  const wanted = new Set(identifiersOf(longest));
  if (wanted.size === 0) return null;
  let best = { at: -1, shared: 1 };
  file.slice(0, 50_000).forEach((line, at) => {
    const shared = new Set(identifiersOf(line.slice(0, 2_000)).filter((word) => wanted.has(word))).size;
    if (shared > best.shared) best = { at, shared };
  });
  return best.at < 0 ? null : Math.max(0, best.at - search.indexOf(longest));
};

const whatDiffers = (yours: string, theirs: string): string => {
  if (yours.trim() === theirs.trim()) return 'its indentation differs';
  if (yours.trim().toLowerCase() === theirs.trim().toLowerCase()) return 'upper and lower case differ';
  return 'it differs';
};

export const describeNearestLines = (file: readonly string[], search: readonly string[]): string => {
  const found = byLines(file, search);
  const at = found?.at ?? byWords(file, search);
  if (at === null) return 'Nothing in the file comes close. Read it first.';
  const there = file.slice(at, at + Math.min(search.length, MAX_SHOWN_LINES));
  const shown = there.map((line, i) => `${String(at + i + 1).padStart(5)} | ${cutLine(line)}`);
  const odd = search.findIndex((line, i) => line !== (file[at + i] ?? ''));
  const detail =
    odd < 0
      ? []
      : [
          `The first that is not alike is line ${odd + 1} of yours; ${whatDiffers(search[odd] ?? '', file[at + odd] ?? '')}:`,
          `  yours: ${cutLine(search[odd] ?? '')}`,
          `  file:  ${at + odd < file.length ? cutLine(file[at + odd] ?? '') : '(the file ends here)'}`,
        ];
  const alike = found === null ? '' : `, ${found.alike} of ${search.length} lines are alike`;
  return [`The nearest place is line ${at + 1}${alike}:`, ...shown, ...detail].join('\n');
};
