/** Gives each run a fresh tree for the agent and a trusted git directory beside it (E1). */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CollectedChange, RepoRef, WorkspacePort } from '#ports/workspaces';
import type { RunTransfer } from '#ports/records';
import { createBranchWork } from './merge-base-into-change.ts';
import { fillWorkspace } from '../checkout.ts';
import { createBaseComparer } from './compare-with-base.ts';
import { exportTree } from './export-tree.ts';
import { readDiffFacts } from './read-diff-facts.ts';
import { translateDiskErrors } from '../git-failure.ts';
import { gitNetworkTo, PLAIN_NETWORK, type OwnNetwork } from '../git-network.ts';
import { createGit, withAbortSignals, type TrustedGit } from '../trusted-git.ts';
import { inspectLeftovers, stageChange } from './stage-change.ts';
import { createInstallCache } from './install-cache.ts';
import {
  DEFAULT_INSTALL_LIMITS,
  type InstallLimits,
  DEFAULT_MIRROR_LIMITS,
  type MirrorLimits,
} from '../disk-limits.ts';
import { createInterruptedInstalls } from './reuse-interrupted-installs.ts';
import { createDataLayout, makeDataFoldersPrivate } from '../../process/data-layout.ts';
import { createKeyedLocks } from '../../process/keyed-locks.ts';
import { emptyFolder, pathExists, removeTree, spreadNewEntries } from '../../process/folder-trees.ts';
import { makeGitDir, copyShallowFile } from '../git-directory.ts';
import { makeCommit } from '../make-commit.ts';
import { createMirrors } from '../mirror.ts';
import type { ExposedSecrets } from '#sandbox';
import { requireSha } from '../object-ids.ts';
import type { NewCommit } from '../tree-and-commit-format.ts';
import { readCommit } from '../read-objects.ts';
import { writeTreeWithEdits } from './write-suggested-tree.ts';
import { restorePermissions } from '../../process/restore-permissions.ts';
import { restoreAgentSettings } from './hide-agent-settings.ts';
import { overlayTree } from './overlay-tree.ts';
import { readPatchStart, readChangePatch } from './change-patch.ts';
import { createRevert } from './revert-pull.ts';
import { createMachineTransfer } from './run-transfer.ts';
import { createRepositoryMapTree } from '../repository-map-tree.ts';
import { storePictures } from './store-pictures.ts';
import {
  createRemote,
  parseServerUrl,
  type ReadCredential,
  type ReadRemoteHead,
} from '../code-host-remote.ts';
import { readTree } from './read-tree.ts';

const READ_FOR_WORDS = 256_000;

const requireResetTarget = ({ sha, base }: { sha: string; base: string }) => ({
  sha: requireSha(sha),
  base: requireSha(base),
});

