/** The Forge port on GitHub's REST API. */
import { failureDetail, type FailureClass } from '#model/failure';
import { MINUTE, SECOND } from '#model/values';
import { isConversation } from '#model/review';
import { z } from 'zod';
import {
  OutsideFailure,
  type PollDepth,
  type ForgePort,
  type PullFacts,
  type PullsRefused,
  type RepoFacts,
} from '#ports/forge';
import type { ForgeCredentials } from './credentials.ts';
import { clientsFor, createReviewPartClient } from './poll-depth.ts';
import { readChecks } from './checks.ts';
import {
  createClient,
  orWhenHidden,
  ITEMS_PER_PAGE,
  GITHUB_TIMEOUT_MS,
  type ClientParts,
  type RepositoryParams,
} from './github-client.ts';
import { isPubliclyVisible } from './pull-visibility.ts';
import { readSurvival } from './change-survival.ts';
import { readComments, readOurReplies } from './pull-comments.ts';
import { readReviews } from './pull-reviews.ts';
import { idSchema, pullNumber, pullId } from './github-facts.ts';
import { readMergedPull, readReleasesWith } from './merged-pulls.ts';
import { readInMergeQueue } from './merge-queue.ts';
import { readPastPulls } from './past-pulls.ts';
import { readFiles, readIssue } from './contribution-requirements.ts';
import { readCompetingPulls } from './competing-pulls.ts';
import { findRepos } from './find-repositories.ts';
import { readIssueLabeller, readLabelled } from './labelled-issues.ts';
import { readFailedChecks } from './failed-checks.ts';
import {
  isClosedToUs,
  isShutOut,
  isPullAlreadyOpen,
  pullRefusedFailure,
  PullResponse,
  pullFacts,
  PullListResponse,
  shutOut,
} from './pull-schema.ts';
import { readRedOnBaseOrFlaky } from './red-on-base-or-flaky.ts';
import { readBranchHead, readBranchName, requiredOn } from './branch-requirements.ts';
import { rerunFailedChecks } from './rerun-checks.ts';

const Said = z.object({ html_url: z.string() });
const Login = z.object({ login: z.string() });
const Repo = z.object({
  id: idSchema,
  full_name: z.string(),
  default_branch: z.string(),
  archived: z.boolean().default(false),
  clone_url: z.string(),
  html_url: z.string(),
  permissions: z.object({ push: z.boolean().default(false) }).optional(),
  allow_forking: z.boolean().default(true),
  has_pull_requests: z.boolean().nullish(),
  pull_request_creation_policy: z.string().nullish(),
  mirror_url: z.string().nullish(),
  description: z.string().nullish(),
  homepage: z.string().nullish(),
  source: z.object({ id: idSchema }).nullish(),
});
const Issues = z.array(z.object({ pull_request: z.object({ merged_at: z.string().nullish() }).optional() }));

const FOUND_MAX_AGE_MS = 5 * MINUTE;
const NAME_MAX_AGE_MS = 5 * SECOND;

