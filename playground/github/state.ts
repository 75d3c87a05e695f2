/** What the local GitHub remembers: users, repositories, pull requests, checks; and how it tells of changes. */
import { join } from 'node:path';
import { branchHeads, copyRefs, createBare, git, type Origin } from './git.ts';

export type Access = 'admin' | 'write' | 'read' | 'none';
export type User = { id: number; login: string };
/** `scopes` is null for a fine-grained token. */
export type Identity = { user: User; token: string; scopes: string[] | null };
export type Review = {
  id: number;
  user: User;
  state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED';
  body: string;
  commitSha: string;
  at: number;
};
export type Comment = { id: number; issue: number; user: User; body: string; at: number };
export type Suite = { id: number; sha: string; app: string; reruns: number };
export type CheckRun = {
  id: number;
  suite: Suite;
  name: string;
  status: 'queued' | 'in_progress' | 'completed' | 'waiting' | 'requested' | 'pending';
  conclusion: string | null;
  output: { title: string | null; summary: string | null; text: string | null };
  startedAt: number;
  completedAt: number | null;
};
export type Status = {
  id: number;
  sha: string;
  context: string;
  state: 'error' | 'failure' | 'pending' | 'success';
  description: string | null;
  at: number;
};
export type Rule = { type: string; branch: string; parameters: Record<string, unknown> };
/** `refused` holds the words that the client read. */
export type Push = { ref: string; old: string; new: string; by: string; refused: string | null };
export type Pull = {
  id: number;
  number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  draft: boolean;
  user: User;
  base: { repo: Repo; ref: string; sha: string };
  head: { repo: Repo; ref: string; sha: string };
  maintainerCanModify: boolean;
  createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  merged: { at: number; by: User; sha: string } | null;
  reviews: Review[];
};
export type Repo = {
  id: number;
  owner: User;
  name: string;
  fullName: string;
  dir: string;
  defaultBranch: string;
  private: boolean;
  archived: boolean;
  parent: Repo | null;
  access: Map<string, Access>;
  pulls: Pull[];
  comments: Comment[];
  runs: CheckRun[];
  statuses: Status[];
  rules: Rule[];
  pushes: Push[];
  refusals: { pattern: RegExp; words: string }[];
  createdAt: number;
  pushedAt: number;
};
/** What a webhook would tell of. Nobody posts them yet. */
export type Happening = {
  event: string;
  action: string;
  repo: Repo;
  number: number | null;
  sha: string | null;
};

export type NewRepo = {
  owner: string;
  name: string;
  /** A git repository, a directory of files, or files by path. Absent: an empty repository. */
  from?: Origin;
  defaultBranch?: string;
  private?: boolean;
  /** What the account under test may do; admin of its own repositories and writer of others by default. */
  access?: Access;
};

export type State = ReturnType<typeof createState>;

export function createState(deps: { root: string; now: () => number; changed(): void }) {
  const { now } = deps;
  const users = new Map<string, User>();
  const identities = new Map<string, Identity>();
  const repos = new Map<string, Repo>();
  const listeners = new Set<(happening: Happening) => void>();
  const lanes = new Map<Repo, Promise<unknown>>();
  let lastId = 1000;
  const nextId = (): number => (lastId += 1);

  function user(login: string): User {
    const found = users.get(login.toLowerCase()) ?? { id: nextId(), login };
    users.set(login.toLowerCase(), found);
    return found;
  }
  function tell(happening: Happening): void {
    for (const listener of listeners) listener(happening);
    deps.changed();
  }

  async function addRepo(wish: NewRepo & { parent?: Repo }, account: string): Promise<Repo> {
    const { owner, name } = wish;
    const fullName = `${owner}/${name}`;
    if (repos.has(fullName.toLowerCase())) throw new Error(`There is a repository ${fullName} already`);
    const dir = join(deps.root, owner, `${name}.git`);
    const defaultBranch = await createBare(dir, wish.defaultBranch, wish.from);
    const repo: Repo = {
      ...{ id: nextId(), owner: user(owner), name, fullName, dir, defaultBranch },
      ...{ private: wish.private ?? false, archived: false, parent: wish.parent ?? null },
      access: new Map<string, Access>([
        [account, wish.access ?? (owner === account ? 'admin' : 'write')],
        [owner, 'admin'],
      ]),
      ...{ pulls: [], comments: [], runs: [], statuses: [], rules: [], pushes: [], refusals: [] },
      ...{ createdAt: now(), pushedAt: now() },
    };
    repos.set(fullName.toLowerCase(), repo);
    deps.changed();
    return repo;
  }

  /** After refs of a repository moved: its pull requests follow their heads, as on GitHub. */
  async function followHeads(repo: Repo): Promise<void> {
    const heads = await branchHeads(repo.dir);
    repo.pushedAt = now();
    for (const pull of [...repos.values()].flatMap((one) => one.pulls)) {
      if (pull.state !== 'open' || pull.head.repo !== repo) continue;
      const sha = heads.get(pull.head.ref);
      if (sha === pull.head.sha) continue;
      pull.updatedAt = now();
      if (sha === undefined) Object.assign(pull, { state: 'closed', closedAt: now() });
      else {
        pull.head.sha = sha;
        await keepHead(pull);
      }
      const action = sha === undefined ? 'closed' : 'synchronize';
      tell({ event: 'pull_request', action, repo: pull.base.repo, number: pull.number, sha: pull.head.sha });
    }
    deps.changed();
  }

  /** The base repository keeps every head under refs/pull, also those of forks. */
  async function keepHead({ base, head, number }: Pull): Promise<void> {
    const ref = `refs/pull/${number}/head`;
    if (head.repo === base.repo) await git(base.repo.dir, ['update-ref', ref, head.sha]);
    else await copyRefs(head.repo.dir, base.repo.dir, [`+refs/heads/${head.ref}:${ref}`]);
  }

  return {
    ...{ root: deps.root, repos, identities, user, now, nextId, tell, addRepo, followHeads, keepHead },
    users: () => [...users.values()],
    repo: (fullName: string): Repo | null => repos.get(fullName.toLowerCase()) ?? null,
    accessOf(repo: Repo, login: string | undefined): Access {
      const own = login === undefined ? undefined : repo.access.get(login);
      return own ?? (repo.private ? 'none' : 'read');
    },
    /** Resolves when no ref is being moved any more. */
    idle: () => Promise.allSettled(lanes.values()),
    onHappening(listener: (happening: Happening) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** What moves a repository's refs happens one at a time. */
    alone<T>(repo: Repo, work: () => Promise<T>): Promise<T> {
      const turn = (lanes.get(repo) ?? Promise.resolve()).then(work, work);
      lanes.set(repo, turn);
      return turn;
    },
  };
}
