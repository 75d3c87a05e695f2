/** Finds lines in a file in linear time. */

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
