/** Compares lines of a block with lines of a file: where they fit, what comes near, which indentation. */

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

const MAX_SHOWN_LINES = 12;
const MAX_COMPARED_LINE_LENGTH = 200;
const MOST_PLACES = 50;

const cut = (line: string): string =>
  line.length > MAX_COMPARED_LINE_LENGTH ? `${line.slice(0, MAX_COMPARED_LINE_LENGTH)}…` : line;
const words = (line: string): string[] => line.match(/[A-Za-z_]\w+/g)?.slice(0, 40) ?? [];

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
  const wanted = new Set(words(longest));
  if (wanted.size === 0) return null;
  let best = { at: -1, shared: 1 };
  file.slice(0, 50_000).forEach((line, at) => {
    const shared = new Set(words(line.slice(0, 2_000)).filter((word) => wanted.has(word))).size;
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
  const shown = there.map((line, i) => `${String(at + i + 1).padStart(5)} | ${cut(line)}`);
  const odd = search.findIndex((line, i) => line !== (file[at + i] ?? ''));
  const detail =
    odd < 0
      ? []
      : [
          `The first that is not alike is line ${odd + 1} of yours; ${whatDiffers(search[odd] ?? '', file[at + odd] ?? '')}:`,
          `  yours: ${cut(search[odd] ?? '')}`,
          `  file:  ${at + odd < file.length ? cut(file[at + odd] ?? '') : '(the file ends here)'}`,
        ];
  const alike = found === null ? '' : `, ${found.alike} of ${search.length} lines are alike`;
  return [`The nearest place is line ${at + 1}${alike}:`, ...shown, ...detail].join('\n');
};

const MAX_LINE_MATCHES = 20;

export const findLineSequences = (hay: readonly string[], needle: readonly string[], from = 0): number[] => {
  if (needle.length === 0) return [];
  const back: number[] = [0];
  for (let i = 1, k = 0; i < needle.length; i += 1) {
    while (k > 0 && needle[i] !== needle[k]) k = back[k - 1] ?? 0;
    if (needle[i] === needle[k]) k += 1;
    back.push(k);
  }
  const found: number[] = [];
  for (let i = from, k = 0; i < hay.length && found.length < MAX_LINE_MATCHES; i += 1) {
    while (k > 0 && hay[i] !== needle[k]) k = back[k - 1] ?? 0;
    if (hay[i] === needle[k]) k += 1;
    if (k < needle.length) continue;
    found.push(i - k + 1);
    k = back[k - 1] ?? 0;
  }
  return found;
};

const TYPED: readonly [RegExp, string][] = [
  [/[\u2018\u2019\u201A\u201B]/g, "'"],
  [/[\u201C\u201D\u201E\u201F]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/\u2026/g, '...'],
  [/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, ' '],
];

export type LineFit = 'exact' | 'trailing' | 'indented' | 'typed';
export const LINE_FITS: readonly [LineFit, (line: string) => string][] = [
  ['exact', (line) => line],
  ['trailing', (line) => line.trimEnd()],
  ['indented', (line) => line.trim()],
  [
    'typed',
    (line) =>
      TYPED.reduce((text, [from, to]) => text.replace(from, to), line)
        .trim()
        .replace(/\s+/g, ' '),
  ],
];
