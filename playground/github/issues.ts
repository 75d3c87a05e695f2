/** Issues and their labels. */
import { nodeId, showLabel, time, timeOrNull } from './format.ts';
import { issueLinks } from './links.ts';
import { nextNumber } from './pulls.ts';
import { notFound } from './refusal.ts';
import { ok, type Route, type RouteCall } from './route.ts';
import type { Show } from './show.ts';
import type { Issue, IssueEvent, Pull, Repo, User, World } from './model.ts';

export function openIssue(
  world: World,
  repo: Repo,
  wish: { title: string; body: string | null; user: User },
): Issue {
  const at = world.now();
  const issue: Issue = {
    id: world.nextId(),
    number: nextNumber(repo),
    ...wish,
    state: 'open',
    labels: [],
    assignees: [],
    locked: false,
    closedAt: null,
    events: [],
    createdAt: at,
    updatedAt: at,
  };
  repo.issues.push(issue);
  const { number } = issue;
  world.tell({
    event: 'issues',
    action: 'opened',
    repo,
    number,
    sha: null,
    by: wish.user,
    issue,
    label: null,
  });
  return issue;
}

export function labelIssue(
  world: World,
  repo: Repo,
  issue: Issue,
  { label, by, on }: { label: string; by: User; on: boolean },
): void {
  if (issue.labels.includes(label) === on) return;
  issue.labels = on ? [...issue.labels, label] : issue.labels.filter((one) => one !== label);
  issue.updatedAt = world.now();
  const event = on ? ('labeled' as const) : ('unlabeled' as const);
  issue.events.push({ id: world.nextId(), event, label, by, at: world.now() });
  const { number } = issue;
  world.tell({ event: 'issues', action: event, repo, number, sha: null, by, issue, label });
}

type EventKind<E = IssueEvent> = E extends IssueEvent ? Omit<E, 'id' | 'by' | 'at'> : never;
export type IssueChange = { state?: Issue['state']; assignees?: readonly User[]; locked?: boolean };

export function changeIssue(world: World, issue: Issue, by: User, change: IssueChange): void {
  const at = world.now();
  const note = (event: EventKind): void => void issue.events.push({ id: world.nextId(), by, at, ...event });
  const { state = issue.state, assignees = issue.assignees, locked = issue.locked } = change;
  if (state !== issue.state) note({ event: state === 'closed' ? 'closed' : 'reopened' });
  if (locked !== issue.locked) note({ event: locked ? 'locked' : 'unlocked' });
  for (const assignee of assignees)
    if (!issue.assignees.includes(assignee)) note({ event: 'assigned', assignee });
  for (const assignee of issue.assignees)
    if (!assignees.includes(assignee)) note({ event: 'unassigned', assignee });
  const closedAt = state === 'closed' ? (issue.closedAt ?? at) : null;
  Object.assign(issue, { state, locked, assignees: [...assignees], closedAt, updatedAt: at });
  world.changed();
}

/** A pull request linked in the sidebar; the API tells that it happened, and not which one. */
export function connectIssue(world: World, issue: Issue, by: User, on: boolean): void {
  const event = on ? ('connected' as const) : ('disconnected' as const);
  issue.events.push({ id: world.nextId(), by, at: world.now(), event });
  world.changed();
}

export const issueOf = (repo: Repo, number: number): Issue => {
  const found = repo.issues.find((one) => one.number === number);
  if (!found) throw notFound();
  return found;
};

/** Source: GitHub, "Managing labels". */
const DEFAULT_LABELS = [
  'bug',
  'documentation',
  'duplicate',
  'enhancement',
  'good first issue',
  'help wanted',
  'invalid',
  'question',
  'wontfix',
];
export const labelsOf = ({ issues, labels }: Repo): string[] => [
  ...DEFAULT_LABELS,
  ...labels,
  ...issues.flatMap(({ events }) => events.flatMap((one) => ('label' in one ? [one.label] : []))),
];

function showAlike(show: Show, repo: Repo, one: Issue | Pull, place: 'issues' | 'pull') {
  const { id, number, title, body, state, user, createdAt, updatedAt } = one;
  const { api, page } = show.places(repo);
  return {
    id,
    node_id: nodeId('Issue', id),
    number,
    title,
    body,
    state,
    user: show.user(user),
    html_url: `${page}/${place}/${number}`,
    url: `${api}/issues/${number}`,
    locked: false,
    assignee: null,
    assignees: [],
    milestone: null,
    active_lock_reason: null,
    ...issueLinks(api, number),
    created_at: time(createdAt),
    updated_at: time(updatedAt),
    author_association: show.association(repo, user),
  };
}

