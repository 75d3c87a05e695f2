/** F9: open pull requests for the same: what an agent would do may be done already. */
import { z } from 'zod';

export const CompetingPull = z.object({
  id: z.string().max(300),
  url: z.string().max(1_000),
  title: z.string().max(300),
  author: z.string().max(200),
  /** It names the issue, or changes the same files. */
  matchedBy: z.enum(['issue', 'files']),
});
export type CompetingPull = z.infer<typeof CompetingPull>;

/** As many are told of. */
export const MAX_COMPETING_PULLS = 5;

/** Whether words of a pull request name an issue: `#12`, or its address. */
export const namesIssue = (words: string, issue: string): boolean => {
  const number = /\d+$/.exec(issue)?.[0];
  return number !== undefined && new RegExp(`(?:#|issues/)${number}(?!\\d)`).test(words);
};

/** Files of the repository that the goal names: by their path, or by a name that is there once. */
export const pathsNamed = (goal: string, paths: readonly string[]): string[] => {
  const named = new Set(goal.match(/[\w.@+/-]+\.[a-zA-Z]\w{0,9}\b/g) ?? []);
  return [...named].slice(0, 10).flatMap((name) => {
    const plain = name.replace(/^\.?\//, '');
    const found = paths.filter((p) => p === plain || p.endsWith(`/${plain}`));
    return found.length === 1 ? found : [];
  });
};
