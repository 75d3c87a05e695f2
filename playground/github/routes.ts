/** The REST routes, by GitHub's own templates. */
import { z } from 'zod';
import { rerunSuite, runsOf } from './checks.ts';
import { addComment } from './comments.ts';
import { branchHeads, findCommit } from './git.ts';
import { commitAt } from './git-log.ts';
import { createIssueRoutes } from './issues.ts';
import { showTimeline } from './timeline.ts';
import { changePull, compute, mergePull, openPull, pullOf } from './pulls.ts';
import { invalid, notFound, RestRefusal } from './refusal.ts';
import { ok, sinceOf, type Route, type RouteCall } from './route.ts';
import { createGitRoutes } from './routes-git.ts';
import { createMergedRoutes } from './routes-merged.ts';
import { createSearchRoutes } from './routes-search.ts';
import { createPullFieldRoutes } from './routes-setup.ts';
import { createActionsRoutes } from './routes-actions.ts';
import type { Addresses, Show } from './show.ts';
import type { Identity, Pull, Repo, State } from './state.ts';

const text = z.string();
const bodies = {
  pull: z.object({
    title: text,
    head: text,
    base: text,
    body: text.nullish(),
    draft: z.boolean().default(false),
    maintainer_can_modify: z.boolean().default(true),
  }),
  change: z.object({
    title: text.optional(),
    body: text.nullable().optional(),
    base: text.optional(),
    state: z.enum(['open', 'closed']).optional(),
    maintainer_can_modify: z.boolean().optional(),
  }),
  merge: z.object({ sha: text.optional(), merge_method: z.enum(['merge', 'squash']).default('merge') }),
  comment: z.object({ body: text.min(1).max(65_536) }),
  upstream: z.object({ branch: text }),
  rename: z.object({ new_name: text.min(1) }),
  fork: z.object({ organization: text.optional(), default_branch_only: z.boolean().optional() }),
};

const OFF = { enforcement_level: 'off', contexts: [], checks: [] };

function read<T>(schema: z.ZodType<T>, body: Record<string, unknown>, resource: string): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const field = result.error.issues[0]?.path.join('.') ?? '';
  throw invalid({ resource, field, code: field in body ? 'invalid' : 'missing_field' });
}

