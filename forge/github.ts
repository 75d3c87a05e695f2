/** GitHub's roles on its REST API. */
import { failureDetail, type FailureClass } from '#model/failure';
import { MINUTE, SECOND } from '#model/values';
import { isConversation } from '#model/review';
import { z } from 'zod';
import { findHostRefusal, OutsideFailure, type PollDepth } from '#ports/forge';
import {
  type ConnectedForge,
  type ForgeChecks,
  type ForgeForks,
  type ForgeIssues,
  type ForgePort,
  type ForgePulls,
  type ForgeRepository,
  type ForgeReviews,
  type ForgeRoles,
  type ForgeSearch,
  fillMissingRoles,
} from '#ports/roles';
import type { ForgeCredentials } from './credentials.ts';
import { createPollClients, createReviewPartClient } from './poll-clients.ts';
import { readChecks } from './commit-checks.ts';
import {
  createGitHubClient,
  fallBackWhenHidden,
  ITEMS_PER_PAGE,
  GITHUB_TIMEOUT_MS,
  type ClientParts,
  type RepositoryParams,
} from './github-client.ts';
import { isPubliclyVisible } from './pull-visibility.ts';
import { readSurvival } from './change-survival.ts';
import { readCommentsOfOthers, readOurReplies } from './pull-comments.ts';
import { readReviews } from './pull-reviews.ts';
import { pullNumber, pullId } from './github-facts.ts';
import { readMergedPull, readReleasesWith } from './read-merged-pull.ts';
import { readInMergeQueue } from './merge-queue.ts';
import { readPastPulls } from './past-pulls.ts';
import { readFiles } from './read-files.ts';
import { readIssue } from './read-issue.ts';
import { readCompetingPulls } from './competing-pulls.ts';
import { findRepos } from './find-repositories.ts';
import { readIssueLabeller, readLabelledIssues } from './labelled-issues.ts';
import { readFailedChecks } from './failed-checks.ts';
import {
  isClosedToUs,
  isShutOut,
  isPullAlreadyOpen,
  pullRefusedFailure,
  PullResponse,
  toPullFacts,
  PullListResponse,
  shutOutFailure,
} from './pull-schema.ts';
import { createSetupRole } from './pull-setup.ts';
import { readRedOnBaseOrFlaky } from './red-on-base-or-flaky.ts';
import { readBranchHead, readBranchName, readRequirements } from './branch-requirements.ts';
import { parseFullName, RepositoryResponse, toRepoFacts } from './repository-facts.ts';
import { rerunFailedChecks } from './rerun-checks.ts';

const Said = z.object({ html_url: z.string() });
const Login = z.object({ login: z.string() });
const Issues = z.array(z.object({ pull_request: z.object({ merged_at: z.string().nullish() }).optional() }));

const FOUND_MAX_AGE_MS = 5 * MINUTE;
const NAME_MAX_AGE_MS = 5 * SECOND;

type GitHubForge = ForgePort & Pick<ConnectedForge, 'roles' | 'branchHead'>;

type GitHubParts = ClientParts & {
  app?: Pick<ForgeCredentials, 'app' | 'installations' | 'hasAccount'>;
};

/** What all roles ask with: the client, our name, and the current name of a repository. */
const createAccess = (parts: GitHubParts) => {
  const client = createGitHubClient(parts);
  const { app } = parts;
  const repoNamed = async (fullName: string, from = client): Promise<z.infer<typeof RepositoryResponse>> =>
    from.get('/repos/{owner}/{repo}', parseFullName(fullName), RepositoryResponse);
  const readLogin = async (depth: PollDepth): Promise<string> =>
    (await (depth === 'whole' ? client : createPollClients(client, depth).rights).get('/user', {}, Login))
      .login;
  return {
    parts,
    client,
    app,
    repoNamed,
    /** GitHub redirects reads of a former name, but writes need the current one. */
    canonical: async (fullName: string): Promise<RepositoryParams> =>
      parseFullName((await repoNamed(fullName, client.aged(NAME_MAX_AGE_MS))).full_name),
    talk: createReviewPartClient(client, () => parts.clock.now()),
    ownAccount: (): Promise<string> => readLogin('whole'),
    login: async (repo?: string, depth: PollDepth = 'whole'): Promise<string> => {
      const here = repo === undefined ? null : await app?.app(repo);
      if (here) return here.login;
      const itself = app && !app.hasAccount ? await app.installations() : null;
      return itself?.login ?? readLogin(depth);
    },
  };
};
type Access = ReturnType<typeof createAccess>;

