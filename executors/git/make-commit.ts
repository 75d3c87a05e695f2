/** Makes a commit: written directly, or by git if the operator's key signs it. */
import { OutsideFailure } from '#ports/forge';
import { trimOutput, type TrustedGit } from './trusted-git.ts';
import type { NewCommit } from './tree-and-commit-format.ts';
import { requireSha } from './object-ids.ts';
import { writeCommit } from './object-writer.ts';
import { rememberTree } from './read-objects.ts';

const writeSignedCommit = async (
  git: TrustedGit,
  gitDir: string,
  commit: NewCommit,
  key: string,
): Promise<string> => {
  const date = `${Math.floor(commit.at / 1000)} +0000`;
  const { name, email } = commit.author;
  const parents = commit.parents.flatMap((parent) => ['-p', parent]);
  const end = await git(['commit-tree', `-S${key}`, ...parents, commit.tree], {
    gitDir,
    stdin: commit.message,
    env: {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_COMMITTER_DATE: date,
    },
  }).catch((error: unknown) => {
    if (error instanceof OutsideFailure) throw error;
    const says = error instanceof Error ? error.message : String(error);
    throw new OutsideFailure(
      'env_missing',
      `The commit could not be signed with ${key} (signing.sshKey); a key with a passphrase cannot be used. ${says}`,
    );
  });
  return trimOutput(end);
};

/** Null for `signingKey` makes an unsigned commit. */
export const makeCommit = async (
  git: TrustedGit,
  gitDir: string,
  commit: NewCommit,
  signingKey: string | null,
): Promise<string> => {
  for (const id of [commit.tree, ...commit.parents]) requireSha(id);
  const made =
    signingKey === null
      ? await writeCommit(gitDir, commit)
      : await writeSignedCommit(git, gitDir, commit, signingKey);
  rememberTree(gitDir, made, commit.tree);
  return made;
};
