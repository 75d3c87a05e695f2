/** A test's handle on a repository: its state, and actions of its maintainers. */
import { holdSuite, reportCheck, reportStatus, type CheckReport } from './checks.ts';
import { addComment, addReview, type NewLineComment } from './comments.ts';
import { branchHeads, commitFiles, git, findCommit, type Author } from './git.ts';
import { changeIssue, connectIssue, issueOf, labelIssue, openIssue } from './issues.ts';
import { repositoryPing } from './payloads.ts';
import { changePull, draftPull, mergePull, nextNumber, pullOf, queuePull, updatePull } from './pulls.ts';
import type { Show } from './show.ts';
import type {
  Access,
  CheckRun,
  CiJob,
  InteractionLimit,
  Hook,
  NewHook,
  Pull,
  Push,
  Repo,
  Review,
  Rule,
  State,
  Status,
  Writing,
} from './state.ts';

export type PullView = {
  number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  merged: boolean;
  mergedBy: string | null;
  draft: boolean;
  author: string;
  /** `base` is a branch, `head` is `owner:branch`. */
  base: string;
  head: string;
  headSha: string;
  reviews: { user: string; state: Review['state']; body: string }[];
  comments: { user: string; body: string }[];
  writings: readonly Writing[];
  pushesBefore: number;
};
export type NewCommitOptions = {
  files?: Record<string, string | null>;
  message?: string;
  author?: Author;
};

export type RepoHandle = ReturnType<typeof createRepoHandle>;

const stranger: Author = { name: 'Kim Stranger', email: 'kim@example.com' };

