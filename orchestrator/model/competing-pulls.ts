/** F9: finds open pull requests that may already do the same. */
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

export const namesIssue = (words: string, issue: string): boolean => {
  const number = /\d+$/.exec(issue)?.[0];
  return number !== undefined && new RegExp(`(?:#|issues/)${number}(?!\\d)`).test(words);
};

export const pathsNamed = (goal: string, paths: readonly string[]): string[] => {
  const named = new Set(goal.match(/[\w.@+/-]+\.[a-zA-Z]\w{0,9}\b/g) ?? []);
  return [...named].slice(0, 10).flatMap((name) => {
    const plain = name.replace(/^\.?\//, '');
    const found = paths.filter((p) => p === plain || p.endsWith(`/${plain}`));
    return found.length === 1 ? found : [];
  });
};
