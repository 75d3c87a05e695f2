/** Webhook payloads, as of the moment of the event. */
import { HOOK_APP_ID, type Hook, type Letter } from './deliveries.ts';
import { showLabel, time } from './format.ts';
import { commitAt, commitsBetween, wasForced } from './git-log.ts';
import { showAsIssue, showIssue } from './issues.ts';
import { commitsAhead, diffSize } from './git.ts';
import { showRelease } from './routes-merged.ts';
import type { Show } from './show.ts';
import type { Happening, Pull, Repo, User } from './state.ts';

type Payload = Record<string, unknown>;

const ZERO = '0'.repeat(40);
const MOST_COMMITS = 2048;

/** State is read before the first await; git objects cannot change and may be read later. */
export async function letterOf(show: Show, happening: Happening): Promise<Letter> {
  const { event, action, repo, by } = happening;
  const common = { repository: show.repository(repo), sender: show.user(by) };
  const payload = await subjectOf(show, happening);
  const letter = { event, action, repo: repo.fullName };
  return { ...letter, payload: { ...(action !== null && { action }), ...payload, ...common } };
}

function subjectOf(show: Show, happening: Happening): Payload | Promise<Payload> {
  const { repo } = happening;
  switch (happening.event) {
    case 'push':
      return pushed(show, happening);
    case 'pull_request': {
      const { pull, moved, changes } = happening;
      return withSize(show, pull, { number: pull.number, ...moved, ...(changes && { changes }) });
    }
    case 'pull_request_review': {
      const { pull, review } = happening;
      const shown = show.review(repo, pull.number, review);
      // Webhooks use lower case for it, the API upper case.
      return { review: { ...shown, state: review.state.toLowerCase() }, pull_request: show.pullInList(pull) };
    }
    case 'pull_request_review_comment': {
      const { pull, comment } = happening;
      return { comment: show.lineComment(repo, comment), pull_request: show.pullInList(pull) };
    }
    case 'issue_comment':
      return { issue: showAsIssue(show, happening.pull), comment: show.comment(repo, happening.comment) };
    case 'issues': {
      const { issue, label } = happening;
      const given = label === null ? {} : { label: showLabel(show.places(repo).api, label) };
      return { issue: showIssue(show, repo, issue), ...given };
    }
    case 'check_run': {
      const { run } = happening;
      return { check_run: { ...show.checkRun(repo, run), check_suite: show.suite(repo, run.suite) } };
    }
    case 'check_suite':
      return { check_suite: show.suite(repo, happening.suite) };
    case 'status': {
      const { id, sha, context, state, description, at } = happening.status;
      return {
        id,
        sha,
        name: repo.fullName,
        context,
        state,
        description,
        target_url: null,
        branches: [],
        commit: show.commit(repo, sha),
        created_at: time(at),
        updated_at: time(at),
      };
    }
    case 'workflow_run': {
      const { workflow } = happening;
      const definition = {
        id: repo.id,
        name: workflow.name,
        path: '.github/workflows/ci.yml',
        state: 'active',
      };
      return { workflow_run: show.workflow(repo, workflow), workflow: definition };
    }
    case 'release':
      return { release: showRelease(show, repo, happening.release) };
    case 'repository':
      return {};
  }
}

async function withSize(show: Show, pull: Pull, others: Payload): Promise<Payload> {
  const size = { changed_files: 0, additions: 0, deletions: 0 };
  const shown = show.pull(pull, { mergeable: null, commits: 0, size });
  const { dir } = pull.base.repo;
  const [base, head] = [pull.base.sha, pull.head.sha];
  const commits = await commitsAhead(dir, base, head);
  const state = { mergeable_state: pull.draft ? 'draft' : 'unknown' };
  return { ...others, pull_request: { ...shown, commits, ...(await diffSize(dir, base, head)), ...state } };
}

async function pushed(
  show: Show,
  { repo, ref, before, after, by }: Happening & { event: 'push' },
): Promise<Payload> {
  const [created, deleted] = [before === ZERO, after === ZERO];
  const pusher = { name: by.login, email: mailOf(by) };
  const links = { compare: show.compare(repo, before, after), base_ref: null };
  // A new branch is compared with the default branch.
  const since = created ? (repo.refs.get(`refs/heads/${repo.defaultBranch}`) ?? null) : before;
  const from = since === after ? null : since;
  const commits = deleted ? [] : await commitsBetween(repo.dir, from, after, MOST_COMMITS);
  const head = deleted ? null : await commitAt(repo.dir, after);
  const forced = !created && !deleted && (await wasForced(repo.dir, before, after));
  return {
    ref,
    before,
    after,
    created,
    deleted,
    forced,
    ...links,
    pusher,
    commits: commits.map((commit) => show.pushedCommit(repo, commit)),
    head_commit: head && show.pushedCommit(repo, head),
  };
}

const mailOf = ({ id, login }: User): string => `${id}+${login}@users.noreply.example.com`;

const ping = (hook: Hook, type: 'App' | 'Repository', others: Payload): Letter => ({
  event: 'ping',
  action: null,
  repo: hook.repo?.fullName ?? null,
  payload: {
    zen: 'Practicality beats purity.',
    hook_id: hook.id,
    hook: {
      type,
      id: hook.id,
      name: 'web',
      active: true,
      events: hook.events,
      config: { content_type: 'json', insecure_ssl: '0', url: hook.url, secret: '********' },
      ...(type === 'App' && { app_id: HOOK_APP_ID }),
    },
    ...others,
  },
});
export const appPing = (hook: Hook): Letter => ping(hook, 'App', {});
export const repositoryPing = (show: Show, hook: Hook, repo: Repo): Letter =>
  ping(hook, 'Repository', { repository: show.repository(repo), sender: show.user(repo.owner) });
