/** Renders outages of the chat, the code host or an engine, and their end. */
import type { MessageView } from '#effects';
import { type HostRefusal, isHostRefusal } from '#model/failure';
import { isHostFinding, sayFindings } from '../language/host-finding.ts';
import type { LanguageTexts } from '../language/languages.ts';
import type { RenderedMessage } from './scene.ts';
import { durationText, codeLine, escapeLine } from '../text/telegram-html.ts';

type ConnectionView = Extract<MessageView, { view: 'connection' }>;
const whyOf = ({ says, findings = [] }: ConnectionView, words: LanguageTexts): string => {
  const known = findings.filter((one) => isHostFinding(words, one));
  return known.length > 0 && known.length === findings.length ? sayFindings(words, known) : says;
};

/** The code host's own refusal says more than the words that came with it. */
const findRefusal = ({ findings = [] }: ConnectionView, words: LanguageTexts): HostRefusal | null => {
  for (const one of findings)
    if (isHostFinding(words, one) && one.kind === 'outside_failure' && isHostRefusal(one.detail))
      return one.detail;
  return null;
};

export const renderConnection = (view: ConnectionView, words: LanguageTexts): RenderedMessage => {
  const { party, away, back, meanwhile } = words.connection;
  const refusal = findRefusal(view, words);
  const who = escapeLine(party[view.kind](view.name), 60);
  const html =
    view.backAfterMs === null
      ? `⚠ <b>${who}</b> · ${away}\n${refusal ? escapeLine(words.hostRefused(refusal), 500) : codeLine(whyOf(view, words), 500)}`
      : `✓ <b>${who}</b> · ${back(durationText(view.backAfterMs, words.calendar))}\n${meanwhile[view.kind]}`;
  return { html, buttons: [] };
};
