/** Gives the plain files of one tree to the map of a repository. */
import type { MappedTree } from '#outline';
import { displayPath } from './path-names.ts';
import { isPlainFile } from './tree-and-commit-format.ts';
import { listTreePaths } from './read-objects.ts';
import type { TrustedGit } from './trusted-git.ts';

/** `id` is the full id of a tree or commit. */
export const createRepositoryMapTree = (git: TrustedGit, gitDir: string, id: string): MappedTree => ({
  list: async () =>
    (await listTreePaths(git, gitDir, id)).flatMap(({ mode, oid, path }) =>
      // guard: O10-map-plain-files
      isPlainFile(mode) ? [{ path: displayPath(path), oid }] : [],
    ),
  read: (oids, maxBytes, take) =>
    git.readObjects(gitDir, {
      oids,
      maxBytes,
      take: ({ oid, bytes }) => {
        if (bytes !== null) take(oid, bytes);
      },
    }),
});
