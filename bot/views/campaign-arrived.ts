/** F5: shows the source of a triggered campaign, and the next date of a schedule. */
import { showBlock, escapedLine, momentText } from '../text/telegram-html.ts';
import type { LanguageTexts } from '../language/languages.ts';
import { campaignLine, type CampaignScene } from './campaign-lines.ts';

/** Everything that the agent reads must fit, up to this much markup (characters). */
const LONGEST_QUOTE = 2_600;

/** Outsiders' text is rendered so that nothing in it can be tapped. */
export const cameFrom = ({ campaign, order }: CampaignScene, { campaign: t }: LanguageTexts): string[] => {
  const { origin } = campaign;
  const { quoted } = order.run;
  return [
    ...(origin ? [`<b>${campaignLine(t.came(origin))}</b>`] : []),
    ...(origin?.kind === 'issue' ? [escapedLine(origin.url, 300)] : []),
    ...(quoted
      ? [
          campaignLine(`${t.quoted}:`),
          `<blockquote expandable><code>${showBlock(quoted.text, LONGEST_QUOTE)}</code></blockquote>`,
        ]
      : []),
  ];
};

export const timesIn = ({ campaign, times, now }: CampaignScene, words: LanguageTexts): string[] => {
  const { campaign: t, calendar } = words;
  if (!times) return [];
  const { next, last } = times;
  return [
    campaignLine(t.every(campaign.schedule ?? '')),
    ...(campaign.state === 'planned' ? [campaignLine(t.firstTime)] : []),
    `<b>${campaignLine(next === null ? t.noNextTime : t.nextTime(momentText(next, now, calendar)))}</b>`,
    ...(last ? [campaignLine(t.cameLast(last.id, momentText(last.due, now, calendar)))] : []),
  ];
};
