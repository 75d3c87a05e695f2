/** Makes a tree from a commit with some paths taken from another one. */
import type { OverlaidPaths } from '#ports/workspaces';
import type { TrustedGit } from '../trusted-git.ts';
import { displayPath } from '../path-names.ts';
import { writeObject, writeTree } from '../object-writer.ts';
import { listTree } from '../read-objects.ts';

export const overlayTree = async (
  git: TrustedGit,
  { gitDir, sha, over }: { gitDir: string; sha: string; over: OverlaidPaths },
): Promise<string> => {
  const tree = new Map(await listTree(git, gitDir, sha));
  const base = await listTree(git, gitDir, over.base);
  const idLength = [...tree.values()][0]?.oid.length ?? 40;
  const wanted = new Set(over.paths);
  for (const path of [...tree.keys()]) if (wanted.has(displayPath(path))) tree.delete(path);
  for (const [path, entry] of base) {
    const name = displayPath(path);
    if (!wanted.has(name)) continue;
    const text = over.texts[name];
    if (text === undefined) {
      tree.set(path, entry);
      continue;
    }
    const oid = await writeObject(gitDir, 'blob', Buffer.from(text), idLength);
    tree.set(path, { ...entry, oid, size: Buffer.byteLength(text) });
  }
  return writeTree(git, gitDir, [...tree.values()]);
};
