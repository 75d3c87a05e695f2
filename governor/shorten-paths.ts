/** Judgements about paths, which show the first few. */
import type { PathsKind, AssessmentReason } from '#model/assessment';
import { visibleName } from '#text-safety';

export const shortenPaths = (paths: readonly string[]): { at: string[]; more: number } => {
  const at = paths.slice(0, 3).map((p) => visibleName(p).slice(0, 120));
  return { at, more: paths.length - at.length };
};

export const toPathReasons = (kind: PathsKind, paths: readonly string[]): AssessmentReason[] =>
  paths.length === 0 ? [] : [{ kind, ...shortenPaths(paths) }];
