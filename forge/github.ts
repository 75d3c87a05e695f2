/** The Forge port on GitHub's REST API. */
import { z } from 'zod';
import {
  OutsideFailure,
  type Forge,
  type PullFacts,
  type RepoFacts,
  type ReviewFacts,
} from '../orchestrator/ports.ts';
import { accessOf, type Access } from './access.ts';
import { readChecks } from './checks.ts';
import { createClient, orWhenHidden, type Client, type ClientParts, type Named } from './client.ts';
import { readComments, readThreads, wordsOnLines } from './comments.ts';
import { readFailedChecks } from './failed-checks.ts';

const Login = z.object({ login: z.string() });
const Repo = z.object({
  id: z.number(),
  full_name: z.string(),
  default_branch: z.string(),
  archived: z.boolean().default(false),
  clone_url: z.string(),
  html_url: z.string(),
  permissions: z.object({ push: z.boolean().default(false) }).optional(),
});
const Pull = z.object({
  number: z.number(),
  html_url: z.string(),
  state: z.enum(['open', 'closed']),
  merged: z.boolean().optional(),
  merged_at: z.string().nullish(),
  merged_by: Login.nullish(),
  user: Login.nullish(),
  base: z.object({ ref: z.string(), repo: z.object({ id: z.number() }) }),
  head: z.object({ ref: z.string(), sha: z.string(), repo: z.object({ id: z.number() }).nullish() }),
  title: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().default(false),
  maintainer_can_modify: z.boolean().default(false),
  mergeable: z.boolean().nullish(),
  mergeable_state: z.string().nullish(),
});
const Pulls = z.array(Pull);
const Issues = z.array(z.object({ pull_request: z.object({}).optional() }));
const Review = z.object({
  id: z.number(),
  user: Login.nullish(),
  state: z.string(),
  commit_id: z.string().nullish(),
  body: z.string().nullish(),
  submitted_at: z.string().nullish(),
  author_association: z.string().default('NONE'),
});
const Reviews = z.array(Review);
const Ran = z.object({ id: z.number(), status: z.string().nullish(), conclusion: z.string().nullish() });
const WorkflowRuns = z.object({ workflow_runs: z.array(Ran) });
const Suites = z.object({ check_suites: z.array(Ran) });

const pullFacts = (pull: z.infer<typeof Pull>): PullFacts => ({
  number: pull.number,
  url: pull.html_url,
  state: pull.state,
  merged: pull.merged ?? Boolean(pull.merged_at),
  mergedBy: pull.merged_by?.login ?? null,
  author: pull.user?.login ?? 'ghost',
  baseRepoId: pull.base.repo.id,
  baseRef: pull.base.ref,
  headRepoId: pull.head.repo?.id ?? null,
  headRef: pull.head.ref,
  headSha: pull.head.sha,
  title: pull.title,
  body: pull.body ?? '',
  draft: pull.draft,
  maintainerCanModify: pull.maintainer_can_modify,
  ...standingOf(pull),
});

/** GitHub, "Get a pull request": `mergeable` is null while it is worked out; a `mergeable_state` may be `behind`. */
const standingOf = ({
  mergeable,
  mergeable_state: state,
}: z.infer<typeof Pull>): Pick<PullFacts, 'standing'> => {
  if (mergeable === false) return { standing: 'conflicts' };
  if (state === 'behind') return { standing: 'behind' };
  return mergeable === true ? { standing: 'level' } : {};
};

const repoFacts = (repo: z.infer<typeof Repo>): RepoFacts => ({
  id: repo.id,
  defaultBranch: repo.default_branch,
  archived: repo.archived,
  cloneUrl: repo.clone_url,
  mayPush: repo.permissions?.push ?? false,
  htmlUrl: repo.html_url,
});

const named = (fullName: string): Named => {
  const [owner = '', repo = '', ...rest] = fullName.split('/');
  if (!owner || !repo || rest.length > 0) throw new Error(`not a repository's full name: ${fullName}`);
  return { owner, repo };
};