export function showIssue(show: Show, repo: Repo, issue: Issue): object {
  const { api } = show.places(repo);
  return {
    ...showAlike(show, repo, issue, 'issues'),
    comments: 0,
    locked: issue.locked,
    assignee: issue.assignees[0] ? show.user(issue.assignees[0]) : null,
    assignees: issue.assignees.map((one) => show.user(one)),
    labels: issue.labels.map((name) => showLabel(api, name)),
    closed_at: timeOrNull(issue.closedAt),
  };
}

export function showAsIssue(show: Show, pull: Pull): object {
  const { repo } = pull.base;
  const alike = showAlike(show, repo, pull, 'pull');
  const { html_url } = alike;
  return {
    ...alike,
    comments: repo.comments.filter((each) => each.issue === pull.number).length,
    labels: pull.labels.map((name) => showLabel(show.places(repo).api, name)),
    assignees: pull.assignees.map((login) => show.userNamed(login)),
    draft: pull.draft,
    closed_at: timeOrNull(pull.closedAt),
    pull_request: {
      url: `${show.places(repo).api}/pulls/${pull.number}`,
      html_url,
      diff_url: `${html_url}.diff`,
      patch_url: `${html_url}.patch`,
      merged_at: timeOrNull(pull.merged?.at ?? null),
    },
  };
}

export const showEvent = (show: Show, repo: Repo, one: IssueEvent): object => ({
  id: one.id,
  node_id: nodeId('IssueEvent', one.id),
  url: `${show.places(repo).api}/issues/events/${one.id}`,
  actor: show.user(one.by),
  event: one.event,
  commit_id: null,
  commit_url: null,
  created_at: time(one.at),
  performed_via_github_app: null,
  ...('label' in one && { label: { name: one.label, color: '1d76db' } }),
  ...('assignee' in one && { assignee: show.user(one.assignee), assigner: show.user(one.by) }),
});

type Numbered = { number: number; createdAt: number; updatedAt: number };

export function createIssueRoutes(
  show: Show,
  repoOf: (call: RouteCall) => Repo,
  pullOf: (repo: Repo, number: number) => Pull,
): Record<string, Route> {
  return {
    /** Pull requests are issues, too. */
    'GET /repos/{owner}/{repo}/issues'(call) {
      const repo = repoOf(call);
      const { query } = call;
      const [wanted, creator] = [query.get('state') ?? 'open', query.get('creator')];
      const labels = (query.get('labels') ?? '').toLowerCase().split(',').filter(Boolean);
      const fits = (one: { state: string; user: User }, has: readonly string[] = []): boolean =>
        (wanted === 'all' || one.state === wanted) &&
        (creator === null || one.user.login === creator) &&
        labels.every((label) => has.some((name) => name.toLowerCase() === label));
      const key = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
      const all: (Numbered & { shown: () => object })[] = [
        ...repo.pulls
          .filter((pull) => fits(pull))
          .map((pull) => ({
            number: pull.number,
            createdAt: pull.createdAt,
            updatedAt: pull.updatedAt,
            shown: () => showAsIssue(show, pull),
          })),
        ...repo.issues
          .filter((issue) => fits(issue, issue.labels))
          .map((issue) => ({ ...issue, shown: () => showIssue(show, repo, issue) })),
      ];
      all.sort((a, b) => a[key] - b[key] || a.number - b.number);
      if (query.get('direction') !== 'asc') all.reverse();
      return ok(all.map(({ shown }) => shown()));
    },
    'GET /repos/{owner}/{repo}/issues/{issue_number}'(call) {
      const repo = repoOf(call);
      const number = Number(call.at['issue_number']);
      const issue = repo.issues.find((one) => one.number === number);
      return ok(issue ? showIssue(show, repo, issue) : showAsIssue(show, pullOf(repo, number)));
    },
    'GET /repos/{owner}/{repo}/labels/{name}'(call) {
      const repo = repoOf(call);
      const name = call.at['name']?.toLowerCase();
      const found = labelsOf(repo).find((one) => one.toLowerCase() === name);
      if (found === undefined) throw notFound();
      return ok(showLabel(show.places(repo).api, found));
    },
    'GET /repos/{owner}/{repo}/issues/{issue_number}/events'(call) {
      const repo = repoOf(call);
      return ok(
        issueOf(repo, Number(call.at['issue_number'])).events.map((one) => showEvent(show, repo, one)),
      );
    },
  };
}
