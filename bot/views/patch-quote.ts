/** Quotes the first hunks of a change below its card, and counts the rest (C2, G8). */
import { readHunkHeader } from '#model/values';
import { topHunks } from '../text/first-hunks.ts';
import type { LanguageTexts } from '../language/languages.ts';
import { showCut } from '../text/telegram-html.ts';
import { sortFilesByRisk } from './file-facts.ts';
import type { ViewScene } from './scene.ts';

const MAX_QUOTED_HUNKS_LENGTH = 2_500;

export const withReadableHunkHeaders = (text: string, { card }: LanguageTexts): string =>
  text.replace(/^@@ .*$/gm, (line) => {
    const hunk = readHunkHeader(line);
    return hunk ? card.hunkAt(hunk.new || hunk.old) + hunk.heading : line;
  });

export const quotePatch = ({ run, patch }: ViewScene, words: LanguageTexts, room: number): string =>
  run.change.commit && patch ? quoteOf(patch, sortFilesByRisk(run.change.commit.diff), words, room) : '';

export const quoteOf = (
  patch: { text: string; omitted: number },
  files: readonly { path: string }[],
  words: LanguageTexts,
  room: number,
): string => {
  if (patch.text === '') return '';
  const paths = files.map((f) => f.path);
  const frame = '\n<blockquote expandable><code></code></blockquote>'.length + 120;
  const limit = Math.min(MAX_QUOTED_HUNKS_LENGTH, room - frame);
  if (limit < 100) return '';
  const { text, whole, leftOut } = topHunks(patch.text, paths, MAX_QUOTED_HUNKS_LENGTH * 2);
  const { html, omitted: cut } = showCut(withReadableHunkHeaders(text, words), limit);
  const left = leftOut(whole && cut === 0 ? Infinity : html.split('\n').length - 1);
  const more = left.files > 0 ? `\n${words.card.notQuoted(left.lines, left.files)}` : '';
  const omitted = patch.omitted > 0 ? `\n${words.card.omitted(patch.omitted)}` : '';
  return `\n<blockquote expandable><code>${html}</code>${more}${omitted}</blockquote>`;
};
