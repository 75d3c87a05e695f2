/** What people wrote about a pull request: on lines of its diff, and on itself. Newest 100, oldest first. */
import { z } from 'zod';
import type { CommentFacts, ThreadFacts } from '../orchestrator/ports.ts';
import { accessOf } from './access.ts';
import { PAGE, type Client, type Named } from './client.ts';

const Written = z.object({
  id: z.number(),
  user: z.object({ login: z.string() }).nullish(),
  body: z.string().nullish(),
  created_at: z.string(),
  author_association: z.string().default('NONE'),
});
type Written = z.infer<typeof Written>;
const OnLines = z.array(
  Written.extend({
    path: z.string(),
    pull_request_review_id: z.number().nullish(),
    line: z.number().nullish(),
    side: z.string().nullish(),
    subject_type: z.string().nullish(),
  }),
);
const OnPull = z.array(Written.extend({ html_url: z.string() }));
const Counted = z.object({ comments: z.number().default(0) });

const at = (one: Written): number => Date.parse(one.created_at) || 0;
const oldestFirst = <W extends Written>(all: readonly W[]): W[] =>
  [...all].sort((a, b) => at(a) - at(b) || a.id - b.id);

const lastOnLines = (client: Client, repo: Named, number: number): Promise<z.infer<typeof OnLines>> => {
  // This list can be asked for from its end.
  const newest = { sort: 'created', direction: 'desc', per_page: PAGE };
  const route = '/repos/{owner}/{repo}/pulls/{pull_number}/comments';
  return client.get(route, { ...repo, pull_number: number, ...newest }, OnLines);
};

/** What reviews say of lines, by their numbers: GitHub files a comment on a line as a review that has no words of its own. */
export const wordsOnLines = async (
  client: Client,
  repo: Named,
  number: number,
): Promise<ReadonlyMap<number, string>> => {
  const words = new Map<number, string>();
  for (const one of oldestFirst(await lastOnLines(client, repo, number))) {
    const { pull_request_review_id: review, path, line, body } = one;
    if (typeof review !== 'number') continue;
    const where = typeof line === 'number' ? `${path}:${line}` : path;
    const all = [words.get(review) ?? [], `${where}: ${body ?? ''}`].flat();
    words.set(review, all.join('\n').slice(0, MOST_WORDS));
  }
  return words;
};
/** As many as one comment may have at most (characters). */
const MOST_WORDS = 65_536;

export const readThreads = async (client: Client, repo: Named, number: number): Promise<ThreadFacts[]> => {
  const found = await lastOnLines(client, repo, number);
  const access = accessOf(client, repo);
  return Promise.all(
    oldestFirst(found).map(async (one) => ({
      author: one.user?.login ?? 'ghost',
      access: await access(one.user?.login ?? null, one.author_association),
      path: one.path,
      // A line of the old file, or of none, is no line of ours.
      line: one.side === 'LEFT' || one.subject_type === 'file' ? null : (one.line ?? null),
      body: one.body ?? '',
      createdAt: at(one),
    })),
  );
};

/** `us` is whose comments are left out. */
export const readComments = async (
  client: Client,
  repo: Named,
  number: number,
  us: string,
): Promise<CommentFacts[]> => {
  const found = await lastComments(client, repo, number);
  const others = oldestFirst(found).filter((one) => one.user?.login !== us);
  const access = accessOf(client, repo);
  return Promise.all(
    others.slice(-PAGE).map(async (one) => ({
      author: one.user?.login ?? 'ghost',
      access: await access(one.user?.login ?? null, one.author_association),
      body: one.body ?? '',
      url: one.html_url,
      createdAt: at(one),
    })),
  );
};

/**
 * This list comes oldest first. How long it is, the pull request says: GitHub's link to the last page comes with the first
 * one, which may answer 304 while the list grows. Somebody may have written since, so we read on to the end.
 */
const lastComments = async (client: Client, repo: Named, number: number): Promise<z.infer<typeof OnPull>> => {
  const pull = await client.get(
    '/repos/{owner}/{repo}/pulls/{pull_number}',
    { ...repo, pull_number: number },
    Counted,
  );
  // A page more than the last, since comments of ours do not count.
  const from = Math.max(1, Math.ceil(pull.comments / PAGE) - 1);
  return client.pages(
    '/repos/{owner}/{repo}/issues/{issue_number}/comments',
    { ...repo, issue_number: number },
    OnPull,
    (page) => page,
    // What comes after so many more is read when they are.
    () => undefined,
    from,
  );
};
