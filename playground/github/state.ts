/** The state of the local GitHub, and its notifications. */
import { join, relative } from 'node:path';
import { createCi } from './ci.ts';
import { createPost } from './deliveries.ts';
import type { Delivery } from './delivery-record.ts';
import type { Weather } from './weather.ts';
import { allRefs, copyRefs, createBare, git } from './git.ts';
import { createRelatives } from './relatives.ts';
import { moveLineComments } from './comments.ts';
import type { Access, Happening, Identity, NewRepo, Pull, Repo, User, World } from './model.ts';

export type { Hook, NewHook } from './deliveries.ts';
export type { Delivery } from './delivery-record.ts';
export type * from './model.ts';
export type { Weather } from './weather.ts';

export type State = ReturnType<typeof createState>;

const ZERO = '0'.repeat(40);

/** What the state holds, as `v8.serialize` writes it; webhooks and running jobs are not part of it. */
export type KeptState = {
  root: string;
  users: Map<string, User>;
  identities: Map<string, Identity>;
  repos: Map<string, Repo>;
  /** Keys are `organisation/team` in lower case. */
  teams: Map<string, string[]>;
  flagged: Set<User>;
  former: Map<string, Repo>;
  lastId: number;
};

const createEmptyState = (): Omit<KeptState, 'root'> => ({
  users: new Map(),
  identities: new Map(),
  repos: new Map(),
  teams: new Map(),
  flagged: new Set(),
  former: new Map(),
  lastId: 1000,
});

