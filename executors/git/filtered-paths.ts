/** Finds the paths that a repository's `.gitattributes` filters (LFS, encryption). */
import { UnreadableFailure } from '#ports/forge';
import { MB } from '#model/values';
import { readerThreads } from '../process/reader-threads.ts';
import type { AttributeFiles } from './attribute-filters.ts';
import type { readerTasks } from './attribute-tasks.ts';
import type { TrustedGit } from './trusted-git.ts';
import { displayPath } from './path-names.ts';
import { readBlobs, type GitTree } from './read-objects.ts';

/** Limit of all attribute files together (bytes). */
const MAX_BYTES = 4 * MB;
const ATTRIBUTE_TASKS_MODULE = '#programs/attribute-tasks';

/** First bytes of files encrypted by git-crypt, transcrypt, age or Ansible. */
const ENCRYPTED = [
  '\0GITCRYPT\0',
  'U2FsdGVkX1',
  'age-encryption.org/',
  '-----BEGIN AGE ',
  '$ANSIBLE_VAULT;',
].map((start) => Buffer.from(start));
export const isFiltered = (bytes: Uint8Array): boolean =>
  bytes.length === 0 || ENCRYPTED.some((start) => start.equals(bytes.subarray(0, start.length)));

const attributesAbove = async (
  git: TrustedGit,
  gitDir: string,
  tree: GitTree,
  paths: readonly string[],
): Promise<AttributeFiles> => {
  const folders = new Set(
    paths.flatMap((path) => path.split('/').map((_, i, parts) => parts.slice(0, i).join('/'))),
  );
  const files = [...tree.values()].filter(
    (e) =>
      /(?:^|\/)\.gitattributes$/.test(e.path) &&
      e.mode.startsWith('100') &&
      folders.has(displayPath(e.path).replace(/\/?[^/]*$/, '')),
  );
  const bytes = files.reduce((sum, { size }) => sum + (size ?? 0), 0);
  // An unread rule could demand encryption of a file.
  // guard: O10-attributes-bounded
  if (bytes > MAX_BYTES)
    throw new UnreadableFailure('.gitattributes', { limit: 'size', limitValue: MAX_BYTES / MB });
  const texts = await readBlobs(
    git,
    gitDir,
    files.map(({ oid }) => oid),
  );
  return files.map(({ path, oid }) => ({
    path: displayPath(path),
    text: texts.get(oid)?.toString('utf8') ?? '',
  }));
};

export const listFilteredPaths = async (
  git: TrustedGit,
  gitDir: string,
  tree: GitTree,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const files = await attributesAbove(git, gitDir, tree, paths);
  if (files.length === 0) return new Map();
  return readerThreads.ask<typeof readerTasks, 'filters'>(ATTRIBUTE_TASKS_MODULE, 'filters', {
    files,
    paths,
  });
};
