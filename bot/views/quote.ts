/** C2, G8: the first hunks of a change below its card, and how much of it they are not. */
import { topHunks } from '../text/hunks.ts';
import type { Texts } from '../language/language.ts';
import { showCut } from '../text/text.ts';
import { byRisk, type Scene } from './scene.ts';

const HUNKS = 2_500;

/** The first line of a hunk, in words: most readers cannot read git's `@@` header. */
const inWords = (text: string, { card }: Texts): string =>
  text.replace(/^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/gm, (_, before: string, after: string) =>
    card.hunkAt(Number(after) || Number(before)),
  );

/** At most `room` characters of markup. */
export const quote = ({ run, patch }: Scene, words: Texts, room: number): string =>
  run.change.commit && patch ? quoteOf(patch, byRisk(run.change.commit.diff), words, room) : '';

export const quoteOf = (
  patch: { text: string; omitted: number },
  files: readonly { path: string }[],
  words: Texts,
  room: number,
): string => {
  if (patch.text === '') return '';
  const paths = files.map((f) => f.path);
  const frame = '\n<blockquote expandable><code></code></blockquote>'.length + 120;
  const limit = Math.min(HUNKS, room - frame);
  if (limit < 100) return '';
  const { text, whole, leftOut } = topHunks(patch.text, paths, HUNKS * 2);
  const { html, omitted: cut } = showCut(inWords(text, words), limit);
  // The line at the end of what is cut is not a whole one.
  const left = leftOut(whole && cut === 0 ? Infinity : html.split('\n').length - 1);
  const more = left.files > 0 ? `\n${words.card.notQuoted(left.lines, left.files)}` : '';
  const omitted = patch.omitted > 0 ? `\n${words.card.omitted(patch.omitted)}` : '';
  return `\n<blockquote expandable><code>${html}</code>${more}${omitted}</blockquote>`;
};