export const createGitHubForge = (parts: ClientParts): Forge => {
  const client = createClient(parts);
  const repoNamed = async (fullName: string): Promise<z.infer<typeof Repo>> =>
    client.get('/repos/{owner}/{repo}', named(fullName), Repo);
  /** GitHub answers under a former name, and takes nothing there: what is written, or sought by its owner, needs the present one. */
  const canonical = async (fullName: string): Promise<Named> => named((await repoNamed(fullName)).full_name);
  const login = async (): Promise<string> => (await client.get('/user', {}, Login)).login;
  const pull = async (fullName: string, number: number): Promise<PullFacts> =>
    pullFacts(
      await client.get(
        '/repos/{owner}/{repo}/pulls/{pull_number}',
        { ...named(fullName), pull_number: number },
        Pull,
      ),
    );

  return {
    login,
    repo: async (fullName) => repoFacts(await repoNamed(fullName)),
    pull,
    async nameOf(id) {
      const found = await orWhenHidden(client.get('/repositories/{id}', { id }, Repo), null);
      return found?.full_name ?? null;
    },
    async pullsByHead(fullName, branch) {
      const { owner, repo } = await canonical(fullName);
      const head = branch.includes(':') ? branch : `${owner}:${branch}`;
      const listed = await client.pages(
        '/repos/{owner}/{repo}/pulls',
        { owner, repo, head, state: 'all' },
        Pulls,
        (p) => p,
      );
      // GitHub ignores a `head` that it cannot read and lists everything instead.
      const ours = listed.filter((p) => p.head.ref === branch.slice(branch.indexOf(':') + 1));
      // The list leaves out who merged and what maintainers may do.
      return Promise.all(ours.slice(0, 10).map((p) => pull(fullName, p.number)));
    },
    async openPulls(fullName) {
      // GitHub, "List repository issues": pull requests are issues, and have the member `pull_request`. Large repositories have
      // more open ones of others than anybody should page through.
      const at = { ...named(fullName), state: 'open', creator: await login() };
      const open = await client.pages('/repos/{owner}/{repo}/issues', at, Issues, (p) => p);
      return open.filter((issue) => issue.pull_request !== undefined).length;
    },
    async createPull(fullName, { title, body, head, base, draft, maintainerCanModify }) {
      const wish = { title, body, head, base, draft, maintainer_can_modify: maintainerCanModify };
      try {
        return pullFacts(
          await client.post('/repos/{owner}/{repo}/pulls', { ...(await canonical(fullName)), ...wish }, Pull),
        );
      } catch (error) {
        if (isThere(error)) return null;
        throw error;
      }
    },
    checks: (fullName, sha, base) => readChecks(client, named(fullName), sha, base),
    async reviews(fullName, number) {
      const at = { ...named(fullName), pull_number: number };
      const listed = await client.pages(
        '/repos/{owner}/{repo}/pulls/{pull_number}/reviews',
        at,
        Reviews,
        (p) => p,
      );
      const access = accessOf(client, named(fullName));
      const facts = (await Promise.all(listed.map((review) => reviewFacts(review, access)))).filter(
        (f) => f !== null,
      );
      // Whoever steers is understood by their threads; of others the words on lines are all that people see.
      const isRemark = ({ access, state }: ReviewFacts): boolean =>
        state === 'commented' || (state === 'changes_requested' && access !== 'write');
      if (!facts.some(isRemark)) return facts;
      const [us, onLines] = await Promise.all([
        login(),
        orWhenHidden(wordsOnLines(client, named(fullName), number), null),
      ]);
      return facts.flatMap((one) => {
        if (!isRemark(one)) return one;
        // What we say ourselves is no news, as among the comments.
        if (one.reviewer === us) return [];
        return { ...one, body: [one.body, onLines?.get(one.id) ?? ''].filter(Boolean).join('\n\n') };
      });
    },
    failedChecks: (fullName, sha) => readFailedChecks(client, named(fullName), sha),
    threads: (fullName, number) => readThreads(client, named(fullName), number),
    async comments(fullName, number) {
      return readComments(client, named(fullName), number, await login());
    },
    rerun: async (fullName, sha) => rerunFailed(client, await canonical(fullName), sha),
  };
};

/** GitHub, "Create a pull request": 422 with the code `custom`, which only its words tell from others. */
const isThere = (error: unknown): boolean =>
  error instanceof OutsideFailure && error.status === 422 && /already exists/i.test(error.message);

/** Failed jobs of Actions; else the failed suites of other apps, which only an App may ask for again. */
const rerunFailed = async (client: Client, at: Named, sha: string): Promise<void> => {
  const runs = client.pages(
    '/repos/{owner}/{repo}/actions/runs',
    { ...at, head_sha: sha },
    WorkflowRuns,
    (p) => p.workflow_runs,
  );
  const jobs = (await orWhenHidden(runs, [])).filter(hasFailed);
  for (const { id } of jobs) {
    await client.post(
      '/repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs',
      { ...at, run_id: id },
      z.unknown(),
    );
  }
  if (jobs.length > 0) return;
  const suites = await client.pages(
    '/repos/{owner}/{repo}/commits/{ref}/check-suites',
    { ...at, ref: sha },
    Suites,
    (p) => p.check_suites,
  );
  const failed = suites.filter(hasFailed);
  if (failed.length === 0) {
    throw new OutsideFailure(
      'forge_refused',
      'There is no failed check that we could start again. Re-run it on GitHub.',
    );
  }
  for (const { id } of failed) {
    await client.post(
      '/repos/{owner}/{repo}/check-suites/{check_suite_id}/rerequest',
      { ...at, check_suite_id: id },
      z.unknown(),
    );
  }
};

const hasFailed = (r: z.infer<typeof Ran>): boolean =>
  r.status === 'completed' && !FINE.includes(r.conclusion ?? '');
const FINE = ['success', 'neutral', 'skipped'];
const STATES = new Map<string, ReviewFacts['state']>([
  ['APPROVED', 'approved'],
  ['CHANGES_REQUESTED', 'changes_requested'],
  ['COMMENTED', 'commented'],
  ['DISMISSED', 'dismissed'],
]);

/** A review that is still being written has no place here. */
const reviewFacts = async (review: z.infer<typeof Review>, access: Access): Promise<ReviewFacts | null> => {
  const state = STATES.get(review.state);
  if (!state) return null;
  const reviewer = review.user?.login ?? null;
  return {
    id: review.id,
    reviewer: reviewer ?? 'ghost',
    access: await access(reviewer, review.author_association),
    state,
    commitSha: review.commit_id ?? '',
    body: review.body ?? '',
    submittedAt: Date.parse(review.submitted_at ?? '') || 0,
  };
};
