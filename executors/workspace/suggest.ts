/** F7: a commit with the lines that reviewers suggest, made from git objects alone. */
import { withEdits, type Edit } from '../../orchestrator/core/suggestions.ts';
import { display } from '../git/names.ts';
import type { Git } from '../git/git.ts';
import { writeObject, writeTree } from '../git/object-writer.ts';
import { listTree, readBlobs } from '../git/objects.ts';

/** Larger files are nobody's to suggest lines in, in bytes. */
const LARGEST = 1024 * 1024;
const REGULAR = ['100644', '100755'];

/** The id of the tree; null where a file is not there, is no text, or has other lines. */
export const treeWithEdits = async (
  git: Git,
  { gitDir, sha, edits }: { gitDir: string; sha: string; edits: readonly Edit[] },
): Promise<string | null> => {
  const tree = new Map(await listTree(git, gitDir, sha));
  const byPath = Map.groupBy(edits, ({ path }) => path);
  const touched = [...tree].filter(
    ([path, { mode, size }]) => byPath.has(display(path)) && REGULAR.includes(mode) && (size ?? 0) <= LARGEST,
  );
  if (touched.length !== byPath.size) return null;
  const blobs = await readBlobs(
    git,
    gitDir,
    touched.map(([, { oid }]) => oid),
  );
  for (const [path, entry] of touched) {
    const text = textOf(blobs.get(entry.oid));
    const edited = text === null ? null : withEdits(text, byPath.get(display(path)) ?? []);
    if (edited === null) return null;
    const bytes = Buffer.from(edited);
    const oid = await writeObject(gitDir, 'blob', bytes, entry.oid.length);
    tree.set(path, { ...entry, oid, size: bytes.length });
  }
  return writeTree(git, gitDir, [...tree.values()]);
};

/** Null for what is no text, or would not stay the same bytes. */
const textOf = (bytes: Buffer | undefined): string | null => {
  if (!bytes || bytes.includes(0)) return null;
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : null;
};
