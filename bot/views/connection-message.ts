/**
 * What a chat reads when the chat, the code host or an engine could not be used, and when it can be
 * again.
 */
import type { MessageView } from '../../orchestrator/core/machine/effect-types.ts';
import type { LanguageTexts } from '../language/languages.ts';
import type { RenderedMessage } from './scene.ts';
import { durationText, codeLine, escapedLine } from '../text/telegram-html.ts';

export const renderConnection = (
  view: Extract<MessageView, { view: 'connection' }>,
  words: LanguageTexts,
): RenderedMessage => {
  const { party, away, back, meanwhile } = words.connection;
  const who = escapedLine(party[view.kind](view.name), 60);
  const html =
    view.backAfterMs === null
      ? `⚠ <b>${who}</b> · ${away}\n${view.refusal ? escapedLine(words.hostRefused(view.refusal), 500) : codeLine(view.says, 500)}`
      : `✓ <b>${who}</b> · ${back(durationText(view.backAfterMs, words.calendar))}\n${meanwhile[view.kind]}`;
  return { html, buttons: [] };
};
