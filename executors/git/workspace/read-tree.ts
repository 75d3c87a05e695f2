/** Lists the paths of a commit and reads the requested text files. */
import { posix } from 'node:path';
import type { WorkspacePort } from '#ports/workspaces';
import type { TrustedGit } from '../trusted-git.ts';
import { displayPath } from '../path-names.ts';
import { listTree, readBlobs } from '../read-objects.ts';
import { isBinary } from '../blob-text.ts';
import { KB, MB } from '#model/values';

const READ_LIMIT = 256 * KB;
const READ_TOTAL = 16 * MB;
const MOST_LINKS = 2_000;
const LONGEST_TARGET = 4 * KB;

export const readTree = async (
  git: TrustedGit,
  gitDir: string,
  sha: string,
): ReturnType<WorkspacePort['tree']> => {
  const entries = new Map(
    [...(await listTree(git, gitDir, sha)).values()].map((entry) => [displayPath(entry.path), entry]),
  );
  return {
    paths: [...entries.keys()],
    bytes: async (path, most) => {
      const entry = entries.get(path);
      if (!entry?.mode.startsWith('100') || (entry.size ?? Infinity) > most) return null;
      return (await readBlobs(git, gitDir, [entry.oid])).get(entry.oid) ?? null;
    },
    links: async () => {
      const all = [...entries].filter(
        ([, { mode, size }]) => mode === '120000' && (size ?? 0) <= LONGEST_TARGET,
      );
      const some = all.slice(0, MOST_LINKS);
      const targets = await readBlobs(
        git,
        gitDir,
        some.map(([, { oid }]) => oid),
      );
      return new Map(
        some.flatMap(([path, { oid }]): [string, string][] => {
          const target = targets.get(oid)?.toString() ?? '/';
          const to = posix.join(posix.dirname(path), target).replace(/(?<!\/)\/+$/, '');
          return target.startsWith('/') || to.startsWith('..') || to === '.' ? [] : [[path, to]];
        }),
      );
    },
    read: async (wanted) => {
      let room = READ_TOTAL;
      const canLoad = (size: number): boolean => size <= READ_LIMIT && (room -= size) >= 0;
      const selectSmall = (paths: readonly string[], mode: string): [string, string][] =>
        paths.flatMap((path): [string, string][] => {
          const entry = entries.get(path);
          if (!entry?.mode.startsWith(mode) || !canLoad(entry.size ?? Infinity)) return [];
          return [[path, entry.oid]];
        });
      const loadBlobs = (found: [string, string][]): Promise<Map<string, Buffer>> =>
        readBlobs(
          git,
          gitDir,
          found.map(([, oid]) => oid),
        );
      // Links are followed once, and only within the tree.
      const links = selectSmall(wanted, '120000');
      const targets = await loadBlobs(links);
      const linked = links.flatMap(([path, oid]): [string, string][] =>
        selectSmall([posix.join(posix.dirname(path), targets.get(oid)?.toString() ?? '')], '100').map(
          ([, at]) => [path, at],
        ),
      );
      const plain = [...selectSmall(wanted, '100'), ...linked];
      const blobs = await loadBlobs(plain);
      return new Map(
        plain.flatMap(([path, oid]): [string, string][] => {
          const bytes = blobs.get(oid);
          return bytes === undefined || isBinary(bytes) ? [] : [[path, bytes.toString('utf8')]];
        }),
      );
    },
  };
};
