/** Applies edits that reviewers suggest (F7). */
import { z } from 'zod';
import { iterateLines } from '#model/values';

/** 1-based and inclusive lines of the new file; an empty replacement deletes them. */
export const SuggestedEdit = z.object({
  path: z.string(),
  from: z.number(),
  to: z.number(),
  lines: z.array(z.string()),
});
export type SuggestedEdit = z.infer<typeof SuggestedEdit>;

const OPENED = /^[ \t]*(`{3,}|~{3,})suggestion/;

/** The lines of each closed block. */
const blocksIn = (body: string): string[][] => {
  const blocks: string[][] = [];
  let open: { fence: string; lines: string[] } | null = null;
  for (const line of iterateLines(body)) {
    if (open === null) {
      const fence = OPENED.exec(line)?.[1];
      open = fence === undefined ? null : { fence, lines: [] };
    } else if (line.trim() === open.fence) {
      blocks.push(open.lines);
      open = null;
    } else open.lines.push(line);
  }
  return blocks;
};

type Suggested = { body: string; path: string | null; line: number | null; start?: number };

/** Returns null for no or several suggestions, or when the lines are gone. */
export const findSuggestedEdit = ({ body, path, line, start }: Suggested): SuggestedEdit | null => {
  const [block, ...others] = blocksIn(body.replaceAll('\r\n', '\n'));
  if (!block || others.length > 0 || path === null || line === null) return null;
  const from = start ?? line;
  if (from < 1 || from > line) return null;
  return { path, from, to: line, lines: block };
};

const LINE_WITH_END = /[^\n]*\n|[^\n]+$/g;

/** Keeps line ends; returns null when edits overlap or lines are missing. */
export const applySuggestedEdits = (text: string, edits: readonly SuggestedEdit[]): string | null => {
  const lines = text.match(LINE_WITH_END) ?? [];
  const inOrder = [...edits].sort((a, b) => b.from - a.from);
  let above = lines.length + 1;
  for (const { from, to, lines: wanted } of inOrder) {
    // guard: F7-suggestion-in-place
    if (from < 1 || to >= above || to > lines.length || from > to) return null;
    above = from;
    const end = (lines[from - 1] ?? '').endsWith('\r\n') ? '\r\n' : '\n';
    const open = to === lines.length && !(lines[to - 1] ?? '').endsWith('\n');
    const put = wanted.map((line, i) => line + (open && i === wanted.length - 1 ? '' : end));
    lines.splice(from - 1, to - from + 1, ...put);
  }
  return lines.join('');
};
