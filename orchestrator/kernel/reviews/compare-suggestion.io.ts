import type { Run } from '../run/run.ts';
import type { TriageItem } from '#model/review';
import { findSuggestedEdit } from '#model/change';
import type { EffectContext } from '../handlers/effect-context.ts';

const MAX_READ_PATCH_BYTES = 256_000;
const MAX_SHOWN_LINES = 12;

const normaliseLine = (line: string): string => line.trim().replace(/\s+/g, ' ');

const includesLines = (text: string, wanted: readonly string[]): boolean => {
  const lines = text.split(/\r?\n/).map(normaliseLine);
  const named = wanted.map(normaliseLine);
  return lines.some((_, at) => named.every((line, i) => lines[at + i] === line));
};

const lastHunkLines = (hunk: string, count: number): string[] =>
  hunk
    .split('\n')
    .filter((line) => /^[ +]/.test(line))
    .slice(-count)
    .map((line) => line.slice(1));

const replacementLines = (patch: string, path: string, old: readonly string[]): string[] => {
  const file = patch.split(/^diff --git /m).find((part) => part.includes(`\n+++ b/${path}\n`)) ?? '';
  const hunk = file
    .split(/^@@ /m)
    .slice(1)
    .map((part) => part.split('\n').slice(1))
    .find((lines) => old.some((line) => normaliseLine(line) !== '' && lines.includes(`-${line}`)));
  return (hunk ?? []).flatMap((line) => (line.startsWith('+') ? [line.slice(1)] : []));
};

export const findLinesInsteadOfSuggestion = async (
  { workspaces }: Pick<EffectContext, 'workspaces'>,
  run: Run,
  item: TriageItem,
): Promise<{ lines: string[] } | null> => {
  const edit = findSuggestedEdit(item);
  if (!edit || item.fixedIn === null) return null;
  const tree = await workspaces.tree(run.id, item.fixedIn);
  const text = (await tree.read([edit.path])).get(edit.path) ?? '';
  const old = lastHunkLines(item.hunk, edit.to - edit.from + 1);
  const done = edit.lines.length === 0 ? !includesLines(text, old) : includesLines(text, edit.lines);
  if (done) return null;
  const { ownCommits } = run.change;
  const before = ownCommits[ownCommits.indexOf(item.fixedIn) - 1];
  if (before === undefined) return { lines: [] };
  const { text: patch } = await workspaces.patch({
    runId: run.id,
    base: before,
    head: item.fixedIn,
    limit: MAX_READ_PATCH_BYTES,
  });
  return { lines: replacementLines(patch, edit.path, old).slice(0, MAX_SHOWN_LINES) };
};