export function createRoutes(state: State, show: Show, addresses: Addresses): Record<string, Route> {
  const repoOf = ({ at, identity }: RouteCall): Repo => {
    const repo = state.repo(`${at['owner']}/${at['repo']}`);
    if (!repo || state.accessOf(repo, identity?.user.login) === 'none') throw notFound();
    return repo;
  };
  const repos = ({ identity }: RouteCall): Repo[] =>
    [...state.repos.values()].filter((one) => state.accessOf(one, identity?.user.login) !== 'none');
  const pullAt = (call: RouteCall): Pull => {
    const pull = pullOf(repoOf(call), Number(call.at['pull_number']));
    if (state.flagged.has(pull.user) && call.identity?.user !== pull.user) throw notFound();
    return pull;
  };
  const shaAt = async (call: RouteCall): Promise<string> => {
    const ref = call.at['ref'] ?? '';
    const repo = repoOf(call);
    const sha = (await findCommit(repo.dir, `refs/heads/${ref}`)) ?? (await findCommit(repo.dir, ref));
    if (!sha) throw new RestRefusal(422, `No commit found for SHA: ${ref}`);
    return sha;
  };
  const writer = (call: RouteCall, needs: 'read' | 'write'): Identity => {
    const { identity } = call;
    if (!identity) throw new RestRefusal(401, 'Requires authentication');
    const repo = repoOf(call);
    const enough = repo.private ? ['repo'] : ['repo', 'public_repo'];
    // GitHub answers 404 if the classic token lacks the scope.
    if (identity.scopes && !identity.scopes.some((scope) => enough.includes(scope))) throw notFound();
    if (repo.archived) throw new RestRefusal(403, 'Repository was archived so is read-only.');
    if (needs === 'write' && !show.permissions(state.accessOf(repo, identity.user.login)).push) {
      throw new RestRefusal(403, 'Resource not accessible by personal access token');
    }
    return identity;
  };
  const whole = async (pull: Pull): Promise<object> => show.pull(pull, await compute(pull));

  return {
    'GET /user'({ identity }) {
      if (!identity) throw new RestRefusal(401, 'Requires authentication');
      return ok(show.me(identity.user));
    },
    'GET /user/repos'({ identity }) {
      if (!identity) throw new RestRefusal(401, 'Requires authentication');
      const { login } = identity.user;
      const own = [...state.repos.values()].filter((repo) => repo.access.has(login));
      return ok(own.map((repo) => show.repository(repo, login)));
    },
    /** Undocumented by GitHub: a repository keeps its number after a rename. */
    'GET /repositories/{id}'({ at, identity }) {
      const repo = [...state.repos.values()].find((one) => one.id === Number(at['id']));
      if (!repo || state.accessOf(repo, identity?.user.login) === 'none') throw notFound();
      return ok(show.repository(repo, identity?.user.login));
    },
    'GET /apps/{app_slug}': ({ at }) => ok(show.app(at['app_slug'] ?? '')),
    'GET /repos/{owner}/{repo}': (call) => ok(show.repository(repoOf(call), call.identity?.user.login)),
    async 'POST /repos/{owner}/{repo}/forks'(call) {
      const parent = repoOf(call);
      const { user } = writer(call, 'read');
      const { organization = user.login } = read(bodies.fork, call.body, 'Fork');
      if (parent.forking.off) throw new RestRefusal(403, 'The repository exists, but forking is disabled.');
      if (parent.owner.login.toLowerCase() === organization.toLowerCase())
        throw new RestRefusal(403, 'A repository cannot be forked into the account that owns it.');
      const fork = await state.fork(parent, organization, user.login);
      return { status: 202, value: show.repository(fork, user.login) };
    },
    async 'POST /repos/{owner}/{repo}/merge-upstream'(call) {
      const { user } = writer(call, 'write');
      const { branch } = read(bodies.upstream, call.body, 'Repository');
      const merge_type = await state.followParent(repoOf(call), branch, user);
      if (merge_type === null) throw new RestRefusal(409, 'There are merge conflicts');
      const message = `Successfully fetched and fast-forwarded from upstream ${branch}.`;
      return ok({ message, merge_type, base_branch: branch });
    },
    async 'GET /repos/{owner}/{repo}/branches/{branch}'(call) {
      const repo = repoOf(call);
      const name = call.at['branch'] ?? '';
      const now = repo.renamed.get(name);
      if (now !== undefined) {
        const url = `${addresses.apiUrl()}/repositories/${repo.id}/branches/${encodeURIComponent(now)}`;
        return { status: 301, value: { message: 'Moved Permanently', url }, headers: { location: url } };
      }
      const sha = await findCommit(repo.dir, `refs/heads/${name}`);
      const found = sha && (await commitAt(repo.dir, sha));
      if (!found) throw notFound('Branch not found');
      const protection = { enabled: false, required_status_checks: OFF };
      return ok({ ...show.branch(repo, name, found), protected: false, protection });
    },
    async 'POST /repos/{owner}/{repo}/branches/{branch}/rename'(call) {
      const { user } = writer(call, 'write');
      const repo = repoOf(call);
      const from = call.at['branch'] ?? '';
      const { new_name: to } = read(bodies.rename, call.body, 'Branch');
      if (!(await findCommit(repo.dir, `refs/heads/${from}`))) throw notFound('Branch not found');
      await state.renameBranch(repo, from, to, user);
      const found = await commitAt(repo.dir, (await findCommit(repo.dir, `refs/heads/${to}`)) ?? '');
      if (!found) throw notFound('Branch not found');
      const protection = { enabled: false, required_status_checks: OFF };
      return { status: 201, value: { ...show.branch(repo, to, found), protected: false, protection } };
    },
    async 'GET /repos/{owner}/{repo}/branches'(call) {
      const repo = repoOf(call);
      const heads = [...(await branchHeads(repo.dir))];
      return ok(heads.map(([name, sha]) => ({ name, commit: show.commit(repo, sha), protected: false })));
    },
    ...createGitRoutes(show, repoOf),
    ...createMergedRoutes(show, repoOf, pullAt),
    ...createSearchRoutes(state, show, addresses),
    'GET /repos/{owner}/{repo}/rules/branches/{branch}'(call) {
      const rules = repoOf(call).rules.filter((rule) => rule.branch === call.at['branch']);
      return ok(
        rules.map(({ type, parameters }) => ({
          type,
          parameters,
          ruleset_id: 1,
          ruleset_source_type: 'Repository',
          ruleset_source: repoOf(call).fullName,
        })),
      );
    },
    'GET /repos/{owner}/{repo}/collaborators/{username}/permission'(call) {
      const access = state.accessOf(repoOf(call), call.at['username']);
      const user = show.user(state.user(call.at['username'] ?? ''));
      const permissions = show.permissions(access);
      return ok({ permission: access, role_name: access, user: { ...user, permissions, role_name: access } });
    },
    'GET /repos/{owner}/{repo}/pulls'(call) {
      const { query } = call;
      const wanted = query.get('state') ?? 'open';
      const head = query.get('head')?.includes(':') ? query.get('head') : null;
      const key = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
      const pulls = repoOf(call)
        .pulls.filter((pull) => wanted === 'all' || pull.state === wanted)
        .filter((pull) => !head || `${pull.head.repo.owner.login}:${pull.head.ref}` === head)
        .filter((pull) => !query.get('base') || pull.base.ref === query.get('base'))
        .sort((a, b) => a[key] - b[key] || a.number - b.number);
      const inOrder = query.get('direction') === 'asc' ? pulls : pulls.reverse();
      return ok(inOrder.map((pull) => show.pullInList(pull)));
    },
    ...createIssueRoutes(show, repoOf, pullOf),
    'GET /repos/{owner}/{repo}/issues/{issue_number}/timeline'(call) {
      const repo = repoOf(call);
      const number = Number(call.at['issue_number']);
      const of = repo.issues.find((one) => one.number === number) ?? pullOf(repo, number);
      return ok(showTimeline(show, repos(call), { repo, of, origin: addresses.origin() }));
    },
    async 'POST /repos/{owner}/{repo}/pulls'(call) {
      const { user } = writer(call, 'read');
      const { title, body, head, base, draft, maintainer_can_modify } = read(
        bodies.pull,
        call.body,
        'PullRequest',
      );
      const wish = {
        title,
        head,
        base,
        draft,
        body: body ?? null,
        maintainerCanModify: maintainer_can_modify,
      };
      // Drafts do not count; GitHub answers 404 above the limit.
      const repo = repoOf(call);
      const { push } = show.permissions(state.accessOf(repo, user.login));
      const open = repo.pulls.filter((one) => one.state === 'open' && !one.draft && one.user === user);
      if (!push && repo.pullLimit !== null && open.length >= repo.pullLimit) throw notFound();
      return { status: 201, value: await whole(await openPull(state, repo, user, wish)) };
    },
    'GET /repos/{owner}/{repo}/pulls/{pull_number}': async (call) => ok(await whole(pullAt(call))),
    async 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}'(call) {
      const pull = pullAt(call);
      const { user } = writer(call, call.identity?.user === pull.user ? 'read' : 'write');
      await changePull(state, pull, user, read(bodies.change, call.body, 'PullRequest'));
      return ok(await whole(pull));
    },
    async 'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge'(call) {
      const { user } = writer(call, 'write');
      const { sha, merge_method } = read(bodies.merge, call.body, 'PullRequest');
      const merged = await mergePull(state, pullAt(call), user, { method: merge_method, sha });
      return ok({ sha: merged, merged: true, message: 'Pull Request successfully merged' });
    },
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews'(call) {
      const pull = pullAt(call);
      return ok(pull.reviews.map((review) => show.review(pull.base.repo, pull.number, review)));
    },
    'GET /repos/{owner}/{repo}/issues/{issue_number}/comments'(call) {
      const repo = repoOf(call);
      const pull = pullOf(repo, Number(call.at['issue_number']));
      const since = sinceOf(call);
      const comments = repo.comments.filter((one) => one.issue === pull.number && one.at >= since);
      return ok(comments.map((comment) => show.comment(repo, comment)));
    },
    'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'(call) {
      const repo = repoOf(call);
      const { user } = writer(call, 'read');
      const { body } = read(bodies.comment, call.body, 'IssueComment');
      const comment = addComment(state, pullOf(repo, Number(call.at['issue_number'])), user, body);
      return { status: 201, value: show.comment(repo, comment) };
    },
    async 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs'(call) {
      const { query } = call;
      const repo = repoOf(call);
      const runs = runsOf(repo, await shaAt(call), query.get('filter') === 'all' ? 'all' : 'latest')
        .filter((run) => !query.get('check_name') || run.name === query.get('check_name'))
        .filter((run) => !query.get('status') || run.status === query.get('status'));
      return ok({ total_count: runs.length, check_runs: runs.map((run) => show.checkRun(repo, run)) });
    },
    async 'GET /repos/{owner}/{repo}/commits/{ref}/check-suites'(call) {
      const repo = repoOf(call);
      const sha = await shaAt(call);
      const suites = repo.suites.filter((suite) => suite.sha === sha);
      return ok({ total_count: suites.length, check_suites: suites.map((suite) => show.suite(repo, suite)) });
    },
    'GET /repos/{owner}/{repo}/commits/{ref}/status': async (call) =>
      ok(show.combined(repoOf(call), await shaAt(call))),
    async 'GET /repos/{owner}/{repo}/commits/{ref}/statuses'(call) {
      const repo = repoOf(call);
      const sha = await shaAt(call);
      return ok(
        repo.statuses
          .filter((one) => one.sha === sha)
          .toReversed()
          .map((one) => show.status(repo, one)),
      );
    },
    'POST /repos/{owner}/{repo}/check-suites/{check_suite_id}/rerequest'(call) {
      const repo = repoOf(call);
      const { user } = writer(call, 'write');
      const suite = repo.suites.find((one) => one.id === Number(call.at['check_suite_id']));
      if (!suite) throw notFound();
      const workflow = repo.workflows.find((one) => one.suite === suite);
      if (!workflow) rerunSuite(state, repo, suite, user);
      else if (state.ci.rerun(repo, workflow, 'all', user)) throw new RestRefusal(422, 'It is running');
      return { status: 201, value: {} };
    },
    ...createPullFieldRoutes({ state, show, repoOf, pullAt, writer }),
    ...createActionsRoutes({ state, show, origin: addresses.origin, repoOf, pullAt, writer }),
  };
}
