/** Routes of what is set on a pull request after its opening, and GraphQL's only mutation here. */
import { nodeId, showLabel } from './format.ts';
import { showAsIssue, labelsOf } from './issues.ts';
import { draftPull } from './pulls.ts';
import { notFound, RestRefusal } from './refusal.ts';
import { ok, type Route, type RouteCall } from './route.ts';
import type { Show } from './show.ts';
import type { Identity, Pull, Repo, State } from './state.ts';

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export function createPullFieldRoutes(parts: {
  state: State;
  show: Show;
  repoOf: (call: RouteCall) => Repo;
  pullAt: (call: RouteCall) => Pull;
  writer: (call: RouteCall, needs: 'read' | 'write') => Identity;
}): Record<string, Route> {
  const { state, show, repoOf, pullAt, writer } = parts;
  const changed = (pull: Pull): void => {
    pull.updatedAt = state.now();
    state.changed();
  };
  const issueAt = (call: RouteCall): Pull =>
    pullAt({ ...call, at: { ...call.at, pull_number: call.at['issue_number'] ?? '' } });
  /** GitHub, "Request reviewers for a pull request": 422 for all of them when one may not review. */
  const assertMayReview = (pull: Pull, login: string): void => {
    if (login.toLowerCase() === pull.user.login.toLowerCase())
      throw new RestRefusal(422, 'Review cannot be requested from pull request author.');
    const knows = [...pull.base.repo.access.keys(), ...pull.reviews.map(({ user }) => user.login)];
    if (!knows.includes(login))
      throw new RestRefusal(
        422,
        'Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the repository.',
      );
  };

  return {
    'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers'(call) {
      const pull = pullAt(call);
      writer(call, 'write');
      const [people, teams] = [textsIn(call.body['reviewers']), textsIn(call.body['team_reviewers'])];
      for (const login of people) assertMayReview(pull, login);
      if (teams.some((team) => !pull.base.repo.teams.includes(team)))
        throw new RestRefusal(422, 'Could not resolve to a node with the global id of the team.');
      pull.requested = [...new Set([...pull.requested, ...people])];
      pull.requestedTeams = [...new Set([...pull.requestedTeams, ...teams])];
      changed(pull);
      return { status: 201, value: show.pullInList(pull) };
    },
    'POST /repos/{owner}/{repo}/issues/{issue_number}/labels'(call) {
      const pull = issueAt(call);
      writer(call, 'write');
      const repo = repoOf(call);
      // GitHub makes the labels that are not there.
      const labels = textsIn(call.body['labels']).map(
        (name) => labelsOf(repo).find((one) => one.toLowerCase() === name.toLowerCase()) ?? name,
      );
      repo.labels = [...new Set([...repo.labels, ...labels])];
      pull.labels = [...new Set([...pull.labels, ...labels])];
      changed(pull);
      return ok(pull.labels.map((name) => showLabel(show.places(repo).api, name)));
    },
    'POST /repos/{owner}/{repo}/issues/{issue_number}/assignees'(call) {
      const pull = issueAt(call);
      writer(call, 'write');
      // GitHub leaves out who may not be assigned, without a word.
      const may = textsIn(call.body['assignees']).filter((login) => repoOf(call).access.has(login));
      pull.assignees = [...new Set([...pull.assignees, ...may])];
      changed(pull);
      return { status: 201, value: showAsIssue(show, pull) };
    },
    'PATCH /repos/{owner}/{repo}/issues/{issue_number}'(call) {
      const pull = issueAt(call);
      writer(call, 'write');
      const { milestone } = call.body;
      const title = repoOf(call).milestones[Number(milestone) - 1];
      if (title === undefined) throw new RestRefusal(422, 'Validation Failed');
      pull.milestone = title;
      changed(pull);
      return ok(showAsIssue(show, pull));
    },
    'GET /repos/{owner}/{repo}/milestones': (call) =>
      ok(repoOf(call).milestones.map((title, at) => ({ number: at + 1, title, state: 'open' }))),
    /** GitHub answers errors of a query with 200. */
    'POST /graphql'(call) {
      const { identity, body } = call;
      if (!identity) throw new RestRefusal(401, 'Requires authentication');
      const { query, variables } = body;
      if (typeof query !== 'string' || !query.includes('markPullRequestReadyForReview')) throw notFound();
      const id = (variables as { id?: unknown } | undefined)?.id;
      const pull = [...state.repos.values()]
        .flatMap(({ pulls }) => pulls)
        .find((one) => nodeId('PullRequest', one.id) === id);
      const fails = (type: string, message: string) => ok({ data: null, errors: [{ type, message }] });
      if (!pull) return fails('NOT_FOUND', 'Could not resolve to a node with the global id.');
      const may = show.permissions(state.accessOf(pull.base.repo, identity.user.login)).push;
      if (!may && pull.user !== identity.user)
        return fails('FORBIDDEN', `${identity.user.login} does not have the correct permissions to execute.`);
      draftPull(state, pull, identity.user, false);
      return ok({ data: { markPullRequestReadyForReview: { pullRequest: { isDraft: pull.draft } } } });
    },
  };
}
