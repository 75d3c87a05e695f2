/** Lines and buttons of words to an agent: what waits for it, and what it heard (E21). */
import { selectDeliveredWords, selectQueuedWords, type Run } from '#run';
import type { LanguageTexts } from '../language/languages.ts';
import { codeLine, relativeTimeHtml } from '../text/telegram-html.ts';
import type { ViewButton, ViewScene } from './scene.ts';

const MAX_SHOWN_WORDS = 3;

export const wordsLines = (
  { run, now }: Pick<ViewScene, 'run' | 'now'>,
  { progress, calendar }: LanguageTexts,
): string[] => [
  ...selectDeliveredWords(run)
    .slice(-MAX_SHOWN_WORDS)
    .map(({ words, delivered, at }) =>
      progress.heard(relativeTimeHtml(delivered?.at ?? at, now, calendar), codeLine(words, 120)),
    ),
  ...selectQueuedWords(run)
    .slice(-MAX_SHOWN_WORDS)
    .map(({ words, when }) => progress.queued[when](codeLine(words, 120))),
];

/** Lines for operators' words that the agent never heard, because it had stopped. */
export const unheardLines = (run: Run, { ended }: LanguageTexts): string[] =>
  selectQueuedWords(run)
    .slice(-MAX_SHOWN_WORDS)
    .map(({ words }) => ended.unheard(codeLine(words, 120)));

/** They are for all words that wait. */
export const wordsTimeRow = ({ buttons }: LanguageTexts): ViewButton[] => [
  { verb: 'words.now', text: buttons.tellNow },
  { verb: 'words.after', text: buttons.tellAfter },
];
export const wordsButtons = (run: Run, words: LanguageTexts): ViewButton[][] =>
  selectQueuedWords(run).length === 0 ? [] : [wordsTimeRow(words)];