export function createState(deps: {
  root: string;
  now: () => number;
  changed: () => void;
  /** Repositories lie in `root` as they lay in its own. */
  kept?: KeptState;
}) {
  const { now, changed } = deps;
  const known = deps.kept ?? createEmptyState();
  const { users, identities, repos, teams, flagged, former } = known;
  const listeners = new Set<(happening: Happening) => void>();
  const untold: Happening[] = [];
  const lanes = new Map<Repo, Promise<unknown>>();
  let { lastId } = known;
  for (const repo of new Set([...repos.values(), ...former.values()]))
    repo.dir = join(deps.root, relative(deps.kept?.root ?? deps.root, repo.dir));
  const nextId = (): number => (lastId += 1);

  function user(login: string): User {
    const found = users.get(login.toLowerCase()) ?? { id: nextId(), login };
    users.set(login.toLowerCase(), found);
    return found;
  }
  function tell(happening: Happening): void {
    untold.push(happening);
    // An outer call is already sending; it sends this event too.
    if (untold.length > 1) return;
    try {
      for (let next = untold[0]; next; next = untold[0]) {
        for (const listener of listeners) listener(next);
        untold.shift();
      }
    } finally {
      untold.length = 0;
    }
    changed();
  }
  function onHappening(listener: (happening: Happening) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  const world: World = { now, nextId, user, changed, tell, onHappening };
  const post = createPost(world);
  const ci = createCi(world);

  async function addRepo(wish: NewRepo & { parent?: Repo }, account: string): Promise<Repo> {
    const { owner, name } = wish;
    const fullName = `${owner}/${name}`;
    if (repos.has(fullName.toLowerCase())) throw new Error(`There is a repository ${fullName} already`);
    const dir = join(deps.root, owner, `${name}.git`);
    const defaultBranch = await createBare(dir, wish.defaultBranch, wish.from);
    const repo: Repo = {
      id: nextId(),
      owner: user(owner),
      name,
      fullName,
      dir,
      defaultBranch,
      private: wish.private ?? false,
      archived: false,
      parent: wish.parent ?? null,
      forking: { off: false, takes: 0, ...wish.forking },
      gone: false,
      fillsAt: null,
      holdsForks: wish.holdsForks ?? false,
      access: new Map<string, Access>([
        [account, wish.access ?? (owner === account ? 'admin' : 'write')],
        [owner, 'admin'],
      ]),
      refusesPulls: { off: false, policy: 'all', mirrorUrl: null, homepage: null, description: null },
      interactions: null,
      pullLimit: null,
      labels: [],
      milestones: [],
      teams: [],
      pulls: [],
      issues: [],
      comments: [],
      lineComments: [],
      rules: [],
      pushes: [],
      refusals: [],
      renamed: new Map(),
      releases: [],
      ci: [...(wish.ci ?? [])],
      workflows: [],
      suites: [],
      runs: [],
      statuses: [],
      refs: await allRefs(dir),
      createdAt: now(),
      pushedAt: now(),
    };
    repos.set(fullName.toLowerCase(), repo);
    changed();
    return repo;
  }

  async function followHeads(repo: Repo, by: User): Promise<void> {
    const refs = await allRefs(repo.dir);
    const old = repo.refs;
    repo.refs = refs;
    repo.pushedAt = now();
    for (const ref of new Set([...old.keys(), ...refs.keys()])) {
      const [before, after] = [old.get(ref) ?? ZERO, refs.get(ref) ?? ZERO];
      const sha = after === ZERO ? null : after;
      if (before !== after)
        tell({ event: 'push', action: null, repo, number: null, sha, by, ref, before, after });
    }
    for (const pull of [...repos.values()].flatMap((one) => one.pulls)) {
      if (pull.state === 'open' && pull.head.repo === repo) await followHead(pull, refs, by);
    }
    changed();
  }

  async function followHead(pull: Pull, refs: ReadonlyMap<string, string>, by: User): Promise<void> {
    const before = pull.head.sha;
    const after = refs.get(`refs/heads/${pull.head.ref}`);
    if (after === before) return;
    pull.updatedAt = now();
    const about = { event: 'pull_request' as const, repo: pull.base.repo, number: pull.number, by, pull };
    if (after === undefined) {
      Object.assign(pull, { state: 'closed', closedAt: now() });
      tell({ ...about, action: 'closed', sha: before });
      return;
    }
    // Fetch first, so that whoever sees the head finds its commit.
    await keepHead(pull, after);
    pull.head.sha = after;
    await moveLineComments(pull);
    tell({ ...about, action: 'synchronize', sha: after, moved: { before, after } });
  }

  /** The base keeps every head under refs/pull, as GitHub does. */
  async function keepHead({ base, head, number }: Pull, sha = head.sha): Promise<void> {
    const ref = `refs/pull/${number}/head`;
    if (head.repo === base.repo) await git(base.repo.dir, ['update-ref', ref, sha]);
    else await copyRefs(head.repo.dir, base.repo.dir, [`+refs/heads/${head.ref}:${ref}`]);
  }

  /** Serialises changes to the refs of a repository. */
  function alone<T>(repo: Repo, work: () => Promise<T>): Promise<T> {
    const turn = (lanes.get(repo) ?? Promise.resolve()).then(work, work);
    lanes.set(repo, turn);
    return turn;
  }

  return {
    ...world,
    root: deps.root,
    repos,
    teams,
    flagged,
    identities,
    addRepo,
    followHeads,
    keepHead,
    ci,
    post,
    users: () => [...users.values()],
    keep: (): KeptState => ({ root: deps.root, users, identities, repos, teams, flagged, former, lastId }),
    ...createRelatives({ ...world, repos, former, addRepo, followHeads, alone }),
    repo: (fullName: string): Repo | null =>
      repos.get(fullName.toLowerCase()) ?? former.get(fullName.toLowerCase()) ?? null,
    formerly: (fullName: string): Repo | null =>
      repos.has(fullName.toLowerCase()) ? null : (former.get(fullName.toLowerCase()) ?? null),
    accessOf(repo: Repo, login: string | undefined): Access {
      const own = login === undefined ? undefined : repo.access.get(login);
      return own ?? (repo.private ? 'none' : 'read');
    },
    hooks: post.hooks,
    /** Newest last, at most 2,000. */
    deliveries: post.deliveries,
    get weather() {
      return post.weather();
    },
    setWeather: (weather: Weather): void => post.setWeather(weather),
    redeliver: (id: number): Delivery => post.redeliver(id),
    idleDeliveries: (): Promise<void> => post.idle(),
    idle: () => Promise.allSettled(lanes.values()),
    alone,
  };
}
