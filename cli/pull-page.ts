/** The part of GitHub's answer to "get a pull request" that is looked at; events of it have the same. */
import { z } from 'zod';
import type { ShownPull } from '#receipts';

const PullPage = z.object({
  title: z.string(),
  body: z.string().nullable(),
  head: z.object({ sha: z.string() }),
  base: z.object({ ref: z.string(), repo: z.object({ full_name: z.string() }) }),
});

/** Null for anything else. */
export const parsePull = (page: unknown): ShownPull | null => {
  const read = PullPage.safeParse(page);
  if (!read.success) return null;
  const { title, body, head, base } = read.data;
  return { repo: base.repo.full_name, base: base.ref, head: head.sha, title, body: body ?? '' };
};
