/** Finds open pull requests that may already do the same (F9). */
import { z } from 'zod';

export const CompetingPull = z.object({
  id: z.string().max(300),
  url: z.string().max(1_000),
  title: z.string().max(300),
  author: z.string().max(200),
  matchedBy: z.enum(['issue', 'files']),
});
export type CompetingPull = z.infer<typeof CompetingPull>;

export const MAX_COMPETING_PULLS = 5;

/** `unread`: what of the code host could not be read in full, so that one may be missing. */
export type CompetingPulls = { pulls: CompetingPull[]; unread?: string };

/** `home`: the address of the repository that the words are from; others' issues have numbers too. */
export const isIssueNamed = (words: string, issue: string, home: string): boolean => {
  const number = /(?<!\d)\d+$/.exec(issue)?.[0];
  const address = home.toLowerCase();
  const name = address.split('/').slice(-2).join('/');
  const places = ['', '..', name, address.split(':').at(-1)];
  const reference = new RegExp(`^(?:gh-|(.*?)(?:#|/issues/))${number}(?!\\d)`);
  // guard: F10-whose-number
  return words
    .toLowerCase()
    .split(/[^\w./#-]+/)
    .some((word) => {
      const found = reference.exec(word);
      return found !== null && places.includes(found[1] ?? '');
    });
};

/** The start of a word up to its last extension: none in `.gitignore`, `src/a.ts` in `src/a.ts-`. */
const pathIn = (word: string): string | null => {
  const last = [...word.matchAll(/\.[a-zA-Z]\w{0,9}\b/g)].at(-1);
  return last === undefined || last.index === 0 ? null : word.slice(0, last.index + last[0].length);
};

export const findMentionedPaths = (goal: string, paths: readonly string[]): string[] => {
  const words = goal.match(/[\w.@+/-]+/g) ?? [];
  const named = new Set(words.map(pathIn).filter((path) => path !== null));
  return [...named].slice(0, 10).flatMap((name) => {
    const plain = name.replace(/^\.?\//, '');
    const found = paths.filter((p) => p === plain || p.endsWith(`/${plain}`));
    return found.length === 1 ? found : [];
  });
};
