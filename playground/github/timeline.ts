/** The timeline of an issue or a pull request: what happened to it, and what refers to it. */
import { time } from './format.ts';
import { showAsIssue, showEvent, showIssue } from './issues.ts';
import type { Show } from './show.ts';
import type { Issue, Pull, Repo, User } from './model.ts';

type Source = { repo: Repo; one: Issue | Pull; pull: Pull | null };

const HIDDEN = /```[^]*?(?:```|$)|`[^`\n]*`|<!--[^]*?(?:-->|$)/g;

function refersTo(text: string, from: Repo, to: Repo, number: number, origin: string): boolean {
  const address = `${origin}/${to.fullName}`.toLowerCase();
  const short = from === to ? [`#${number}`, `gh-${number}`] : [];
  const written = [
    ...short,
    `${to.fullName.toLowerCase()}#${number}`,
    `${address}/issues/${number}`,
    `${address}/pull/${number}`,
  ];
  return text
    .replace(HIDDEN, ' ')
    .toLowerCase()
    .split(/[\s()[\]{},;'"*]+/)
    .some((word) => written.includes(word.replace(/[.:!?]+$/, '').replace(/#issuecomment-\d+$/, '')));
}

function sourcesOf(repos: Iterable<Repo>): Source[] {
  return [...repos].flatMap((repo) => [
    ...repo.pulls.map((pull) => ({ repo, one: pull, pull })),
    ...repo.issues.map((one) => ({ repo, one, pull: null })),
  ]);
}

export function showTimeline(
  show: Show,
  repos: Iterable<Repo>,
  { repo, of: issue, origin }: { repo: Repo; of: Issue | Pull; origin: string },
): object[] {
  const events =
    'events' in issue
      ? issue.events.map((event) => ({ at: event.at, shown: showEvent(show, repo, event) }))
      : pullEvents(show, repo, issue);
  const references = sourcesOf(repos)
    .filter(({ one }) => one !== issue)
    .filter(({ repo: from, one, pull }) => {
      const comments = pull ? from.comments.filter((comment) => comment.issue === pull.number) : [];
      const texts = [one.title, one.body ?? '', ...comments.map(({ body }) => body)];
      return texts.some((text) => refersTo(text, from, repo, issue.number, origin));
    })
    .map(({ repo: from, one, pull }) => ({
      at: one.createdAt,
      shown: {
        event: 'cross-referenced',
        actor: show.user(one.user),
        created_at: time(one.createdAt),
        updated_at: time(one.createdAt),
        source: {
          type: 'issue',
          issue: {
            ...(pull ? showAsIssue(show, pull) : showIssue(show, from, one as Issue)),
            repository: show.repository(from),
          },
        },
      },
    }));
  return [...events, ...references].toSorted((a, b) => a.at - b.at).map(({ shown }) => shown);
}

function pullEvents(show: Show, repo: Repo, pull: Pull): { at: number; shown: object }[] {
  const { reviews, merged, closedAt, number } = pull;
  const comments = repo.comments.filter(({ issue }) => issue === number);
  return [
    ...comments.map((comment) => ({
      at: comment.at,
      shown: { event: 'commented', actor: show.user(comment.user), ...show.comment(repo, comment) },
    })),
    ...reviews.map((review) => ({
      at: review.at,
      shown: { event: 'reviewed', ...show.review(repo, number, review) },
    })),
    ...pull.queued.map(({ event, ...of }) => ({ at: of.at, shown: shownEnd(show, event, of) })),
    ...(merged ? [{ at: merged.at, shown: shownEnd(show, 'merged', merged) }] : []),
    ...(closedAt === null
      ? []
      : [{ at: closedAt, shown: shownEnd(show, 'closed', { by: merged?.by ?? pull.user, at: closedAt }) }]),
  ];
}

function shownEnd(show: Show, event: string, { by, at }: { by: User; at: number }): object {
  return { event, actor: show.user(by), created_at: time(at) };
}
