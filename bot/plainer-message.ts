/** Sends a refused message again without the refused part, because decisions must arrive. */
import { OutsideFailure } from '#ports/forge';
import type { ChatButton } from '#ports/chat';
import { escapeHtml, stripMarkup } from './text/telegram-html.ts';

type Message = { html: string; buttons: ChatButton[][] };

/** Keeps the buttons that are needed to decide; links, copy buttons and colours are dropped. */
const onlyAnswers = (buttons: ChatButton[][]): ChatButton[][] =>
  buttons
    .map((line) =>
      line.flatMap(({ text, token, opens, copies }) =>
        opens === undefined && copies === undefined ? [{ text, token }] : [],
      ),
    )
    .filter((line) => line.length > 0);

const PLAINER: readonly (readonly [RegExp, <M extends Message>(message: M) => M])[] = [
  [/parse entities/i, (message) => ({ ...message, html: escapeHtml(stripMarkup(message.html)) })],
  [/button|keyboard|reply markup|url/i, (message) => ({ ...message, buttons: onlyAnswers(message.buttons) })],
];

export const sendPlainerIfRefused = async <M extends Message, T>(
  message: M,
  go: (message: M) => Promise<T>,
): Promise<T> => {
  try {
    return await go(message);
  } catch (error) {
    if (!(error instanceof OutsideFailure) || error.class !== 'chat_refused') throw error;
    const plainer = PLAINER.find(([words]) => words.test(error.message));
    if (!plainer) throw error;
    return go(plainer[1](message));
  }
};
