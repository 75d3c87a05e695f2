/** The parts of answers that have buttons, and the rows of screens that list runs. */
import type { Run } from '#run';
import type { LanguageTexts } from '../language/languages.ts';
import { codeLine, escapeLine, relativeTimeHtml } from '../text/telegram-html.ts';
import { outageLine } from './outage-message.ts';
import { runName } from './run-lines.ts';
import type { ButtonVerb } from './scene.ts';

/** Buttons either show the named run or submit the text in `says`. */
export type AnswerButton = { verb: ButtonVerb; text: string; runId: string } & Partial<
  Record<'says' | 'opens' | 'copies', string>
>;
export type ScreenContent = { html: string; buttons: AnswerButton[][] };

export const fleetEntry = (
  run: Run,
  mark: string,
  stands: string,
  now: number,
  words: LanguageTexts,
): string =>
  [
    `${mark}${runName(run)}`,
    `   ${escapeLine(stands)} · ${relativeTimeHtml(run.lifecycle.stateEnteredAt, now, words.calendar)}`,
    `   ${codeLine(run.order.title ?? run.order.goal, 32)}`,
  ].join('\n');

export const withOutage = (line: string, run: Run, now: number, words: LanguageTexts): string => {
  const outage = outageLine(run, now, words);
  return outage === '' ? line : `${line}\n   ${outage}`;
};

export const buttonRows = (buttons: readonly AnswerButton[], wide = 3): AnswerButton[][] =>
  Array.from({ length: Math.ceil(buttons.length / wide) }, (_, i) =>
    buttons.slice(i * wide, i * wide + wide),
  );
