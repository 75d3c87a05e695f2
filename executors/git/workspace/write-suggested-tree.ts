/** Makes a commit from lines that reviewers suggest, using git objects alone (F7). */
import { applySuggestedEdits, type SuggestedEdit } from '#model/change';
import { displayPath } from '../path-names.ts';
import type { TrustedGit } from '../trusted-git.ts';
import { writeObject, writeTree } from '../object-writer.ts';
import { listTree, readBlobs } from '../read-objects.ts';

const MAX_SUGGESTED_FILE_BYTES = 1024 * 1024;
const REGULAR = ['100644', '100755'];

export const writeTreeWithEdits = async (
  git: TrustedGit,
  { gitDir, sha, edits }: { gitDir: string; sha: string; edits: readonly SuggestedEdit[] },
): Promise<string | null> => {
  const tree = new Map(await listTree(git, gitDir, sha));
  const byPath = Map.groupBy(edits, ({ path }) => path);
  const touched = [...tree].filter(
    ([path, { mode, size }]) =>
      byPath.has(displayPath(path)) && REGULAR.includes(mode) && (size ?? 0) <= MAX_SUGGESTED_FILE_BYTES,
  );
  if (touched.length !== byPath.size) return null;
  const blobs = await readBlobs(
    git,
    gitDir,
    touched.map(([, { oid }]) => oid),
  );
  for (const [path, entry] of touched) {
    const text = textOf(blobs.get(entry.oid));
    const edited = text === null ? null : applySuggestedEdits(text, byPath.get(displayPath(path)) ?? []);
    if (edited === null) return null;
    const bytes = Buffer.from(edited);
    const oid = await writeObject(gitDir, 'blob', bytes, entry.oid.length);
    tree.set(path, { ...entry, oid, size: bytes.length });
  }
  return writeTree(git, gitDir, [...tree.values()]);
};

const textOf = (bytes: Buffer | undefined): string | null => {
  if (!bytes || bytes.includes(0)) return null;
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : null;
};
