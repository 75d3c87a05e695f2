/** Reads comments on a pull request and on its lines: newest 100, oldest first. */
import { z } from 'zod';
import type { CommentFacts } from '#ports/forge';
import { conversationThreadId, cutRemark, type ReviewRemark } from '#model/review';
import { createAccessReader } from './author-access.ts';
import { ITEMS_PER_PAGE, type GitHubClient, type RepositoryParams } from './github-client.ts';

/** GitHub marks Apps as bots; some bots use ordinary accounts. */
const Author = z
  .object({ login: z.string(), type: z.string().nullish(), id: z.number().optional() })
  .nullish();
const REVIEW_BOT_LOGIN =
  /^(?:copilot|copilot-pull-request-reviewer|coderabbitai|renovate|renovate-bot|dependabot|github-actions|sourcery-ai|gemini-code-assist|codecov|codecov-commenter|sonarcloud|deepsource-autofix)$|\[bot\]$/i;
export const isBotAuthor = (user: z.infer<typeof Author>): boolean =>
  user?.type === 'Bot' || REVIEW_BOT_LOGIN.test(user?.login ?? '');

const Written = z.object({
  id: z.number(),
  user: Author,
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
    start_line: z.number().nullish(),
    side: z.string().nullish(),
    subject_type: z.string().nullish(),
    in_reply_to_id: z.number().nullish(),
    diff_hunk: z.string().nullish(),
    html_url: z.string().default(''),
  }),
);
const OnPull = z.array(Written.extend({ html_url: z.string() }));
const Counted = z.object({ comments: z.number().default(0) });

const creationTimeOf = (one: Written): number => Date.parse(one.created_at) || 0;
const oldestFirst = <W extends Written>(all: readonly W[]): W[] =>
  [...all].sort((a, b) => creationTimeOf(a) - creationTimeOf(b) || a.id - b.id);

const lastOnLines = (
  client: GitHubClient,
  repo: RepositoryParams,
  number: number,
): Promise<z.infer<typeof OnLines>> => {
  const newest = { sort: 'created', direction: 'desc', per_page: ITEMS_PER_PAGE };
  const route = '/repos/{owner}/{repo}/pulls/{pull_number}/comments';
  return client.get(route, { ...repo, pull_number: number, ...newest }, OnLines);
};

/** GitHub files line comments as reviews without a body. `whole` is false when the list was cut. */
export const remarksOnLines = async (
  client: GitHubClient,
  repo: RepositoryParams,
  number: number,
  us: string,
): Promise<{ of: ReadonlyMap<number, ReviewRemark[]>; whole: boolean }> => {
  const of = new Map<number, ReviewRemark[]>();
  const found = oldestFirst(await lastOnLines(client, repo, number));
  for (const [i, one] of found.entries()) {
    const { pull_request_review_id: review } = one;
    if (typeof review !== 'number') continue;
    const isOurAnswer = (later: (typeof found)[number]): boolean =>
      later.user?.login === us && threadIdOf(later) === threadIdOf(one);
    const answered = found.slice(i + 1).some(isOurAnswer) ? ({ answered: true } as const) : {};
    of.set(review, [...(of.get(review) ?? []), { ...remarkOf(one), ...answered }]);
  }
  return { of, whole: found.length < ITEMS_PER_PAGE };
};

const threadIdOf = ({ id, in_reply_to_id: first }: z.infer<typeof OnLines>[number]): string =>
  String(first ?? id);

const remarkOf = (one: z.infer<typeof OnLines>[number]): ReviewRemark =>
  cutRemark({
    id: String(one.id),
    thread: threadIdOf(one),
    path: one.path,
    line: lineOf(one),
    hunk: one.diff_hunk ?? '',
    body: one.body ?? '',
    url: one.html_url,
    ...(typeof one.start_line === 'number' && lineOf(one) !== null ? { start: one.start_line } : {}),
    ...coAuthor(one.user, one.html_url),
  });

/** No-reply address (GitHub, "Creating a commit with multiple authors"). */
const coAuthor = (user: z.infer<typeof Author>, page: string): { by?: string } =>
  user?.id === undefined || !/^[\w.-]{1,60}$/.test(user.login)
    ? {}
    : { by: `${user.login} <${user.id}+${user.login}@users.noreply.${mailHost(page)}>` };

/** Each GitHub server has its own no-reply domain. */
const mailHost = (page: string): string => {
  const { hostname = '' } = URL.parse(page) ?? {};
  return /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(hostname) ? hostname : 'github.com';
};

const lineOf = ({ side, subject_type: type, line }: z.infer<typeof OnLines>[number]): number | null =>
  side === 'LEFT' || type === 'file' ? null : (line ?? null);

export const formatRemarks = (remarks: readonly ReviewRemark[]): string =>
  remarks
    .map(({ path, line, body }) => `${line === null ? (path ?? '') : `${path ?? ''}:${line}`}: ${body}`)
    .join('\n')
    .slice(0, MAX_REMARKS_LENGTH);
const MAX_REMARKS_LENGTH = 65_536;

/** Uncached, to find an answer that was already posted. */
export const readOurReplies = async (
  client: GitHubClient,
  repo: RepositoryParams,
  number: number,
  us: string,
) => {
  const route = '/repos/{owner}/{repo}/pulls/{pull_number}/comments';
  const newest = { ...repo, pull_number: number, sort: 'created', direction: 'desc' };
  const all = await client.pages(
    route,
    newest,
    OnLines,
    (page) => page,
    () => undefined,
  );
  const inThreads = all
    .filter(({ user }) => user?.login === us)
    .map(({ id, in_reply_to_id: to, body, html_url: url }) => ({
      thread: String(to ?? id),
      body: body ?? '',
      url,
    }));
  const said = (await lastComments(client, repo, number)).filter(({ user }) => user?.login === us);
  return [
    ...inThreads,
    ...said.map(({ body, html_url: url }) => ({ thread: conversationThreadId(url), body: body ?? '', url })),
  ];
};

export const readCommentsOfOthers = async (
  client: GitHubClient,
  repo: RepositoryParams,
  number: number,
  us: string,
): Promise<CommentFacts[]> => {
  const found = oldestFirst(await lastComments(client, repo, number));
  const others = found.filter((one) => one.user?.login !== us);
  const lastOfOurs = found.findLastIndex((one) => one.user?.login === us);
  const access = createAccessReader(client, repo);
  return Promise.all(
    others.slice(-ITEMS_PER_PAGE).map(async (one) => ({
      author: one.user?.login ?? 'ghost',
      access: await access(one.user?.login ?? null, one.author_association),
      body: one.body ?? '',
      url: one.html_url,
      createdAt: creationTimeOf(one),
      ...(isBotAuthor(one.user) ? ({ bot: true } as const) : {}),
      ...(found.indexOf(one) < lastOfOurs ? ({ answered: true } as const) : {}),
    })),
  );
};

/** Oldest first only; a 304 has no `last` link, so the page is computed from the comment count. */
const lastComments = async (
  client: GitHubClient,
  repo: RepositoryParams,
  number: number,
): Promise<z.infer<typeof OnPull>> => {
  const pull = await client.get(
    '/repos/{owner}/{repo}/pulls/{pull_number}',
    { ...repo, pull_number: number },
    Counted,
  );
  // One page more, as our own comments do not count.
  const from = Math.max(1, Math.ceil(pull.comments / ITEMS_PER_PAGE) - 1);
  return client.pages(
    '/repos/{owner}/{repo}/issues/{issue_number}/comments',
    { ...repo, issue_number: number },
    OnPull,
    (page) => page,
    () => undefined,
    from,
  );
};
