/** Compares pictures of a user interface, which a command of the repository makes (C2). */
import { z } from 'zod';

/** Bot API, sendMediaGroup: 2–10 items in an album. */
export const MAX_PICTURE_SIDES = 10;

/** `sha` is a commit or tree of the trusted directory, and `path` a file in it. */
export const PictureSide = z.object({ side: z.enum(['before', 'after']), sha: z.string(), path: z.string() });
export type PictureSide = z.infer<typeof PictureSide>;

export type TreePictures = { tree: string; files: ReadonlyMap<string, string> };

/** Pairs of pictures that differ; `before` is null when none could be made. */
export const changedPictureSides = (before: TreePictures | null, after: TreePictures): PictureSide[] => {
  const paths = [...new Set([...(before?.files.keys() ?? []), ...after.files.keys()])].sort();
  const changed = paths.filter((path) => before?.files.get(path) !== after.files.get(path));
  const pictureSides = (side: PictureSide['side'], kept: TreePictures | null, path: string): PictureSide[] =>
    kept?.files.has(path) ? [{ side, sha: kept.tree, path }] : [];
  return changed
    .slice(0, MAX_PICTURE_SIDES / 2)
    .flatMap((path) => [...pictureSides('before', before, path), ...pictureSides('after', after, path)]);
};
