/** Finds the known word that a typed one most likely means. */

export const editDistance = (a: string, b: string): number => {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + same,
          swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
};

/** The only completion, or the only word one typo away (two for long words); else null. */
export const nearestWord = (typed: string, words: readonly string[]): string | null => {
  const word = typed.toLowerCase();
  const begun = word.length >= 3 ? words.filter((known) => known.startsWith(word)) : [];
  if (begun.length === 1) return begun[0] ?? null;
  const slips = (known: string): number => (Math.min(word.length, known.length) >= 6 ? 2 : 1);
  const [best, second] = words
    .map((known) => ({ known, far: editDistance(word, known) }))
    .filter(({ known, far }) => far <= slips(known) && far < word.length)
    .sort((a, b) => a.far - b.far);
  return best && best.far !== second?.far ? best.known : null;
};
