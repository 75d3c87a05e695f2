/** Forks, and repositories that are renamed or deleted, as GitHub does it. */
import { allRefs, commitsAhead, copyRefs, revision } from './git.ts';
import type { NewRepo, Repo, User, World } from './model.ts';

type Deps = World & {
  repos: Map<string, Repo>;
  /** Names that repositories had before. */
  former: Map<string, Repo>;
  addRepo: (wish: NewRepo & { parent?: Repo }, account: string) => Promise<Repo>;
  followHeads: (repo: Repo, by: User) => Promise<void>;
};

/** The one that all others of its network come from. */
export const rootOf = (repo: Repo): Repo => (repo.parent ? rootOf(repo.parent) : repo);

export function createRelatives({ now, user, changed, tell, repos, former, addRepo, followHeads }: Deps) {
  return {
    /** Its old name leads to it, until something else is called so. */
    renameRepo(repo: Repo, fullName: string): void {
      const [owner = '', name = ''] = fullName.split('/');
      repos.delete(repo.fullName.toLowerCase());
      former.set(repo.fullName.toLowerCase(), repo);
      Object.assign(repo, { owner: user(owner), name, fullName });
      repo.access.set(owner, 'admin');
      repos.set(fullName.toLowerCase(), repo);
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
    /**
     * GitHub, "Create a fork": the one that the account has in the network, under whatever name;
     * else a new one, called otherwise where the name is taken, and empty for a while.
     */
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
    /**
     * GitHub, "Sync a fork branch with the upstream repository": null where the branch has commits of
     * its own. Real ones are merged; nobody here needs that.
     */
    async followParent(repo: Repo, branch: string, by: User): Promise<'none' | 'fast-forward' | null> {
      const ref = `refs/heads/${branch}`;
      const [ours, theirs] = [
        await revision(repo.dir, ref),
        repo.parent && (await revision(repo.parent.dir, ref)),
      ];
      if (!repo.parent || !ours || !theirs) return null;
      if (ours === theirs) return 'none';
      await copyRefs(repo.parent.dir, repo.dir, [`+${ref}:refs/upstream/${branch}`]);
      if ((await commitsAhead(repo.dir, theirs, ours)) > 0) return null;
      await copyRefs(repo.parent.dir, repo.dir, [ref]);
      await followHeads(repo, by);
      return 'fast-forward';
    },
    /** Gives a new fork its commits when it is time. */
    async fill(repo: Repo): Promise<void> {
      if (repo.fillsAt === null || repo.parent === null || now() < repo.fillsAt) return;
      repo.fillsAt = null;
      await copyRefs(repo.parent.dir, repo.dir);
      repo.refs = await allRefs(repo.dir);
    },
  };
}