export const createWorkspaces = (deps: {
  dataDir: string;
  credential: ReadCredential;
  /** The token goes only to addresses below it. */
  serverUrl: string;
  mirrors?: MirrorLimits;
  installs?: InstallLimits;
  lent?: ExposedSecrets;
  signingKey?: string;
  onDamage?: (repo: string, parts: readonly string[]) => void;
  signal?: AbortSignal;
  network?: OwnNetwork;
  told?: ReadRemoteHead;
}): WorkspacePort & { moving: RunTransfer } => {
  const { serverUrl, scheme } = parseServerUrl(deps.serverUrl);
  const layout = createDataLayout(deps.dataDir);
  const outside = gitNetworkTo(serverUrl, deps.network ?? PLAIN_NETWORK, layout.certificates);
  const git = withAbortSignals(createGit(scheme, outside), deps.signal);
  makeDataFoldersPrivate(layout);
  const told = deps.told ?? (() => Promise.resolve(null));
  const { credential } = deps;
  const remote = createRemote({ git, serverUrl, askpass: layout.askpass, credential, told });
  const mirrors = createMirrors({
    git,
    layout,
    remote: remote.reach,
    told,
    limits: deps.mirrors ?? DEFAULT_MIRROR_LIMITS,
    onDamage: deps.onDamage ?? (() => undefined),
  });
  const installs = createInstallCache(layout.installs, deps.installs ?? DEFAULT_INSTALL_LIMITS);
  const leftovers = createInterruptedInstalls();
  const gitOf = ({ signal }: { signal?: AbortSignal | undefined }): TrustedGit =>
    withAbortSignals(git, signal);
  const alone = createKeyedLocks();
  let spread: Promise<void> | null = null;

  const withScratch = async <T>(runId: string, work: (scratch: string) => Promise<T>): Promise<T> => {
    const scratch = join(layout.run(runId).scratch, randomUUID());
    await mkdir(scratch, { recursive: true });
    try {
      return await translateDiskErrors(() => work(scratch));
    } finally {
      await removeTree(scratch);
    }
  };

  const prepareWorkspace: WorkspacePort['prepare'] = async ({ runId, repo, base, defaultBranch, signal }) => {
    const at = layout.run(runId);
    const ref = base ?? defaultBranch;
    await emptyFolder(at.root, at.git);
    await mirrors.makeRoom();
    await installs.makeRoom(Date.now());
    await (spread ??= spreadNewEntries(layout.runs));
    for (const dir of [at.workspace, at.home, at.scratch]) await mkdir(dir, { recursive: true });
    await makeGitDir(at.git, layout.mirror(repo).git);
    const sha = await mirrors.fill(repo, ref, at.workspace, signal);
    await copyShallowFile(layout.mirror(repo).git, at.git);
    await writeFile(`${at.ready}.new`, JSON.stringify({ ref, sha }));
    await rename(`${at.ready}.new`, at.ready);
    return { ref, sha };
  };

  const reset = async (
    runId: string,
    { sha, base }: { sha: string; base: string },
    scratch: string,
    own: TrustedGit = git,
  ): Promise<void> => {
    const at = layout.run(runId);
    const { ref } = JSON.parse(await readFile(at.ready, 'utf8')) as { ref: string };
    const dir = join(scratch, 'tree');
    const index = join(scratch, 'index');
    await fillWorkspace(own, { gitDir: at.git, index, sha, base, branch: ref, dir });
    // The gap is then two renames, not a recursive delete.
    if (await pathExists(at.workspace)) await rename(at.workspace, join(scratch, 'old'));
    await rename(dir, at.workspace);
  };

  const listLeftovers: WorkspacePort['left'] = ({ runId, base, sha, signal }) =>
    withScratch(runId, async (scratch) => {
      const { git: gitDir, workspace, home } = layout.run(runId);
      restoreAgentSettings(workspace);
      await restorePermissions(workspace, home);
      return inspectLeftovers(gitOf({ signal }), {
        gitDir,
        workspace,
        base: requireSha(base),
        parent: requireSha(sha),
        scratch,
      });
    });

  const commitTree = (gitDir: string, tree: string, input: Omit<NewCommit, 'tree'>): Promise<string> =>
    makeCommit(git, gitDir, { ...input, tree }, deps.signingKey ?? null);

  const harvestChange = async (
    input: Parameters<WorkspacePort['harvest']>[0],
    scratch: string,
  ): Promise<CollectedChange> => {
    const git = gitOf(input);
    const { git: gitDir, workspace } = layout.run(input.runId);
    const [base, parent] = [requireSha(input.base), requireSha(input.parent)];
    const isAtWork = input.isAtWork === true;
    const staged = await stageChange(git, { gitDir, workspace, base, parent, scratch, isAtWork });
    if (staged.kind === 'unsafe') return staged;
    const { skipped } = staged;
    if (staged.kind === 'same' && !input.evenSame)
      return { kind: 'no_changes', skipped, ignored: staged.ignored };
    const tree = staged.kind === 'same' ? (await readCommit(git, gitDir, parent)).tree : staged.tree;
    const since = input.parents ? base : parent;
    const diff = await readDiffFacts(git, { gitDir, scratch, base, head: tree }, since, deps.lent ?? null);
    const readForMessage = async (): Promise<{ files: typeof diff.files; patch: string }> => {
      const range = { gitDir, scratch, base: parent, head: tree };
      const { files } = base === parent ? diff : await readDiffFacts(git, range, parent, deps.lent ?? null);
      return { files, patch: (await readPatchStart(git, range, READ_FOR_WORDS)).text };
    };
    const message = typeof input.message === 'string' ? input.message : input.message(await readForMessage());
    const under = { author: input.author, at: input.at, parents: input.parents ?? [parent], message };
    const sha = await commitTree(gitDir, tree, under);
    return { kind: 'commit', commit: { sha, tree, base, message, diff }, skipped };
  };

  const suggestEdits = async (input: Parameters<WorkspacePort['suggest']>[0], scratch: string) => {
    const { git: gitDir } = layout.run(input.runId);
    const [base, parent] = [requireSha(input.base), requireSha(input.parent)];
    const tree = await writeTreeWithEdits(git, { gitDir, sha: parent, edits: input.edits });
    if (tree === null || tree === (await readCommit(git, gitDir, parent)).tree) return null;
    const diff = await readDiffFacts(git, { gitDir, scratch, base, head: tree }, parent, deps.lent ?? null);
    const range = { gitDir, scratch, base: parent, head: tree };
    const { files } = await readDiffFacts(git, range, parent, deps.lent ?? null);
    const message = input.message({ files, patch: (await readPatchStart(git, range, READ_FOR_WORDS)).text });
    const { author, at } = input;
    const sha = await commitTree(gitDir, tree, { author, at, parents: [parent], message });
    return { sha, tree, base, message, diff };
  };

  const compare = createBaseComparer({
    git,
    mirrors,
    gitDirOf: (runId) => layout.run(runId).git,
    isSigned: deps.signingKey !== undefined,
  });
  const branches = createBranchWork({
    git,
    mirrors,
    commitTree,
    reset,
    lent: deps.lent ?? null,
    gitDirOf: (runId) => layout.run(runId).git,
    headOf: (runId, repo, branch) => remote.head(layout.run(runId).git, repo, branch),
  });

  const revert = createRevert({
    git,
    commitTree,
    lent: deps.lent ?? null,
    gitDirOf: (runId) => layout.run(runId).git,
  });

  const anyGitDir = async (runId: string, repo: RepoRef): Promise<string> => {
    const { git: own } = layout.run(runId);
    if (await pathExists(own)) return own;
    await makeGitDir(layout.mirror(repo).git, null);
    return layout.mirror(repo).git;
  };

  return {
    moving: createMachineTransfer({
      git,
      layout,
      alone,
      fetch: mirrors.fetch,
      lent: deps.lent ?? null,
      reset: (runId, to) => withScratch(runId, (scratch) => reset(runId, requireResetTarget(to), scratch)),
    }),
    prepare: (input) => alone(input.runId, () => translateDiskErrors(() => prepareWorkspace(input))),
    reset: ({ runId, signal, ...to }) =>
      alone(runId, () =>
        withScratch(runId, (scratch) => reset(runId, requireResetTarget(to), scratch, gitOf({ signal }))),
      ),
    exists: async (runId) => {
      const at = layout.run(runId);
      return (await pathExists(at.ready)) && (await pathExists(at.workspace));
    },
    left: (input) => alone(input.runId, () => listLeftovers(input)),
    tree: (runId, sha) => readTree(git, layout.run(runId).git, requireSha(sha)),
    map: async ({ runId, repo, sha, goal, failing, tokens }) => {
      const { mapRepository } = await import('#outline');
      const tree = createRepositoryMapTree(git, layout.run(runId).git, requireSha(sha));
      return mapRepository(tree, { goal, failing }, { tokens, cache: layout.map({ name: repo }) });
    },
    harvest: (input) =>
      alone(input.runId, () => withScratch(input.runId, (scratch) => harvestChange(input, scratch))),
    suggest: (input) => alone(input.runId, () => withScratch(input.runId, (s) => suggestEdits(input, s))),
    export: ({ runId, sha, over, reuse, history, signal }) =>
      alone(runId, () =>
        withScratch(runId, async (scratch) => {
          const { git: gitDir } = layout.run(runId);
          const git = gitOf({ signal });
          const of = requireSha(sha);
          const tree = over ? await overlayTree(git, { gitDir, sha: of, over }) : of;
          const past = history ? await mirrors.history(history, signal) : null;
          return exportTree(
            ...([git, layout.run(runId), join(scratch, 'index')] as const),
            ...([{ tree, head: of, history: past }, { installs, leftovers }, reuse ?? null] as const),
          );
        }),
      ),
    pictures: ({ runId, dir, folder }) =>
      translateDiskErrors(() => storePictures(git, { gitDir: layout.run(runId).git, dir, folder })),
    patch: ({ runId, base, head, limit }) =>
      withScratch(runId, (scratch) =>
        readChangePatch(
          git,
          { gitDir: layout.run(runId).git, scratch, base: requireSha(base), head: requireSha(head) },
          limit,
        ),
      ),
    merge: (input) => alone(input.runId, () => withScratch(input.runId, (s) => branches.merge(input, s))),
    revert: (input) =>
      alone(input.runId, () =>
        withScratch(input.runId, (s) => revert({ ...input, base: requireSha(input.base) }, s)),
      ),
    unresolved: (input) => translateDiskErrors(() => branches.unresolved(input)),
    against: (input) => withScratch(input.runId, (scratch) => branches.against(input, scratch)),
    head: (input) => withScratch(input.runId, (scratch) => branches.head(input, scratch)),
    compare: (input) => withScratch(input.runId, (scratch) => compare(input, scratch)),
    push: ({ runId, repo, sha, branch, expect }) =>
      remote.push({ gitDir: layout.run(runId).git, repo, sha: requireSha(sha), branch, expect }),
    removeRemote: async ({ runId, ...of }) =>
      remote.remove({ gitDir: await anyGitDir(runId, of.repo), ...of }),
    remoteHead: async ({ runId, repo, branch }) => remote.head(await anyGitDir(runId, repo), repo, branch),
    places: (runId) => {
      const { workspace, home, pictures } = layout.run(runId);
      return { workspace, home, pictures };
    },
    clean: (runId) =>
      alone(runId, () => {
        git.closeReaders(layout.run(runId).git);
        return removeTree(layout.run(runId).root);
      }),
    list: async () => {
      const names = await readdir(layout.runs).catch(() => []);
      const found = await Promise.all(names.map((name) => pathExists(join(layout.runs, name, 'ready.json'))));
      return names.filter((_, i) => found[i]);
    },
  };
};
