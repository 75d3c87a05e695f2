/** Workspaces and git in memory; a commit is a hash of parent, files and message. */
import type { DiffFacts } from '#model/change';
import { OutsideFailure } from '#ports/forge';
import type { WorkspacePort } from '#ports/workspaces';
import { shaky, type WorldParts } from './parts.ts';
import { RISKY, hash, movedOn, type Tree } from './state.ts';

type GitParts = WorldParts & {
  conflicts: () => boolean;
  received: (branch: string, sha: string) => void;
  looked: (branch: string, head: string | null) => void;
  isOpen: (branch: string) => boolean;
};

export const createGit = (parts: GitParts): WorkspacePort => {
  const { held, chaos, behaviour, received, looked } = parts;
  const attempt = shaky(parts);

  const commitOf = (sha: string): Tree => {
    const commit = held.commits.get(sha);
    if (!commit) throw new OutsideFailure('env_missing', `there is no commit ${sha}`);
    return commit;
  };
  const factsOf = (base: string, head: string): DiffFacts => {
    const [before, after] = [commitOf(base).files, commitOf(head).files];
    const risky = after.includes(RISKY);
    return {
      files: [
        changed('src/retry.ts', 3, 1),
        changed('test/retry.test.ts', 9, 0),
        ...(risky ? [changed('.github/workflows/ci.yml', 1, 1)] : []),
      ],
      added: risky ? 13 : 12,
      deleted: risky ? 2 : 1,
      digest: hash(`${before}→${after}`, 64),
      bytes: 400,
      documentBytes: 400,
      findings: [],
    };
  };
  const baseAt = (ref: string): string => {
    const sha = held.repo.bases[ref];
    if (sha === undefined) throw new OutsideFailure('base_missing', `there is no branch ${ref}`);
    return sha;
  };
  const disk = (): void => {
    if (chaos.strikes('disk: full', behaviour.disk)) throw new OutsideFailure('disk_full', 'no space left');
  };

  return {
    prepare: async ({ runId, base, defaultBranch }) => {
      const ref = base ?? defaultBranch;
      disk();
      held.work.set(runId, commitOf(held.repo.base).files);
      return attempt('git', () => ({ ref, sha: baseAt(ref) }));
    },
    reset: async ({ runId, sha }) => void held.work.set(runId, commitOf(sha).files),
    exists: async (runId) => held.work.has(runId),
    left: async ({ runId, sha }) => ({
      files: held.work.get(runId) === commitOf(sha).files ? [] : ['~ src/retry.ts'],
      unfit: [],
    }),
    tree: async () => ({
      bytes: async () => null,
      links: async () => new Map(),
      paths: Object.keys(held.repo.rules),
      read: async (paths) =>
        new Map(Object.entries(held.repo.rules).filter(([path]) => paths.includes(path))),
    }),
    map: async () => ({ text: '', tokens: 0, files: [] }),
    harvest: async ({ runId, base, parent, message: says, evenSame = false }) => {
      disk();
      if (chaos.strikes('agent: left something unsafe', behaviour.unsafe)) {
        const finding = {
          kind: 'special_file',
          path: 'pipe',
          line: 0,
          note: { kind: 'special', is: 'pipe' },
        } as const;
        return { kind: 'unsafe', findings: [finding] };
      }
      const files = held.work.get(runId) ?? '';
      if (files === commitOf(parent).files && !evenSame)
        return { kind: 'no_changes', skipped: [], ignored: [] };
      const message = typeof says === 'string' ? says : says({ files: [], patch: files });
      const sha = hash(`${parent} ${files} ${message}`);
      held.commits.set(sha, { files, parent, base });
      const diff = factsOf(base, sha);
      return { kind: 'commit', skipped: [], commit: { sha, tree: hash(files), base, message, diff } };
    },
    merge: async ({ runId, ref, head, message, pushed }) => {
      const sha = movedOn(baseAt(ref));
      if (commitOf(head).base === sha) return { kind: 'level', sha };
      held.commits.set(sha, { ...commitOf(held.repo.base), base: sha });
      const files = commitOf(head).files;
      const made = hash(`merge ${head} ${sha} ${message}`);
      held.commits.set(made, { files, parent: pushed ?? sha, base: sha });
      held.work.set(runId, files);
      if (parts.conflicts())
        return { kind: 'conflicts', sha, commits: 1, laid: made, paths: ['src/retry.ts'], says: 'CONFLICT' };
      const commit = { sha: made, tree: hash(files), base: sha, message, diff: factsOf(sha, made) };
      return { kind: 'merged', sha, commits: 1, commit };
    },
    unresolved: async () => [],
    suggest: async () => null,
    revert: async () => ({ kind: 'unreachable' }),
    against: async ({ ref, sha }) =>
      attempt('git', () => {
        const tip = baseAt(ref);
        const { files, base } = commitOf(sha);
        const commit = { sha, tree: hash(files), base, message: 'Ours', diff: factsOf(base, sha) };
        return { commit, tip };
      }),
    head: async ({ branch, ours, ref }) =>
      attempt('git', () => {
        baseAt(ref);
        const sha = held.repo.branches.get(branch);
        if (sha === undefined) return null;
        const known = held.commits.get(sha);
        const { files, base } = known ?? {
          ...commitOf(ours),
          files: `${commitOf(ours).files} theirs ${sha}`,
        };
        if (!known) held.commits.set(sha, { files, parent: ours, base });
        const commit = { sha, tree: hash(files), base, message: 'Theirs', diff: factsOf(base, sha) };
        const since = { files: 1, added: 1, deleted: 0 };
        return {
          sha,
          author: 'Eve <e@x>',
          subject: 'Theirs',
          commits: 1,
          containsOurs: true,
          diffFromOurs: since,
          commit,
        };
      }),
    export: async () => {
      disk();
      return {
        dir: '/export',
        home: '/home',
        reused: null,
        leave: () => {},
        keep: async () => undefined,
        write: async () => undefined,
        intact: async () => true,
        renew: async () => undefined,
        remove: async () => undefined,
      };
    },
    pictures: async () => null,
    patch: async () => ({ text: 'diff', omitted: 0, messages: [] }),
    compare: async ({ base, head }) =>
      attempt('git', () => {
        baseAt(base);
        return {
          tip: commitOf(head).base,
          mergeBase: commitOf(head).base,
          tree: hash(commitOf(head).files),
          diff: factsOf(commitOf(head).base, head).digest,
          conflicts: parts.conflicts(),
          author: 'AgentPR <a@b.c>',
        };
      }),
    push: async ({ sha, branch, expect }) => {
      const at = held.repo.branches.get(branch) ?? null;
      if (at === sha) return { kind: 'pushed', branch, sha };
      if (at !== expect) return { kind: 'rejected', reason: 'stale info', because: 'stale' };
      if (held.repo.archived)
        return { kind: 'rejected', reason: 'was archived so it is read-only', because: 'archived' };
      if (held.repo.headGone && parts.isOpen(branch))
        return { kind: 'rejected', reason: 'Repository not found', because: 'auth' };
      return attempt('git', () => {
        received(branch, sha);
        return { kind: 'pushed', branch, sha } as const;
      });
    },
    remoteHead: async ({ branch }) =>
      attempt('git', () => {
        const head = held.repo.branches.get(branch) ?? null;
        looked(branch, head);
        return head;
      }),
    places: () => ({ workspace: '/ws', home: '/home', pictures: '/pictures' }),
    removeRemote: async () => undefined,
    clean: async (runId) => void held.work.delete(runId),
    list: async () => [...held.work.keys()],
  };
};

const changed = (path: string, added: number, deleted: number): DiffFacts['files'][number] => ({
  path,
  oldPath: null,
  status: 'modified',
  oldMode: '100644',
  newMode: '100644',
  added,
  deleted,
  binary: false,
});
