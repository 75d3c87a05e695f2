/** Renders messages, deliveries and orders that were given up or set aside. */
import { SET_ASIDE, type DeadInboxRow } from '#ports/steps';
import { cutText } from '#model/values';
import { commandFormOf } from '../language/command-forms.ts';
import type { LanguageTexts } from '../language/languages.ts';
import { redactSecrets } from '../../text-safety/index.ts';
import { escapeLine, fitLines, momentText } from '../text/telegram-html.ts';
import type { ScreenContent } from './screen-rows.ts';

export const MAX_SHOWN_ROWS = 10;
const MAX_WORDS = 60;
const MAX_WHY = 120;
const MAX_SHOWN_DEPTH = 4;

/** A person's words, wherever the wire keeps them; they are cut before anything reads them. */
const findWords = (body: unknown, depth = MAX_SHOWN_DEPTH): string | null => {
  if (typeof body !== 'object' || body === null || depth === 0) return null;
  const { text } = body as { text?: unknown };
  if (typeof text === 'string') return text.slice(0, MAX_WORDS);
  for (const value of Object.values(body)) {
    const found = findWords(value, depth - 1);
    if (found !== null) return found;
  }
  return null;
};

/** Numbers are for people; what stands in a row has stopped the process, so only its start is read. */
export const setAsideLine = (
  { id, source, receivedAt, why, body }: DeadInboxRow,
  { now, withWords }: { now: number; withWords: boolean },
  words: LanguageTexts,
): string =>
  redactSecrets(
    words.setAside.row(
      id,
      source,
      momentText(receivedAt, now, words.calendar),
      why === SET_ASIDE ? words.setAside.stopped : cutText(why, MAX_WHY),
      withWords ? findWords(body) : null,
    ),
  );

export const renderSetAside = (
  rows: readonly DeadInboxRow[],
  scene: { now: number; withWords: boolean },
  words: LanguageTexts,
): ScreenContent => {
  const { setAside } = words;
  const shown = rows.slice(0, MAX_SHOWN_ROWS);
  if (shown.length === 0) return { html: escapeLine(setAside.nothing), buttons: [] };
  const html = fitLines([
    `<b>${escapeLine(setAside.title)}</b>`,
    ...shown.map((row) => escapeLine(setAsideLine(row, scene, words), 300)),
    ...(rows.length > shown.length ? [escapeLine(setAside.more)] : []),
    escapeLine(commandFormOf('set_aside', words)),
  ]);
  const buttons = shown.map(({ id }) => [
    { verb: 'say' as const, text: setAside.retry(id), runId: '', says: `/set_aside retry ${id}` },
  ]);
  return { html, buttons };
};