export function createRepoHandle(state: State, show: Show, repo: Repo) {
  const maintainer = repo.owner;
  const commit = (branch: string, options: NewCommitOptions): Promise<string> =>
    state.alone(repo, async () => {
      const { author = stranger, message = 'Somebody else was here' } = options;
      const files = options.files ?? {
        'STRANGER.md': `A commit by somebody else, after ${repo.pushes.length} pushes.\n`,
      };
      const at = Math.floor(state.now() / 1000);
      const sha = await commitFiles(repo.dir, branch, { message, author, at, files }, repo.defaultBranch);
      await state.followHeads(repo, state.user(author.name.toLowerCase().replace(/\W+/g, '-')));
      return sha;
    });

  return {
    id: repo.id,
    get fullName(): string {
      return repo.fullName;
    },
    dir: repo.dir,
    get defaultBranch(): string {
      return repo.defaultBranch;
    },
    get archived(): boolean {
      return repo.archived;
    },
    get pulls(): PullView[] {
      return repo.pulls.map(pullView);
    },
    get pushes(): Push[] {
      return [...repo.pushes];
    },
    get reruns(): number {
      return repo.suites.reduce((sum, suite) => sum + suite.reruns, 0);
    },
    get checkRuns(): CheckRun[] {
      return [...repo.runs];
    },
    branches: async (): Promise<string[]> => [...(await branchHeads(repo.dir)).keys()],
    head: (branch = repo.defaultBranch): Promise<string | null> =>
      findCommit(repo.dir, `refs/heads/${branch}`),
    async commits(
      branch = repo.defaultBranch,
    ): Promise<{ sha: string; title: string; author: string; parents: string[] }[]> {
      const log = await git(repo.dir, ['log', '--format=%H%x00%s%x00%an%x00%P', `refs/heads/${branch}`]);
      return log.split('\n').map((line) => {
        const [sha = '', title = '', author = '', parents = ''] = line.split('\0');
        return { sha, title, author, parents: parents.split(' ').filter(Boolean) };
      });
    },
    read: (path: string, at = repo.defaultBranch): Promise<string> =>
      git(repo.dir, ['show', `${at}:${path}`]),
    merge: (number: number, method: 'merge' | 'squash' = 'merge'): Promise<string> =>
      mergePull(state, pullOf(repo, number), maintainer, { method }),
    close: (number: number): Promise<void> =>
      changePull(state, pullOf(repo, number), maintainer, { state: 'closed' }),
    readyForReview: (number: number): void => draftPull(state, pullOf(repo, number), maintainer, false),
    convertToDraft: (number: number): void => draftPull(state, pullOf(repo, number), maintainer, true),
    enqueue: (number: number): void => queuePull(state, pullOf(repo, number), maintainer, true),
    dequeue: (number: number): void => queuePull(state, pullOf(repo, number), maintainer, false),
    updateBranch: (number: number, user = maintainer.login): Promise<string> =>
      updatePull(state, pullOf(repo, number), state.user(user)),
    /** As an app or a person does who edits the pull request of somebody else. */
    edit: (
      number: number,
      change: { title?: string; body?: string },
      user = maintainer.login,
    ): Promise<void> => changePull(state, pullOf(repo, number), state.user(user), change),
    reopen: (number: number): Promise<void> =>
      changePull(state, pullOf(repo, number), maintainer, { state: 'open' }),
    review(
      number: number,
      review: {
        user?: string;
        state: Review['state'];
        body?: string;
        commitSha?: string;
        comments?: readonly NewLineComment[];
      },
    ): number {
      const pull = pullOf(repo, number);
      const { body = '', commitSha = pull.head.sha, comments = [] } = review;
      const user = state.user(review.user ?? maintainer.login);
      return addReview(state, pull, { user, state: review.state, body, commitSha }, comments).review.id;
    },
    reviewComment(number: number, comment: NewLineComment & { user?: string; inReplyTo?: number }): number {
      const pull = pullOf(repo, number);
      const user = state.user(comment.user ?? maintainer.login);
      const review = { user, state: 'COMMENTED' as const, body: '', commitSha: pull.head.sha };
      return addReview(state, pull, review, [comment]).comments[0]?.id ?? 0;
    },
    editLineComment(id: number, body: string | null): void {
      repo.lineComments = repo.lineComments.flatMap((one) =>
        one.id !== id ? [one] : body === null ? [] : [{ ...one, body }],
      );
      for (const pull of repo.pulls) pull.updatedAt = state.now();
    },
    dismiss(number: number, id: number): void {
      const pull = pullOf(repo, number);
      const review = pull.reviews.find((one) => one.id === id);
      if (review) review.state = 'DISMISSED';
      pull.updatedAt = state.now();
    },
    lock(number: number): void {
      pullOf(repo, number).locked = true;
    },
    lineComments: (number: number) =>
      repo.lineComments
        .filter((one) => one.pull === number)
        .map(({ id, user, body, inReplyTo, path }) => ({ id, user: user.login, body, inReplyTo, path })),
    requested: (number: number): string[] => [...pullOf(repo, number).requested],
    addLabel: (name: string): void => void repo.labels.push(name),
    addMilestone: (title: string): void => void repo.milestones.push(title),
    addTeam: (slug: string): void => void repo.teams.push(slug),
    /** What people see beside its text. */
    sidebar: (number: number) => {
      const { draft, labels, requested, requestedTeams, assignees, milestone } = pullOf(repo, number);
      return { draft, labels, requested, requestedTeams, assignees, milestone };
    },
    comment(number: number, comment: { user?: string; body: string }): number {
      const user = state.user(comment.user ?? maintainer.login);
      return addComment(state, pullOf(repo, number), user, comment.body).id;
    },
    openIssue({ title, body = null, user }: { title: string; body?: string | null; user?: string }): number {
      return openIssue(state, repo, { title, body, user: state.user(user ?? maintainer.login) }).number;
    },
    labelIssue(number: number, label: string, user: string = maintainer.login, on = true): void {
      labelIssue(state, repo, issueOf(repo, number), { label, by: state.user(user), on });
    },
    changeIssue(
      number: number,
      change: { state?: 'open' | 'closed'; assignees?: readonly string[]; locked?: boolean },
    ): void {
      const { assignees, ...rest } = change;
      const whom = assignees && { assignees: assignees.map((login) => state.user(login)) };
      changeIssue(state, issueOf(repo, number), maintainer, { ...rest, ...whom });
    },
    crowd(number: number, count: number, text: (n: number) => { title: string; body: string }): void {
      const first = pullOf(repo, number);
      for (let n = 0; n < count; n += 1) {
        const head = { ...first.head, ref: `${first.head.ref}-${n}` };
        const own = { id: state.nextId(), number: nextNumber(repo), head, ...text(n) };
        repo.pulls.push({ ...first, ...own, createdAt: state.now(), updatedAt: state.now() });
      }
      state.changed();
    },
    connectIssue: (number: number, on = true): void =>
      connectIssue(state, issueOf(repo, number), maintainer, on),
    holdChecks: (sha: string, app?: string): void => holdSuite(state, repo, sha, app),
    allowChecks: (number: number): void => state.ci.allow(repo, pullOf(repo, number)),
    setCheck: (sha: string, report: CheckReport): number => reportCheck(state, repo, sha, report).id,
    setStatus(
      sha: string,
      status: Pick<Status, 'context' | 'state'> & { description?: string; by?: string },
    ): void {
      reportStatus(state, repo, sha, { description: null, ...status });
    },
    pushForeign: (branch: string, options: NewCommitOptions = {}): Promise<string> => commit(branch, options),
    advance: (files: Record<string, string | null>, message = 'Move on'): Promise<string> =>
      commit(repo.defaultBranch, { files, message }),
    async deleteBranch(branch: string): Promise<void> {
      await state.alone(repo, async () => {
        await git(repo.dir, ['update-ref', '-d', `refs/heads/${branch}`]);
        await state.followHeads(repo, maintainer);
      });
    },
    setCi(jobs: readonly CiJob[]): void {
      repo.ci = [...jobs];
    },
    ciIdle: (): Promise<void> => state.ci.idle(repo),
    rerunCi(which: 'failed' | 'all' = 'failed'): boolean {
      const last = repo.workflows.at(-1);
      return last !== undefined && state.ci.rerun(repo, last, which, maintainer) === null;
    },
    addWebhook: (hook: NewHook): Hook =>
      state.post.addHook(hook, repo, (made) => repositoryPing(show, made, repo)),
    archive: (): void => state.setRepo(repo, { archived: true }),
    unarchive: (): void => state.setRepo(repo, { archived: false }),
    refusePulls: (by: Partial<Repo['refusesPulls']>): void =>
      state.setRepo(repo, { refusesPulls: { ...repo.refusesPulls, ...by } }),
    limitInteractions: (limit: InteractionLimit, ms: number): void =>
      state.setRepo(repo, { interactions: { limit, until: state.now() + ms } }),
    setPrivate: (on: boolean): void => state.setRepo(repo, { private: on }),
    retarget: (number: number, base: string): Promise<void> =>
      changePull(state, pullOf(repo, number), maintainer, { base }),
    renameBranch: (from: string, to: string): Promise<void> => state.renameBranch(repo, from, to, maintainer),
    addBranch: (name: string, options: NewCommitOptions = {}): Promise<string> => commit(name, options),
    /** Source: GitHub, "Limit open pull requests for users without write access". */
    limitPulls(most: number | null): void {
      repo.pullLimit = most;
    },
    grant(login: string, access: Access): void {
      repo.access.set(login, access);
    },
    refuseBranch(pattern: RegExp, words = 'Branch name must match a given regex pattern'): void {
      repo.refusals.push({ pattern, words });
    },
    async release(tag: string, sha?: string): Promise<void> {
      const at = sha ?? (await findCommit(repo.dir, `refs/heads/${repo.defaultBranch}`)) ?? '';
      await git(repo.dir, ['update-ref', `refs/tags/${tag}`, at]);
      const release = { id: state.nextId(), tag, sha: at, at: state.now() };
      repo.releases.push(release);
      state.tell({
        event: 'release',
        action: 'published',
        repo,
        number: null,
        sha: at,
        by: maintainer,
        release,
      });
    },
    addRule(rule: Rule): void {
      repo.rules.push(rule);
    },
    requireChecks(branch: string, contexts: string[]): void {
      const required_status_checks = contexts.map((context) => ({ context }));
      const parameters = { required_status_checks, strict_required_status_checks_policy: false };
      repo.rules.push({ type: 'required_status_checks', branch, parameters });
    },
  };
}

export const pullView = (pull: Pull): PullView => ({
  number: pull.number,
  title: pull.title,
  body: pull.body,
  state: pull.state,
  draft: pull.draft,
  merged: pull.merged !== null,
  mergedBy: pull.merged?.by.login ?? null,
  author: pull.user.login,
  base: pull.base.ref,
  head: `${pull.head.repo.owner.login}:${pull.head.ref}`,
  headSha: pull.head.sha,
  reviews: pull.reviews.map(({ user, state, body }) => ({ user: user.login, state, body })),
  comments: pull.base.repo.comments
    .filter((comment) => comment.issue === pull.number)
    .map(({ user, body }) => ({ user: user.login, body })),
  writings: [...pull.writings],
  pushesBefore: pull.pushesBefore,
});
