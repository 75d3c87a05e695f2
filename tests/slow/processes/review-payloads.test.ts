/** F7: reviews and their comments as GitHub itself shows them in its examples, read by the forge. */
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { ReviewRemark } from '#model/review';
import { answer } from '#playground';
import { forgeAt, repo, ROUTE, startForgeWorld, type ForgeWorld } from '../../support/forge-world.ts';

const Example = z.looseObject({
  review: z.looseObject({ id: z.number() }).optional(),
  comment: z.looseObject({ id: z.number(), pull_request_review_id: z.number().nullish() }).optional(),
});
const All = z.array(z.object({ name: z.string(), examples: z.array(z.unknown()) }));
const named = (name: string) =>
  All.parse(createRequire(import.meta.url)('@octokit/webhooks-examples'))
    .filter((one) => one.name === name)
    .flatMap((one) => one.examples.map((each) => Example.parse(each)));

let world: ForgeWorld;
beforeAll(async () => {
  world = await startForgeWorld();
});
afterEach(() => world.github.faults.clear());
afterAll(() => world.github.stop());

const reviewsOf = async (reviews: object[], comments: object[]) => {
  const pull = await world.openPull();
  world.github.faults.always(ROUTE.reviews, answer(200, reviews));
  world.github.faults.always(ROUTE.lines, answer(200, comments));
  return forgeAt(world.github.url).reviews(repo, pull.id);
};

it('F7: each comment of GitHub’s examples is a remark that a person can choose about', async () => {
  const comments = named('pull_request_review_comment').flatMap(({ comment }) => comment ?? []);
  expect(comments.length).toBeGreaterThan(0);
  for (const comment of comments) {
    const review = {
      id: comment.pull_request_review_id,
      html_url: 'https://x',
      user: comment['user'],
      state: 'commented',
      commit_id: comment['commit_id'],
      body: '',
      submitted_at: comment['created_at'],
      author_association: 'OWNER',
    };
    const [read] = await reviewsOf([{ ...review, state: 'COMMENTED' }], [comment]);
    const [remark, ...more] = z.array(ReviewRemark).parse(read?.remarks);
    expect(more).toEqual([]);
    expect(remark).toMatchObject({
      id: String(comment.id),
      path: comment['path'],
      body: comment['body'],
      thread: String((comment['in_reply_to_id'] as number | undefined) ?? comment.id),
      hunk: comment['diff_hunk'],
    });
  }
});

it('F7: each review of GitHub’s examples is read, whatever its state is called', async () => {
  const reviews = named('pull_request_review').flatMap(({ review }) => review ?? []);
  expect(reviews.length).toBeGreaterThan(0);
  for (const review of reviews) {
    const state = String(review['state']).toUpperCase();
    const [read] = await reviewsOf([{ ...review, state }], []);
    expect(read).toMatchObject({ id: String(review.id), body: review['body'] ?? '' });
  }
});

it.each([
  'copilot-pull-request-reviewer[bot]',
  'coderabbitai[bot]',
  'renovate[bot]',
  'Copilot',
  'renovate-bot',
])('F7: %s is a program: what it says is shown, and nothing of it can be begun by itself', async (login) => {
  const user = { login, id: 1, type: login.endsWith('[bot]') ? 'Bot' : 'User' };
  const review = {
    id: 9,
    html_url: 'https://x',
    user,
    state: 'CHANGES_REQUESTED',
    commit_id: 'a',
    body: 'Rename.',
    submitted_at: '2026-01-05T12:00:00Z',
    author_association: 'OWNER',
  };
  const comment = {
    id: 10,
    user,
    body: 'Rename it.',
    path: 'a.ts',
    line: 3,
    pull_request_review_id: 9,
    created_at: '2026-01-05T12:00:00Z',
    author_association: 'OWNER',
    html_url: 'https://x',
  };
  const [read] = await reviewsOf([review], [comment]);
  expect(read).toMatchObject({ bot: true, body: 'Rename.\n\na.ts:3: Rename it.' });
  expect(read?.remarks).toBeUndefined();
});
