/** Finds the known word that a typed one most likely means. */

export const editDistance = (left: string, right: string): number => {
  let before: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, i) => i);
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
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
  return last[right.length] ?? 0;
};

/** The only completion, or the only word one typo away (two for long words); else null. */
export const nearestWord = (typed: string, words: readonly string[]): string | null => {
  const word = typed.toLowerCase();
  const begun = word.length >= 3 ? words.filter((known) => known.startsWith(word)) : [];
  if (begun.length === 1) return begun[0] ?? null;
  const maxSlips = (known: string): number => (Math.min(word.length, known.length) >= 6 ? 2 : 1);
  const [best, second] = words
    .map((known) => ({ known, far: editDistance(word, known) }))
    .filter(({ known, far }) => far <= maxSlips(known) && far < word.length)
    .sort((a, b) => a.far - b.far);
  return best && best.far !== second?.far ? best.known : null;
};