const createRepositoryRole = ({ client, app, login, canonical, repoNamed }: Access): ForgeRepository => ({
  login: (repo) => login(repo),
  async repo(fullName) {
    const facts = toRepoFacts(await repoNamed(fullName));
    const here = await app?.app(fullName);
    // GitHub reports a person's rights; an App's are those of its installation.
    if (here) return { ...facts, mayPush: here.mayPush };
    return app && !app.hasAccount ? { ...facts, mayPush: false } : facts;
  },
  async nameOf(id) {
    const found = await fallBackWhenHidden(
      client.get('/repositories/{id}', { id }, RepositoryResponse),
      null,
    );
    return found?.full_name ?? null;
  },
  branchName: (fullName, branch) => readBranchName(client, { ...parseFullName(fullName), branch }),
  files: (fullName, paths) => readFiles(client, parseFullName(fullName), paths),
  async wantsSigned(fullName, branch) {
    const mayRead = <T>(go: () => Promise<T>): Promise<T | null> => fallBackWhenHidden(go(), null);
    return (await readRequirements(client, await canonical(fullName), branch, mayRead)).signed;
  },
  async openPulls(fullName) {
    // GitHub, "List repository issues": pull requests are issues with `pull_request`.
    const at = { ...parseFullName(fullName), state: 'open', creator: await login(fullName) };
    const open = await client.pages('/repos/{owner}/{repo}/issues', at, Issues, (p) => p);
    return open.filter((issue) => issue.pull_request !== undefined).length;
  },
  pastPulls: async (fullName) => readPastPulls(client, parseFullName(fullName)),
  async knowsUs(fullName) {
    const { owner, repo } = await canonical(fullName);
    const us = await login(fullName);
    if (owner.toLowerCase() === us.toLowerCase()) return true;
    const at = { owner, repo, state: 'closed', creator: us, per_page: ITEMS_PER_PAGE };
    const closed = await client.get('/repos/{owner}/{repo}/issues', at, Issues);
    return closed.some(({ pull_request: pull }) => Boolean(pull?.merged_at));
  },
  releasesWith: (fullName, commit) => readReleasesWith(client, parseFullName(fullName), commit),
});

const createForksRole = ({ client, app, canonical, ownAccount }: Access): ForgeForks => ({
  forkOwner: async () => (app && !app.hasAccount ? null : ownAccount()),
  async fork(fullName, organization) {
    const at = { ...(await canonical(fullName)), default_branch_only: true };
    const wish = organization === null ? at : { ...at, organization };
    try {
      return toRepoFacts(await client.post('/repos/{owner}/{repo}/forks', wish, RepositoryResponse));
    } catch (error) {
      throw notForked(fullName, error);
    }
  },
  async followParent(fork, branch) {
    const at = { ...(await canonical(fork)), branch };
    const followed = client.post('/repos/{owner}/{repo}/merge-upstream', at, z.unknown());
    // GitHub, "Sync a fork branch": 409 conflict, 422 workflow changes.
    return (await fallBackWhenHidden(followed, null)) !== null;
  },
});

const createPullsRole = (
  { client, canonical, talk, parts }: Access,
  { openPulls }: Pick<ForgeRepository, 'openPulls'>,
): ForgePulls => {
  const pull: ForgePulls['pull'] = async (fullName, id, depth = 'whole') => {
    const at = { ...parseFullName(fullName), pull_number: pullNumber(id) };
    const route = '/repos/{owner}/{repo}/pulls/{pull_number}';
    const found = await createPollClients(client, depth).pull.get(route, at, PullResponse);
    talk.changed(`${fullName}${id}`, found.updated_at);
    return toPullFacts(found);
  };
  const patchPull = async (fullName: string, id: string, to: { body: string; state?: 'closed' }) => {
    const at = { ...(await canonical(fullName)), pull_number: pullNumber(id) };
    return toPullFacts(
      await client.patch('/repos/{owner}/{repo}/pulls/{pull_number}', { ...at, ...to }, PullResponse),
    );
  };
  return {
    pull,
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
    async createPull(fullName, { title, body, head, base, draft, maintainerCanModify }) {
      const wish = { title, body, head, base, draft, maintainer_can_modify: maintainerCanModify };
      try {
        return toPullFacts(
          await client.post(
            '/repos/{owner}/{repo}/pulls',
            { ...(await canonical(fullName)), ...wish },
            PullResponse,
          ),
        );
      } catch (error) {
        if (isPullAlreadyOpen(error)) return null;
        if (isShutOut(error)) throw shutOutFailure(fullName, error);
        throw isClosedToUs(error) ? pullRefusedFailure(fullName, await openPulls(fullName)) : error;
      }
    },
    describe: (fullName, id, body) => patchPull(fullName, id, { body }),
    close: (fullName, id, body) => patchPull(fullName, id, { state: 'closed', body }),
    seenByAll: (fullName, id) =>
      isPubliclyVisible(
        { timeoutMs: GITHUB_TIMEOUT_MS, ...parts },
        { ...parseFullName(fullName), pull_number: pullNumber(id) },
      ),
    mergedPull: (fullName, id) => readMergedPull(client, parseFullName(fullName), id),
    survival: (fullName, merged) => readSurvival(client, parseFullName(fullName), merged),
    inMergeQueue: async (fullName, id) => readInMergeQueue(client, await canonical(fullName), pullNumber(id)),
  };
};

