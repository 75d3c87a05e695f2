/**
 * Which paths a repository passes through a filter (LFS, encryption), by its own `.gitattributes`.
 */
import { UnreadableFailure } from '../../orchestrator/ports.ts';
import { MB } from '../../orchestrator/core/units.ts';
import { readerThreads } from '../process/reader-threads.ts';
import type { AttributeFiles } from './attribute-filters.ts';
import type { tasks } from './attribute-tasks.ts';
import type { TrustedGit } from './trusted-git.ts';
import { displayPath } from './path-names.ts';
import { readBlobs, type GitTree } from './read-objects.ts';

/** Of all such files above the changed paths. */
const MAX_BYTES = 4 * MB;
const ATTRIBUTE_TASKS_MODULE = '#programs/attribute-tasks';

/** How files begin that git-crypt, transcrypt, age or Ansible have encrypted. */
const ENCRYPTED = [
  '\0GITCRYPT\0',
  'U2FsdGVkX1',
  'age-encryption.org/',
  '-----BEGIN AGE ',
  '$ANSIBLE_VAULT;',
].map((start) => Buffer.from(start));
export const isFiltered = (bytes: Uint8Array): boolean =>
  bytes.length === 0 || ENCRYPTED.some((start) => start.equals(bytes.subarray(0, start.length)));

/** Those in the folders above these paths: others say nothing of them. */
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
  // What is not read could keep a secret from being published as it is.
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

/** The filter that the last rule which names a path sends it through; others are not in it. */
export const filteredPaths = async (
  git: TrustedGit,
  gitDir: string,
  tree: GitTree,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const files = await attributesAbove(git, gitDir, tree, paths);
  if (files.length === 0) return new Map();
  return readerThreads.ask<typeof tasks, 'filters'>(ATTRIBUTE_TASKS_MODULE, 'filters', { files, paths });
};
