/** Opens, changes and merges pull requests by GitHub's rules. */
import { commitsAhead, diffSize, mergedTree, mergeInto, findCommit } from './git.ts';
import { invalid, notFound, RestRefusal } from './refusal.ts';
import { rootOf } from './relatives.ts';
import type { Pull, PullChanges, Repo, State, User } from './state.ts';

export type NewPull = {
  title: string;
  body: string | null;
  /** `branch`, or `owner:branch` of a fork. */
  head: string;
  base: string;
  draft: boolean;
  maintainerCanModify: boolean;
};

const field = (name: string): RestRefusal =>
  invalid({ resource: 'PullRequest', field: name, code: 'invalid' });
const custom = (message: string): RestRefusal =>
  invalid({ resource: 'PullRequest', code: 'custom', message });

/** Issues and pull requests share one sequence. */
export const nextNumber = (repo: Repo): number => repo.pulls.length + repo.issues.length + 1;

export function pullOf(repo: Repo, number: number): Pull {
  const pull = repo.pulls.find((one) => one.number === number);
  if (!pull) throw notFound();
  return pull;
}

const LIMITED = {
  existing_users: 'users that have been on GitHub for more than 24 hours.',
  contributors_only: 'users that have contributed to this repository in the past.',
  collaborators_only: 'users that are collaborators on this repository.',
} as const;

function assertTakesPulls(state: State, repo: Repo, user: User): void {
  if (repo.refusesPulls.off)
    throw new RestRefusal(410, 'Pull requests have been disabled for this repository.');
  if (['admin', 'write'].includes(state.accessOf(repo, user.login))) return;
  if (repo.refusesPulls.policy === 'collaborators_only')
    throw custom(
      `An owner of this repository has limited the ability to open a pull request to ${LIMITED.collaborators_only}`,
    );
  const { limit, until } = repo.interactions ?? { limit: 'existing_users', until: 0 };
  const contributed = repo.pulls.some((one) => one.user === user && one.merged !== null);
  if (until <= state.now() || limit === 'existing_users' || (limit === 'contributors_only' && contributed))
    return;
  throw custom(
    `An owner of this repository has limited the ability to open a pull request to ${LIMITED[limit]}`,
  );
}

export async function openPull(state: State, repo: Repo, user: User, wish: NewPull): Promise<Pull> {
  if (repo.archived) throw new RestRefusal(403, 'Repository was archived so is read-only.');
  assertTakesPulls(state, repo, user);
  const [owner = '', ref] = wish.head.includes(':') ? wish.head.split(':', 2) : [repo.owner.login, wish.head];
  const headRepo = [...state.repos.values()].find((one) => one.owner.login === owner && related(one, repo));
  const mayPush = headRepo && ['admin', 'write'].includes(state.accessOf(headRepo, user.login));
  if (headRepo && !mayPush) throw new RestRefusal(403, 'Resource not accessible by personal access token');
  const baseSha = await findCommit(repo.dir, `refs/heads/${wish.base}`);
  if (!baseSha) throw field('base');
  const headSha = headRepo && ref ? await findCommit(headRepo.dir, `refs/heads/${ref}`) : null;
  if (!headRepo || !ref || !headSha) throw field('head');
  const pull: Pull = {
    id: state.nextId(),
    number: 0,
    title: wish.title,
    body: wish.body,
    state: 'open',
    user,
    draft: wish.draft,
    maintainerCanModify: wish.maintainerCanModify,
    base: { repo, ref: wish.base, sha: baseSha },
    head: { repo: headRepo, ref, sha: headSha },
    createdAt: state.now(),
    updatedAt: state.now(),
    closedAt: null,
    merged: null,
    reviews: [],
    writings: [{ by: user.login, title: wish.title, body: wish.body ?? '', headSha }],
    queued: [],
    pushesBefore: headRepo.pushes.length,
    requested: [],
    requestedTeams: [],
    labels: [],
    assignees: [],
    milestone: null,
    locked: false,
  };
  return state.alone(repo, async () => {
    const twin = repo.pulls.find(
      (one) =>
        one.state === 'open' &&
        one.base.ref === wish.base &&
        one.head.repo === headRepo &&
        one.head.ref === ref,
    );
    if (twin) throw custom(`A pull request already exists for ${owner}:${ref}.`);
    pull.number = nextNumber(repo);
    await state.keepHead(pull);
    if ((await commitsAhead(repo.dir, baseSha, headSha)) === 0) {
      throw custom(`No commits between ${wish.base} and ${wish.head}`);
    }
    repo.pulls.push(pull);
    tellPull(state, pull, user, 'opened');
    return pull;
  });
}

function tellPull(state: State, pull: Pull, by: User, action: string, changes?: PullChanges): void {
  const about = { repo: pull.base.repo, number: pull.number, sha: pull.head.sha, by, pull };
  state.tell({ event: 'pull_request', action, ...about, ...(changes && { changes }) });
}

const related = (one: Repo, other: Repo): boolean => rootOf(one) === rootOf(other);

export type PullChange = {
  title?: string | undefined;
  body?: string | null | undefined;
  state?: 'open' | 'closed' | undefined;
  base?: string | undefined;
  maintainer_can_modify?: boolean | undefined;
};

