/** Merges the base into a change and reads commits of others, from git objects alone (S10). */
import type { Commit, ForeignHead } from '#model/change';
import type { MergeResult, RepoRef, WorkspacePort } from '#ports/workspaces';
import { findBaseMerge } from './find-base-merge.ts';
import { readDiffFacts } from './read-diff-facts.ts';
import { readMergeBase } from '../compare-commits.ts';
import { displayPath } from '../path-names.ts';
import { listTree, readBlobs } from '../read-objects.ts';
import { trimOutput, type TrustedGit } from '../trusted-git.ts';
import { isPlainFile } from '../tree-and-commit-format.ts';
import { OBJECT_ID } from '../object-ids.ts';
import type { ExposedSecrets } from '#sandbox';
import type { createMirrors } from '../mirror.ts';

type Authored = { message: string; author: { name: string; email: string }; at: number };
type Deps = {
  git: TrustedGit;
  lent: ExposedSecrets | null;
  mirrors: Pick<ReturnType<typeof createMirrors>, 'fetchInto'>;
  gitDirOf: (runId: string) => string;
  headOf: (runId: string, repo: RepoRef, branch: string) => Promise<string | null>;
  commitTree: (
    gitDir: string,
    tree: string,
    input: Authored & { parents: readonly string[] },
  ) => Promise<string>;
  reset: (runId: string, to: { sha: string; base: string }, scratch: string) => Promise<void>;
};

const MAX_CONFLICT_TEXT_LENGTH = 8_000;

/** Parses `git merge-tree --write-tree -z`. */
export const readMergeTree = (output: Buffer): { tree: string; paths: string[]; says: string } => {
  // guard: S10-conflict-of-any-name
  const fields = output.toString('latin1').split('\0').map(displayPath);
  const [tree = ''] = fields;
  if (!OBJECT_ID.test(tree)) throw new Error('The merge that git made cannot be read.');
  const end = fields.indexOf('', 1);
  const paths = [...new Set(fields.slice(1, end < 0 ? undefined : end))];
  const says: string[] = [];
  for (let at = end + 1; end > 0 && at < fields.length;) {
    const names = Number(fields[at]);
    if (!Number.isInteger(names) || fields[at] === '') break;
    const [kind = '', message = ''] = fields.slice(at + 1 + names, at + 3 + names);
    if (kind.startsWith('CONFLICT')) says.push(message.trim());
    at += names + 3;
  }
  return {
    tree,
    paths,
    says: (says.length > 0 ? says : paths).join('\n').slice(0, MAX_CONFLICT_TEXT_LENGTH),
  };
};