/** Not "Mirror of Apache X": such repositories take pull requests. */
const SAYS_MIRROR =
  /\bread[- ]only (?:git )?mirror\b|\bpull requests? (?:here )?(?:are|is|will be)(?: not|n['’]t| never) (?:be )?(?:monitored|accepted|read|reviewed|merged)|\b(?:use|submit|send|contribute)\b.{0,60}\b(?:gerrit|phabricator|mailing list)\b/i;

const REVIEW_HOST =
  /^https?:\/\/(?:[\w-]{1,63}\.){0,20}(?:[\w-]{0,63}gerrit[\w-]{0,63}|phabricator)(?:\.[\w-]+)*(?:[:/?#]|$)/i;

/** F10: asked before anything is spent, and again right before the push. */
const refusesPulls = (repo: z.infer<typeof Repo>): PullsRefused | null => {
  const { has_pull_requests: has, pull_request_creation_policy: policy, mirror_url: mirror } = repo;
  const said = (kind: PullsRefused['kind'], field: string, value: string): PullsRefused => ({
    kind,
    says: `${field}: ${value.slice(0, 200)}`,
  });
  if (has === false) return said('pulls_off', 'has_pull_requests', 'false');
  if (policy === 'collaborators_only' && repo.permissions?.push !== true)
    return said('collaborators_only', 'pull_request_creation_policy', policy);
  if (mirror) return said('is_mirror', 'mirror_url', mirror);
  if (REVIEW_HOST.test(repo.homepage ?? '')) return said('is_mirror', 'homepage', repo.homepage ?? '');
  return SAYS_MIRROR.test(repo.description ?? '')
    ? said('is_mirror', 'description', repo.description ?? '')
    : null;
};

const repoFacts = (repo: z.infer<typeof Repo>): RepoFacts => {
  const pullsRefused = refusesPulls(repo);
  return { ...plainFacts(repo), ...(pullsRefused ? { pullsRefused } : {}) };
};

const plainFacts = (repo: z.infer<typeof Repo>): RepoFacts => ({
  id: repo.id,
  name: repo.full_name,
  network: repo.source?.id ?? repo.id,
  defaultBranch: repo.default_branch,
  archived: repo.archived,
  cloneUrl: repo.clone_url,
  mayPush: repo.permissions?.push ?? false,
  mayFork: repo.allow_forking,
  htmlUrl: repo.html_url,
});

const named = (fullName: string): RepositoryParams => {
  const [owner = '', repo = '', ...rest] = fullName.split('/');
  if (!owner || !repo || rest.length > 0) throw new Error(`not a repository's full name: ${fullName}`);
  return { owner, repo };
};

export type GitHubForge = ForgePort & {
  branchHead(fullName: string, branch: string): Promise<string | null>;
};

export const createGitHubForge = (
  parts: ClientParts & { app?: Pick<ForgeCredentials, 'app' | 'installations' | 'hasAccount'> },
): GitHubForge => {
  const client = createClient(parts);
  const { app } = parts;
  const repoNamed = async (fullName: string, from = client): Promise<z.infer<typeof Repo>> =>
    from.get('/repos/{owner}/{repo}', named(fullName), Repo);
  /** GitHub redirects reads of a former name, but writes need the current one. */
  const canonical = async (fullName: string): Promise<RepositoryParams> =>
    named((await repoNamed(fullName, client.aged(NAME_MAX_AGE_MS))).full_name);
  const talk = createReviewPartClient(client, () => parts.clock.now());
  const asked = async (depth: PollDepth): Promise<string> =>
    (await (depth === 'whole' ? client : clientsFor(client, depth).rights).get('/user', {}, Login)).login;
  const login = async (repo?: string, depth: PollDepth = 'whole'): Promise<string> => {
    const here = repo === undefined ? null : await app?.app(repo);
    if (here) return here.login;
    const itself = app && !app.hasAccount ? await app.installations() : null;
    return itself?.login ?? asked(depth);
  };
  const pull = async (fullName: string, id: string, depth: PollDepth = 'whole'): Promise<PullFacts> => {
    const at = { ...named(fullName), pull_number: pullNumber(id) };
    const route = '/repos/{owner}/{repo}/pulls/{pull_number}';
    const found = await clientsFor(client, depth).pull.get(route, at, PullResponse);
    talk.changed(`${fullName}${id}`, found.updated_at);
    return pullFacts(found);
  };

  const change = async (
    fullName: string,
    id: string,
    to: { body: string; state?: 'closed' },
  ): Promise<PullFacts> => {
    const at = { ...(await canonical(fullName)), pull_number: pullNumber(id) };
    return pullFacts(
      await client.patch('/repos/{owner}/{repo}/pulls/{pull_number}', { ...at, ...to }, PullResponse),
    );
  };
  const openPulls = async (fullName: string): Promise<number> => {
    // GitHub, "List repository issues": pull requests are issues with `pull_request`.
    const at = { ...named(fullName), state: 'open', creator: await login(fullName) };
    const open = await client.pages('/repos/{owner}/{repo}/issues', at, Issues, (p) => p);
    return open.filter((issue) => issue.pull_request !== undefined).length;
  };

  return {
    login: (repo) => login(repo),
    forkOwner: async () => (app && !app.hasAccount ? null : asked('whole')),
    async repo(fullName) {
      const facts = repoFacts(await repoNamed(fullName));
      const here = await app?.app(fullName);
      // GitHub reports a person's rights; an App's are those of its installation.
      if (here) return { ...facts, mayPush: here.mayPush };
      return app && !app.hasAccount ? { ...facts, mayPush: false } : facts;
    },
    async fork(fullName, organization) {
      const at = { ...(await canonical(fullName)), default_branch_only: true };
      const wish = organization === null ? at : { ...at, organization };
      try {
        return repoFacts(await client.post('/repos/{owner}/{repo}/forks', wish, Repo));
      } catch (error) {
        throw notForked(fullName, error);
      }
    },
    async followParent(fork, branch) {
      const at = { ...(await canonical(fork)), branch };
      const followed = client.post('/repos/{owner}/{repo}/merge-upstream', at, z.unknown());
      // GitHub, "Sync a fork branch": 409 conflict, 422 workflow changes.
      return (await orWhenHidden(followed, null)) !== null;
    },
    pull,
    files: (fullName, paths) => readFiles(client, named(fullName), paths),
    issue: (fullName, id) => readIssue(client, { ...named(fullName), issue_number: pullNumber(id) }),
    labelled: (fullName, label) => readLabelled(client, named(fullName), label),
    askedBy: (fullName, id, label) =>
      readIssueLabeller(client, { ...named(fullName), issue_number: pullNumber(id) }, label),
    async found(query) {
      const found = await findRepos(query, client.aged(FOUND_MAX_AGE_MS));
      // Lists contain no rights of an App.
      return app ? { ...found, repos: found.repos.map((one) => ({ ...one, mayPush: null })) } : found;
    },
    async nameOf(id) {
      const found = await orWhenHidden(client.get('/repositories/{id}', { id }, Repo), null);
      return found?.full_name ?? null;
    },
    branchName: (fullName, branch) => readBranchName(client, { ...named(fullName), branch }),
    async pullsByHead(fullName, branch) {
      const { owner, repo } = await canonical(fullName);
      const head = branch.includes(':') ? branch : `${owner}:${branch}`;
      const listed = await client.pages(
        '/repos/{owner}/{repo}/pulls',
        { owner, repo, head, state: 'all' },
        PullListResponse,
        (p) => p,
      );
      // GitHub ignores an invalid `head` and lists everything.
      const ours = listed.filter((p) => p.head.ref === branch.slice(branch.indexOf(':') + 1));
      // The list lacks the merger and maintainers' rights.
      return Promise.all(ours.slice(0, 10).map((p) => pull(fullName, pullId(p.number))));
    },
    mergedPull: (fullName, id) => readMergedPull(client, named(fullName), id),
    survival: (fullName, merged) => readSurvival(client, named(fullName), merged),
    releasesWith: (fullName, commit) => readReleasesWith(client, named(fullName), commit),
    openPulls,
    async knowsUs(fullName) {
      const { owner, repo } = await canonical(fullName);
      const us = await login(fullName);
      if (owner.toLowerCase() === us.toLowerCase()) return true;
      const at = { owner, repo, state: 'closed', creator: us, per_page: ITEMS_PER_PAGE };
      const closed = await client.get('/repos/{owner}/{repo}/issues', at, Issues);
      return closed.some(({ pull_request: pull }) => Boolean(pull?.merged_at));
    },
    competingPulls: async (fullName, about) => readCompetingPulls(client, await canonical(fullName), about),
    inMergeQueue: async (fullName, id) => readInMergeQueue(client, await canonical(fullName), pullNumber(id)),
    pastPulls: async (fullName) => readPastPulls(client, named(fullName)),
    async createPull(fullName, { title, body, head, base, draft, maintainerCanModify }) {
      const wish = { title, body, head, base, draft, maintainer_can_modify: maintainerCanModify };
      try {
        return pullFacts(
          await client.post(
            '/repos/{owner}/{repo}/pulls',
            { ...(await canonical(fullName)), ...wish },
            PullResponse,
          ),
        );
      } catch (error) {
        if (isPullAlreadyOpen(error)) return null;
        if (isShutOut(error)) throw shutOut(fullName, error);
        throw isClosedToUs(error) ? pullRefusedFailure(fullName, await openPulls(fullName)) : error;
      }
    },
    describe: (fullName, id, body) => change(fullName, id, { body }),
    close: (fullName, id, body) => change(fullName, id, { state: 'closed', body }),
    checks: (fullName, sha, base, depth = 'whole') =>
      readChecks(clientsFor(client, depth), named(fullName), sha, base),
    reviews: (fullName, id, depth = 'whole') =>
      talk.hear(`${fullName}${id}`, 'reviews', depth, (of) =>
        readReviews(of, named(fullName), pullNumber(id), () => login(fullName, depth)),
      ),
    failedChecks: (fullName, sha) => readFailedChecks(client, named(fullName), sha),
    redElsewhere: (fullName, sha, base) => readRedOnBaseOrFlaky(client, named(fullName), sha, base),
    comments: (fullName, id, depth = 'whole') =>
      talk.hear(`${fullName}${id}`, 'comments', depth, async (of) =>
        readComments(of, named(fullName), pullNumber(id), await login(fullName, depth)),
      ),
    seenByAll: (fullName, id) =>
      isPubliclyVisible(
        { timeoutMs: GITHUB_TIMEOUT_MS, ...parts },
        { ...named(fullName), pull_number: pullNumber(id) },
      ),
    ourReplies: async (fullName, id) =>
      readOurReplies(client, named(fullName), pullNumber(id), await login()),
    async reply(fullName, id, thread, body) {
      const here = await canonical(fullName);
      if (isConversation({ thread })) {
        const on = { ...here, issue_number: pullNumber(id), body };
        const said = await client.post('/repos/{owner}/{repo}/issues/{issue_number}/comments', on, Said);
        return { url: said.html_url };
      }
      const at = { ...here, pull_number: pullNumber(id), comment_id: Number(thread) };
      const route = '/repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies';
      const { html_url: url } = await client.post(route, { ...at, body }, Said);
      return { url };
    },
    async askAgain(fullName, id, reviewers) {
      const at = { ...(await canonical(fullName)), pull_number: pullNumber(id) };
      const route = '/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers';
      await client.post(route, { ...at, reviewers: [...reviewers] }, z.unknown());
    },
    async wantsSigned(fullName, branch) {
      const mayRead = <T>(go: () => Promise<T>): Promise<T | null> => orWhenHidden(go(), null);
      return (await requiredOn(client, await canonical(fullName), branch, mayRead)).signed;
    },
    rerun: async (fullName, sha) => rerunFailedChecks(client, await canonical(fullName), sha),
    branchHead: (fullName, branch) => readBranchHead(client, { ...named(fullName), branch }),
  };
};

/** GitHub, "Create a fork": 403 forking disabled, 404 not permitted. */
const notForked = (repo: string, error: unknown): unknown => {
  if (!(error instanceof OutsideFailure) || ![403, 404, 422].includes(error.status ?? 0)) return error;
  if (AS_IT_IS.includes(error.class)) return error;
  const says = `${repo} cannot be forked: ${error.message}. A run needs the right to push there, or to fork it`;
  const detail = failureDetail({ kind: 'fork_refused', repo, says: error.message });
  return new OutsideFailure('not_allowed', says, null, error.status, error.refusal, false, detail);
};
const AS_IT_IS: readonly FailureClass[] = [
  'rate_limited',
  'permission_denied',
  'repository_archived',
  'account_suspended',
];
