/**
 * What a chat reads when the chat, the code host or an engine could not be used, and when it can be
 * again.
 */
import type { View } from '../../orchestrator/core/machine/effects.ts';
import type { Texts } from '../language/language.ts';
import type { Rendered } from './scene.ts';
import { duration, said, show } from '../text/text.ts';

export const renderConnection = (view: Extract<View, { view: 'connection' }>, words: Texts): Rendered => {
  const { party, away, back, meanwhile } = words.connection;
  const who = show(party[view.kind](view.name), 60);
  const html =
    view.backAfterMs === null
      ? `⚠ <b>${who}</b> · ${away}\n${view.refusal ? show(words.hostRefused(view.refusal), 500) : said(view.says, 500)}`
      : `✓ <b>${who}</b> · ${back(duration(view.backAfterMs, words.calendar))}\n${meanwhile[view.kind]}`;
  return { html, buttons: [] };
};
