/** Lists all campaigns, newest first, each with a button to its card. */
import { isCampaignOver, type Campaign } from '#model/campaign';
import type { LanguageTexts } from '../language/languages.ts';
import { fitLines, escapeLine } from '../text/telegram-html.ts';
import { buttonRows, type ScreenContent } from './screen-rows.ts';

const MAX_LISTED_CAMPAIGNS = 10;

export const renderCampaigns = (all: readonly Campaign[], { campaign: t }: LanguageTexts): ScreenContent => {
  const shown = [...all]
    .sort((a, b) => Number(isCampaignOver(a)) - Number(isCampaignOver(b)))
    .slice(0, MAX_LISTED_CAMPAIGNS);
  if (shown.length === 0) return { html: escapeLine(t.none), buttons: [] };
  const rows = shown.map(
    (one) =>
      `${escapeLine(one.id, 12)} · ${escapeLine(one.schedule === undefined ? t.entry(t.states[one.state], one.released) : t.scheduledEntry(one.state, one.schedule))}`,
  );
  const more =
    all.length > MAX_LISTED_CAMPAIGNS ? [escapeLine(t.more(all.length - MAX_LISTED_CAMPAIGNS))] : [];
  return {
    html: fitLines([`<b>${escapeLine(t.list)}</b>`, ...rows, ...more]),
    buttons: buttonRows(
      shown.map(({ id }) => ({ verb: 'say', text: id, runId: '', says: `/campaign ${id}` }) as const),
      2,
    ),
  };
};