export async function changePull(state: State, pull: Pull, by: User, change: PullChange): Promise<void> {
  const { repo, ref, sha: oldSha } = pull.base;
  const changes: PullChanges = {
    ...(change.title !== undefined && change.title !== pull.title && { title: { from: pull.title } }),
    ...(change.body !== undefined && change.body !== pull.body && { body: { from: pull.body ?? '' } }),
    ...(change.base !== undefined &&
      change.base !== ref && { base: { ref: { from: ref }, sha: { from: oldSha } } }),
  };
  if (change.base !== undefined) {
    const sha = await findCommit(repo.dir, `refs/heads/${change.base}`);
    if (!sha) throw field('base');
    Object.assign(pull.base, { ref: change.base, sha });
  }
  if (change.title !== undefined) pull.title = change.title;
  if (change.body !== undefined) pull.body = change.body;
  if (change.maintainer_can_modify !== undefined) pull.maintainerCanModify = change.maintainer_can_modify;
  if (changes.title || changes.body)
    pull.writings.push({ by: by.login, title: pull.title, body: pull.body ?? '', headSha: pull.head.sha });
  pull.updatedAt = state.now();
  const moved = change.state !== undefined && change.state !== pull.state;
  if (moved && pull.merged) throw invalid({ resource: 'PullRequest', field: 'state', code: 'invalid' });
  if (moved) {
    pull.state = change.state ?? pull.state;
    pull.closedAt = pull.state === 'closed' ? state.now() : null;
  }
  if (Object.keys(changes).length > 0) tellPull(state, pull, by, 'edited', changes);
  if (moved) tellPull(state, pull, by, pull.state === 'closed' ? 'closed' : 'reopened');
  state.changed();
}

/** GitHub offers this only by GraphQL. */
export function draftPull(state: State, pull: Pull, by: User, draft: boolean): void {
  if (pull.draft === draft) return;
  Object.assign(pull, { draft, updatedAt: state.now() });
  tellPull(state, pull, by, draft ? 'converted_to_draft' : 'ready_for_review');
}

/** GitHub enqueues by its page or by GraphQL; its timeline and two deliveries tell of it. */
export function queuePull(state: State, pull: Pull, by: User, on: boolean): void {
  if (isQueued(pull) === on) return;
  const event = on ? 'added_to_merge_queue' : 'removed_from_merge_queue';
  pull.queued.push({ event, at: state.now(), by });
  tellPull(state, pull, by, on ? 'enqueued' : 'dequeued');
}
export const isQueued = ({ queued }: Pick<Pull, 'queued'>): boolean =>
  queued.at(-1)?.event === 'added_to_merge_queue';

/** The button *Update branch*: a merge of the base into the head, with nothing of its own. */
export function updatePull(state: State, pull: Pull, by: User): Promise<string> {
  const { base, head } = pull;
  return state.alone(head.repo, async () => {
    const author = { name: by.login, email: `${by.login}@users.noreply.example.com` };
    const message = `Merge branch '${base.ref}' into ${head.ref}`;
    const at = Math.floor(state.now() / 1000);
    const sha = await mergeInto(head.repo.dir, head.ref, `refs/heads/${base.ref}`, {
      message,
      squash: false,
      at,
      author,
    });
    if (!sha) throw new RestRefusal(422, 'merge conflict between base and head');
    await state.followHeads(head.repo, by);
    return sha;
  });
}

export type Merge = { method: 'merge' | 'squash'; sha?: string | undefined };

export function mergePull(state: State, pull: Pull, by: User, { method, sha }: Merge): Promise<string> {
  const { repo, ref } = pull.base;
  return state.alone(repo, async () => {
    if (pull.state !== 'open' || pull.draft) throw new RestRefusal(405, 'Pull Request is not mergeable');
    if (sha !== undefined && sha !== pull.head.sha) {
      throw new RestRefusal(409, 'Head branch was modified. Review and try the merge again.');
    }
    const from = `${pull.head.repo.owner.login}/${pull.head.ref}`;
    const message =
      method === 'merge'
        ? `Merge pull request #${pull.number} from ${from}\n\n${pull.title}`
        : `${pull.title} (#${pull.number})\n\n${pull.body ?? ''}`;
    const merged = await mergeInto(repo.dir, ref, pull.head.sha, {
      message,
      squash: method === 'squash',
      at: Math.floor(state.now() / 1000),
      author: { name: by.login, email: `${by.login}@users.noreply.example.com` },
    });
    if (!merged) throw new RestRefusal(405, 'Pull Request is not mergeable');
    const at = state.now();
    pull.merged = { at, by, sha: merged };
    Object.assign(pull, { state: 'closed', closedAt: at, updatedAt: at });
    await state.followHeads(repo, by);
    tellPull(state, pull, by, 'closed');
    return merged;
  });
}

export type Computed = {
  mergeable: boolean | null;
  commits: number;
  size: { changed_files: number; additions: number; deletions: number };
};
const computed = new WeakMap<Pull, { key: string; result: Promise<Computed> }>();

export async function compute(pull: Pull): Promise<Computed> {
  const { base, head, state } = pull;
  const { dir } = base.repo;
  const tip = await findCommit(dir, `refs/heads/${base.ref}`);
  const key = [base.sha, tip, head.sha, state].join(' ');
  const known = computed.get(pull);
  if (known?.key === key) return known.result;
  const work = async (): Promise<Computed> => {
    const merges = state === 'open' && tip !== null && (await mergedTree(dir, tip, head.sha)) !== null;
    const commits = await commitsAhead(dir, base.sha, head.sha);
    return {
      mergeable: state === 'open' ? merges : null,
      commits,
      size: await diffSize(dir, base.sha, head.sha),
    };
  };
  const result = work();
  computed.set(pull, { key, result });
  return result;
}
