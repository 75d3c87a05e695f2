/** Reads the line that begins a hunk of a unified diff. Pure. */
const HUNK_HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/s;

type HunkHeader = { old: number; oldLines: number; new: number; newLines: number; heading: string };

export const readHunkHeader = (line: string): HunkHeader | null => {
  const [, old, oldLines = '1', now, newLines = '1', heading = ''] = HUNK_HEADER.exec(line) ?? [];
  if (old === undefined) return null;
  return {
    old: Number(old),
    oldLines: Number(oldLines),
    new: Number(now),
    newLines: Number(newLines),
    heading,
  };
};
