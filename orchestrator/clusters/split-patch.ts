/** Parses a patch as git writes it into the header and the edited blocks of each file. */
/** `header` says what happens to the file; `blocks` are runs of added and removed lines. */
export type PatchedFile = { header: string[]; blocks: string[][]; around: string[] };

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
/** Depends on the rest of the file, which differs per repository. */
const INCIDENTAL = /^(?:similarity|dissimilarity) index /;
const BLOB = /^index [0-9a-f]+\.\.[0-9a-f]+/;

/** Returns null for binary content and for anything git does not write. */
export const filesIn = (patch: string): PatchedFile[] | null => {
  if (patch.includes('\0')) return null;
  const parts = patch.split(/(?:^|\n)(?=diff --git )/).filter((part) => part !== '');
  const files = parts.map(readFile);
  return files.length > 0 && files.every((file) => file !== null) ? files : null;
};

const readFile = (part: string): PatchedFile | null => {
  const lines = (part.endsWith('\n') ? part.slice(0, -1) : part).split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  const head = first < 0 ? lines : lines.slice(0, first);
  if (!head[0]?.startsWith('diff --git ') || head.some((line) => /^(?:Binary files|GIT binary)/.test(line)))
    return null;
  const header = head.filter((line) => !INCIDENTAL.test(line)).map((line) => line.replace(BLOB, 'index'));
  const content = first < 0 ? { blocks: [], around: [] } : readHunks(lines.slice(first));
  return content && { header, ...content };
};

type Left = { old: number; now: number };

const readHunks = (lines: readonly string[]): Omit<PatchedFile, 'header'> | null => {
  const blocks: string[][] = [];
  const around: string[] = [];
  let block: string[] | null = null;
  let left: Left = { old: 0, now: 0 };
  for (const line of lines) {
    const sign = line[0] ?? '';
    if (left.old === 0 && left.now === 0 && sign !== '\\') {
      const [, old = '1', now = '1'] = HUNK.exec(line) ?? [null];
      if (!HUNK.test(line)) return null;
      left = { old: Number(old), now: Number(now) };
      block = null;
      around.push('@@');
      continue;
    }
    around.push(line);
    if (sign === '\\') {
      block?.push(line);
      continue;
    }
    if (sign !== ' ' && sign !== '+' && sign !== '-') return null;
    left = { old: left.old - (sign === '+' ? 0 : 1), now: left.now - (sign === '-' ? 0 : 1) };
    if (left.old < 0 || left.now < 0) return null;
    if (sign === ' ') block = null;
    else if (block) block.push(line);
    else blocks.push((block = [line]));
  }
  return left.old === 0 && left.now === 0 ? { blocks, around } : null;
};
