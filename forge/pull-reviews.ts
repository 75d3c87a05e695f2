/** Reads reviews with the access of their authors (F6). */
import { z } from 'zod';
import type { ReviewFacts } from '#ports/forge';
import { createAccessReader, type ReadAuthorAccess } from './author-access.ts';
import { fallBackWhenHidden, type GitHubClient, type RepositoryParams } from './github-client.ts';
import { isBotAuthor, remarksOnLines, formatRemarks } from './pull-comments.ts';
import { cutRemark, MAX_REMARKS, type ReviewRemark } from '#model/review';

const Login = z.object({ login: z.string(), type: z.string().nullish() });
const Review = z.object({
  id: z.number(),
  html_url: z.string(),
  user: Login.nullish(),
  state: z.string(),
  commit_id: z.string().nullish(),
  body: z.string().nullish(),
  submitted_at: z.string().nullish(),
  author_association: z.string().default('NONE'),
});
const Reviews = z.array(Review);

export const readReviews = async (
  client: GitHubClient,
  repo: RepositoryParams,
  number: number,
  login: () => Promise<string>,
): Promise<ReviewFacts[]> => {
  const at = { ...repo, pull_number: number };
  const listed = await client.pages(
    '/repos/{owner}/{repo}/pulls/{pull_number}/reviews',
    at,
    Reviews,
    (p) => p,
  );
  const access = createAccessReader(client, repo);
  const facts = (await Promise.all(listed.map((review) => reviewFacts(review, access)))).filter(
    (f) => f !== null,
  );
  if (facts.length === 0) return facts;
  const us = await login();
  const onLines = await fallBackWhenHidden(remarksOnLines(client, repo, number, us), null);
  // Leaves out our own comments.
  return facts
    .filter(({ reviewer, state }) => reviewer !== us || (state !== 'remarked' && state !== 'withdrawn'))
    .map((one) =>
      withRemarks(one, onLines?.of.get(Number(one.id)) ?? [], { whole: onLines?.whole ?? false }),
    );
};

/** Splits reviews into comments to choose from, but not those of outsiders and bots. */
const withRemarks = (
  one: ReviewFacts,
  said: readonly ReviewRemark[],
  { whole }: { whole: boolean },
): ReviewFacts => {
  if (said.length === 0) return whole ? { ...one, remarks: [], hasAllRemarks: true } : one;
  if (one.bot || one.access === 'read')
    return one.state === 'approved' || one.state === 'withdrawn'
      ? one
      : { ...one, body: [one.body, formatRemarks(said)].filter(Boolean).join('\n\n') };
  const { id, url, body } = one;
  const own: ReviewRemark = cutRemark({
    id: `review:${id}`,
    thread: '',
    path: null,
    line: null,
    hunk: '',
    body,
    url,
  });
  const all = [...(body.trim() === '' ? [] : [own]), ...said];
  return { ...one, remarks: all.slice(0, MAX_REMARKS), hasAllRemarks: whole && all.length <= MAX_REMARKS };
};

const STATES = new Map<string, ReviewFacts['state']>([
  ['APPROVED', 'approved'],
  ['CHANGES_REQUESTED', 'wants_changes'],
  ['COMMENTED', 'remarked'],
  ['DISMISSED', 'withdrawn'],
]);

const reviewFacts = async (
  review: z.infer<typeof Review>,
  access: ReadAuthorAccess,
): Promise<ReviewFacts | null> => {
  const state = STATES.get(review.state);
  if (!state) return null;
  const reviewer = review.user?.login ?? null;
  return {
    id: String(review.id),
    url: review.html_url,
    reviewer: reviewer ?? 'ghost',
    access: await access(reviewer, review.author_association),
    state,
    commitSha: review.commit_id ?? '',
    body: review.body ?? '',
    submittedAt: Date.parse(review.submitted_at ?? '') || 0,
    ...(isBotAuthor(review.user) ? ({ bot: true } as const) : {}),
  };
};
