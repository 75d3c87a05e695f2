/** Workspaces and git, in memory: a commit is a hash of its parent, its files and its message. */
import type { DiffFacts } from '../../../orchestrator/core/facts.ts';
import { OutsideFailure, type Workspaces } from '../../../orchestrator/ports.ts';
import { shaky, type WorldParts } from './parts.ts';
import { RISKY, hash, type Tree } from './state.ts';

type GitParts = WorldParts & {
  conflicts: () => boolean;
  /** The code host took a push. */
  received: (branch: string, sha: string) => void;
  looked: (branch: string, head: string | null) => void;
};

export const createGit = (parts: GitParts): Workspaces => {
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
      document: 400,
      findings: [],
    };
  };
  const disk = (): void => {
    if (chaos.strikes('disk: full', behaviour.disk)) throw new OutsideFailure('disk_full', 'no space left');
  };

  return {
    prepare: async ({ runId }) => {
      disk();
      held.work.set(runId, commitOf(held.repo.base).files);
      return attempt('git', () => ({ ref: 'main', sha: held.repo.base }));
    },
    reset: async ({ runId, sha }) => void held.work.set(runId, commitOf(sha).files),
    exists: async (runId) => held.work.has(runId),
    left: async ({ runId, sha }) => ({
      files: held.work.get(runId) === commitOf(sha).files ? [] : ['~ src/retry.ts'],
      unfit: [],
    }),
    tree: async () => ({
      paths: Object.keys(held.repo.rules),
      read: async (paths) =>
        new Map(Object.entries(held.repo.rules).filter(([path]) => paths.includes(path))),
    }),
    harvest: async ({ runId, base, parent, message }) => {
      disk();
      if (chaos.strikes('agent: left something unsafe', behaviour.unsafe)) {
        const finding = { kind: 'special_file', path: 'pipe', line: 0, note: 'a named pipe' } as const;
        return { kind: 'unsafe', findings: [finding] };
      }
      const files = held.work.get(runId) ?? '';
      if (files === commitOf(parent).files) return { kind: 'no_changes', skipped: [] };
      const sha = hash(`${parent} ${files} ${message}`);
      held.commits.set(sha, { files, parent, base });
      const diff = factsOf(base, sha);
      return { kind: 'commit', skipped: [], commit: { sha, tree: hash(files), base, message, diff } };
    },
    export: async () => {
      disk();
      return {
        dir: '/export',
        home: '/home',
        intact: async () => true,
        renew: async () => undefined,
        remove: async () => undefined,
      };
    },
    patch: async () => ({ text: 'diff', omitted: 0, messages: [] }),
    compare: async ({ head }) =>
      attempt('git', () => ({
        mergeBase: held.repo.base,
        tree: hash(commitOf(head).files),
        diff: factsOf(held.repo.base, head).digest,
        conflicts: parts.conflicts(),
        author: 'AgentPR <a@b.c>',
      })),
    push: async ({ sha, branch, expect }) => {
      const at = held.repo.branches.get(branch) ?? null;
      if (at === sha) return { kind: 'pushed', branch, sha };
      if (at !== expect) return { kind: 'rejected', reason: 'stale info', because: 'stale' };
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
    places: () => ({ workspace: '/ws', home: '/home' }),
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
