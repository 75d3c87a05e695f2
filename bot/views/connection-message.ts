/** Renders outages of the chat, the code host or an engine, and their end. */
import type { MessageView } from '#effects';
import { isHostFinding, sayFindings } from '../language/host-finding.ts';
import type { LanguageTexts } from '../language/languages.ts';
import type { RenderedMessage } from './scene.ts';
import { durationText, codeLine, escapeLine } from '../text/telegram-html.ts';

type ConnectionView = Extract<MessageView, { view: 'connection' }>;
const whyOf = ({ says, findings = [] }: ConnectionView, words: LanguageTexts): string => {
  const known = findings.filter((one) => isHostFinding(words, one));
  return known.length > 0 && known.length === findings.length ? sayFindings(words, known) : says;
};

export const renderConnection = (view: ConnectionView, words: LanguageTexts): RenderedMessage => {
  const { party, away, back, meanwhile } = words.connection;
  const who = escapeLine(party[view.kind](view.name), 60);
  const html =
    view.backAfterMs === null
      ? `⚠ <b>${who}</b> · ${away}\n${view.refusal ? escapeLine(words.hostRefused(view.refusal), 500) : codeLine(whyOf(view, words), 500)}`
      : `✓ <b>${who}</b> · ${back(durationText(view.backAfterMs, words.calendar))}\n${meanwhile[view.kind]}`;
  return { html, buttons: [] };
};