export const createBranchWork = ({ git, lent, mirrors, gitDirOf, headOf, commitTree, reset }: Deps) => {
  const countCommits = async (gitDir: string, from: string, to: string): Promise<number> =>
    Number(trimOutput(await git(['rev-list', '--count', `${from}..${to}`], { gitDir })));

  const merge = async (
    input: Parameters<WorkspacePort['merge']>[0],
    scratch: string,
  ): Promise<MergeResult> => {
    const { runId, repo, ref, head, pushed } = input;
    const gitDir = gitDirOf(runId);
    const sha = await mirrors.fetchInto(gitDir, repo, ref);
    if ((await readMergeBase(git, gitDir, { ref, today: sha, head })) === sha) return { kind: 'level', sha };
    const commits = await countCommits(gitDir, head, sha);
    const end = await git(['merge-tree', '--write-tree', '--name-only', '-z', '--messages', head, sha], {
      gitDir,
      answers: [1],
    });
    const { tree, paths, says } = readMergeTree(end.stdoutBytes);
    const parents = pushed === null ? [sha] : [pushed, sha];
    if (end.exitCode === 0) {
      const made = await commitTree(gitDir, tree, { ...input, parents });
      const diff = await readDiffFacts(git, { gitDir, scratch, base: sha, head: made }, sha, lent);
      const commit: Commit = { sha: made, tree, base: sha, message: input.message, diff };
      await reset(runId, { sha: made, base: sha }, scratch);
      return { kind: 'merged', sha, commits, commit };
    }
    const laid = await commitTree(gitDir, tree, { ...input, parents, message: 'Conflicts to resolve' });
    await reset(runId, { sha: laid, base: sha }, scratch);
    return { kind: 'conflicts', sha, commits, laid, paths, says };
  };

  /** The conflicting files of a commit, each byte as a character. */
  const textsIn = async (
    gitDir: string,
    sha: string,
    paths: ReadonlySet<string>,
  ): Promise<(path: string) => string> => {
    const files = [...(await listTree(git, gitDir, sha)).values()].flatMap(({ path, oid, mode }) =>
      isPlainFile(mode) && paths.has(displayPath(path)) ? [[displayPath(path), oid] as const] : [],
    );
    const blobs = await readBlobs(
      git,
      gitDir,
      files.map(([, oid]) => oid),
    );
    const texts = Map.groupBy(files, ([path]) => path);
    return (path) =>
      (texts.get(path) ?? []).map(([, oid]) => blobs.get(oid)?.toString('latin1') ?? '').join('\n');
  };

  /** Conflict markers can be ordinary text, so only additional ones count. */
  const listUnresolved: WorkspacePort['unresolved'] = async ({ runId, sha, ours, theirs, paths }) => {
    const named = new Set(paths);
    const [now, before, after] = await Promise.all(
      [sha, ours, theirs].map((of) => textsIn(gitDirOf(runId), of, named)),
    );
    const countMiddles = (text = ''): number => (text.match(/^=======$/gm) ?? []).length;
    const isLeft = (path: string): boolean => {
      const text = now?.(path) ?? '';
      const ends = text
        .split('\n')
        .some((line) => line.startsWith(`<<<<<<< ${ours}`) || line.startsWith(`>>>>>>> ${theirs}`));
      return ends || countMiddles(text) > Math.max(countMiddles(before?.(path)), countMiddles(after?.(path)));
    };
    return paths.filter(isLeft);
  };

  const describeAgainst = async (
    gitDir: string,
    { sha, base, since }: { sha: string; base: string; since: string },
    scratch: string,
    given: ExposedSecrets | null,
  ): Promise<{ author: string; subject: string; commit: Commit }> => {
    const format = '--format=%T%x00%an <%ae>%x00%s%x00%B';
    const shown = await git(['show', '-s', '--no-show-signature', format, sha], { gitDir });
    const [tree = '', author = '', subject = '', message = ''] = shown.stdout.split('\0');
    const diff = await readDiffFacts(git, { gitDir, scratch, base, head: sha }, since, given);
    return {
      author,
      subject,
      commit: { sha, tree, base, message: message.trimEnd().slice(0, 10_000), diff },
    };
  };

  const against: (
    input: Parameters<WorkspacePort['against']>[0],
    scratch: string,
  ) => ReturnType<WorkspacePort['against']> = async ({ runId, repo, ref, sha }, scratch) => {
    const gitDir = gitDirOf(runId);
    const tip = await mirrors.fetchInto(gitDir, repo, ref);
    const base = await readMergeBase(git, gitDir, { ref, today: tip, head: sha });
    const { commit } = await describeAgainst(gitDir, { sha, base, since: base }, scratch, lent);
    return { commit, tip };
  };

  const head = async (
    input: Parameters<WorkspacePort['head']>[0],
    scratch: string,
  ): Promise<ForeignHead | null> => {
    const { runId, repo, branch, ours, ref, baseRepo } = input;
    const gitDir = gitDirOf(runId);
    if ((await headOf(runId, repo, branch)) === null) return null;
    const sha = await mirrors.fetchInto(gitDir, repo, branch);
    const today = await mirrors.fetchInto(gitDir, baseRepo, ref);
    const base = await readMergeBase(git, gitDir, { ref, today, head: sha });
    const at = { sha, base, since: ours };
    const { author, subject, commit } = await describeAgainst(gitDir, at, scratch, null);
    const contained = await git(['merge-base', '--is-ancestor', ours, sha], { gitDir, answers: [1] });
    const since = await readDiffFacts(git, { gitDir, scratch, base: ours, head: sha });
    const mergedBase = await findBaseMerge(git, { gitDir, ours, head: sha, tip: today, ref, branch });
    return {
      sha,
      author: author.slice(0, 200),
      subject: subject.slice(0, 300),
      commits: await countCommits(gitDir, ours, sha),
      containsOurs: contained.exitCode === 0,
      diffFromOurs: { files: since.files.length, added: since.added, deleted: since.deleted },
      ...(mergedBase ? { mergedBase } : {}),
      commit,
    };
  };

  return { merge, unresolved: listUnresolved, against, head };
};