const createChecksRole = ({ client, canonical }: Access): ForgeChecks => ({
  checks: (fullName, sha, base, depth = 'whole') =>
    readChecks(createPollClients(client, depth), parseFullName(fullName), sha, base),
  failedChecks: (fullName, sha) => readFailedChecks(client, parseFullName(fullName), sha),
  findRedOnBaseOrFlaky: (fullName, sha, base) =>
    readRedOnBaseOrFlaky(client, parseFullName(fullName), sha, base),
  rerun: async (fullName, sha) => rerunFailedChecks(client, await canonical(fullName), sha),
});

const createReviewsRole = ({ client, canonical, talk, login }: Access): ForgeReviews => ({
  reviews: (fullName, id, depth = 'whole') =>
    talk.readTalk(`${fullName}${id}`, 'reviews', depth, (of) =>
      readReviews(of, parseFullName(fullName), pullNumber(id), () => login(fullName, depth)),
    ),
  comments: (fullName, id, depth = 'whole') =>
    talk.readTalk(`${fullName}${id}`, 'comments', depth, async (of) =>
      readCommentsOfOthers(of, parseFullName(fullName), pullNumber(id), await login(fullName, depth)),
    ),
  ourReplies: async (fullName, id) =>
    readOurReplies(client, parseFullName(fullName), pullNumber(id), await login()),
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
});

const createIssuesRole = ({ client, canonical }: Access): ForgeIssues => ({
  issue: (fullName, id) => readIssue(client, { ...parseFullName(fullName), issue_number: pullNumber(id) }),
  labelled: (fullName, label) => readLabelledIssues(client, parseFullName(fullName), label),
  askedBy: (fullName, id, label) =>
    readIssueLabeller(client, { ...parseFullName(fullName), issue_number: pullNumber(id) }, label),
  competingPulls: async (fullName, about) => readCompetingPulls(client, await canonical(fullName), about),
});

const createSearchRole = ({ client, app }: Access): ForgeSearch => ({
  async findRepositories(query) {
    const found = await findRepos(query, client.aged(FOUND_MAX_AGE_MS));
    // Lists contain no rights of an App.
    return app ? { ...found, repos: found.repos.map((one) => ({ ...one, mayPush: null })) } : found;
  },
});

const createRoles = (access: Access): ForgeRoles => {
  const repository = createRepositoryRole(access);
  return {
    repository,
    pulls: createPullsRole(access, repository),
    forks: createForksRole(access),
    checks: createChecksRole(access),
    reviews: createReviewsRole(access),
    issues: createIssuesRole(access),
    search: createSearchRole(access),
    setup: createSetupRole(access.client, access.canonical),
  };
};

export const createGitHubForge = (parts: GitHubParts): GitHubForge => {
  const access = createAccess(parts);
  const roles = createRoles(access);
  return {
    ...fillMissingRoles(roles),
    roles,
    branchHead: (fullName, branch) => readBranchHead(access.client, { ...parseFullName(fullName), branch }),
  };
};

/** GitHub, "Create a fork": 403 forking disabled, 404 not permitted. */
const notForked = (repo: string, error: unknown): unknown => {
  if (!(error instanceof OutsideFailure) || ![403, 404, 422].includes(error.status ?? 0)) return error;
  if (AS_IT_IS.includes(error.class)) return error;
  const says = `${repo} cannot be forked: ${error.message}. A run needs the right to push there, or to fork it`;
  const detail = failureDetail({ kind: 'fork_refused', repo, says: error.message });
  return new OutsideFailure('not_allowed', says, {
    status: error.status,
    detail: findHostRefusal(error) ?? detail,
  });
};
const AS_IT_IS: readonly FailureClass[] = [
  'rate_limited',
  'permission_denied',
  'repository_archived',
  'account_suspended',
];
