/** Lists the dependency changes of one changed file. */
import type { DependencyChange } from '#model/change';
import { changesOnlyVersion } from '../own-version.ts';
import { compareDependencies } from '#tools/packages';
import { type BlobSide } from '../blob-pairs.ts';
import { decodeEditorText } from '../blob-text.ts';

export const findDependencyChanges = (
  before: BlobSide | null,
  after: BlobSide | null,
): DependencyChange[] => {
  const path = (after ?? before)?.path;
  if (path === undefined) return [];
  const [was, is] = [before, after].map((side) => (side === null ? null : decodeEditorText(side.bytes)));
  return compareDependencies(path, was ?? null, is ?? null);
};

/** Only the version of the package itself differs. */
export const isOwnVersionChange = (before: BlobSide | null, after: BlobSide | null): boolean => {
  if (before === null || after === null || before.path !== after.path) return false;
  const [was, is] = [decodeEditorText(before.bytes), decodeEditorText(after.bytes)];
  return was !== null && is !== null && changesOnlyVersion(after.path, was, is);
};
