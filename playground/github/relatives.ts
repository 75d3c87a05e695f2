/** Forks, and renamed or deleted repositories, as on GitHub. */
import { allRefs, commitsAhead, copyRefs, moveRef, findCommit } from './git.ts';
import type { NewRepo, Repo, User, World } from './model.ts';

type Deps = World & {
  repos: Map<string, Repo>;
  former: Map<string, Repo>;
  addRepo: (wish: NewRepo & { parent?: Repo }, account: string) => Promise<Repo>;
  followHeads: (repo: Repo, by: User) => Promise<void>;
  alone: <T>(repo: Repo, work: () => Promise<T>) => Promise<T>;
};

export const rootOf = (repo: Repo): Repo => (repo.parent ? rootOf(repo.parent) : repo);

export function createRelatives({
  alone,
  now,
  user,
  changed,
  tell,
  repos,
  former,
  addRepo,
  followHeads,
}: Deps) {
  const tellOfRepo = (repo: Repo, action: string): void => {
    tell({ event: 'repository', action, repo, number: null, sha: null, by: repo.owner });
  };
  return {
    /** The old name redirects until it is used again. A new owner means a transfer. */
    renameRepo(repo: Repo, fullName: string): void {
      const [owner = '', name = ''] = fullName.split('/');
      const given = repo.owner.login !== owner;
      repos.delete(repo.fullName.toLowerCase());
      former.set(repo.fullName.toLowerCase(), repo);
      Object.assign(repo, { owner: user(owner), name, fullName });
      repo.access.set(owner, 'admin');
      former.delete(fullName.toLowerCase());
      repos.set(fullName.toLowerCase(), repo);
      tellOfRepo(repo, given ? 'transferred' : 'renamed');
      changed();
    },
    /** GitHub, "Renaming a branch": pull requests follow, and the old name redirects. */
    renameBranch(repo: Repo, from: string, to: string, by: User): Promise<void> {
      return alone(repo, async () => {
        const sha = await findCommit(repo.dir, `refs/heads/${from}`);
        if (!sha) throw new Error(`${repo.fullName} has no branch ${from}`);
        await moveRef(repo.dir, `refs/heads/${from}`, `refs/heads/${to}`, repo.defaultBranch === from);
        if (repo.defaultBranch === from) repo.defaultBranch = to;
        repo.renamed.delete(to);
        for (const [name, now] of repo.renamed) if (now === from) repo.renamed.set(name, to);
        repo.renamed.set(from, to);
        for (const rule of repo.rules) if (rule.branch === from) rule.branch = to;
        for (const pull of repo.pulls) {
          if (pull.state !== 'open' || pull.base.ref !== from) continue;
          Object.assign(pull.base, { ref: to, sha });
          pull.updatedAt = now();
          const changes = { base: { ref: { from }, sha: { from: sha } } };
          const about = { repo, number: pull.number, by, pull, sha: pull.head.sha };
          tell({ event: 'pull_request', action: 'edited', ...about, changes });
        }
        repo.refs = await allRefs(repo.dir);
        tellOfRepo(repo, 'edited');
        changed();
      });
    },
    /** Its pull requests stay open, as when its owner's account is deleted. */
    leaveNetwork(repo: Repo): void {
      repo.parent = null;
      for (const pull of [...repos.values()].flatMap((one) => one.pulls)) {
        if (pull.head.repo !== repo || pull.base.repo === repo) continue;
        pull.head.left = true;
        pull.updatedAt = now();
      }
      changed();
    },
    applyProxySettings(repo: Repo, parent: Repo): void {
      repo.parent = parent;
      for (const pull of parent.pulls) {
        if (pull.head.repo !== repo) continue;
        delete pull.head.left;
        pull.updatedAt = now();
      }
      changed();
    },
    setRepo(
      repo: Repo,
      change: Partial<Pick<Repo, 'archived' | 'private' | 'refusesPulls' | 'interactions'>>,
    ): void {
      const before = { archived: repo.archived, private: repo.private };
      Object.assign(repo, change);
      if (repo.archived !== before.archived) tellOfRepo(repo, repo.archived ? 'archived' : 'unarchived');
      if (repo.private !== before.private) tellOfRepo(repo, repo.private ? 'privatized' : 'publicized');
      changed();
    },
    /** GitHub closes the pull requests that came from it. */
    removeRepo(repo: Repo, by: User): void {
      repos.delete(repo.fullName.toLowerCase());
      for (const [name, one] of former) if (one === repo) former.delete(name);
      repo.gone = true;
      for (const pull of [...repos.values()].flatMap((one) => one.pulls)) {
        if (pull.head.repo !== repo || pull.state !== 'open') continue;
        Object.assign(pull, { state: 'closed', closedAt: now(), updatedAt: now() });
        const about = { repo: pull.base.repo, number: pull.number, by, pull, sha: pull.head.sha };
        tell({ event: 'pull_request', action: 'closed', ...about });
      }
      changed();
    },
    /** GitHub, "Create a fork": returns the existing fork, or a new one, empty at first. */
    async fork(parent: Repo, owner: string, account: string): Promise<Repo> {
      const root = rootOf(parent);
      const made = [...repos.values()].find(
        (one) => one.owner === user(owner) && one.parent && rootOf(one) === root,
      );
      if (made) return made;
      let { name } = parent;
      for (let n = 1; repos.has(`${owner}/${name}`.toLowerCase()); n += 1) name = `${parent.name}-${n}`;
      const { takes } = parent.forking;
      const wish = { owner, name, parent, defaultBranch: parent.defaultBranch, private: parent.private };
      const fork = await addRepo({ ...wish, ...(takes === 0 && { from: parent.dir }) }, account);
      fork.access.set(account, 'admin');
      fork.fillsAt = takes === 0 ? null : now() + takes;
      return fork;
    },
    /** GitHub, "Sync a fork branch": null if the branch has own commits. */
    async followParent(repo: Repo, branch: string, by: User): Promise<'none' | 'fast-forward' | null> {
      const ref = `refs/heads/${branch}`;
      const [ours, theirs] = [
        await findCommit(repo.dir, ref),
        repo.parent && (await findCommit(repo.parent.dir, ref)),
      ];
      if (!repo.parent || !ours || !theirs) return null;
      if (ours === theirs) return 'none';
      await copyRefs(repo.parent.dir, repo.dir, [`+${ref}:refs/upstream/${branch}`]);
      if ((await commitsAhead(repo.dir, theirs, ours)) > 0) return null;
      await copyRefs(repo.parent.dir, repo.dir, [ref]);
      await followHeads(repo, by);
      return 'fast-forward';
    },
    async fill(repo: Repo): Promise<void> {
      if (repo.fillsAt === null || repo.parent === null || now() < repo.fillsAt) return;
      repo.fillsAt = null;
      await copyRefs(repo.parent.dir, repo.dir);
      repo.refs = await allRefs(repo.dir);
    },
  };
}
