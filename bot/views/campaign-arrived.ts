/** F5: where a campaign came from that nobody ordered, and when a schedule shows the next one. */
import { showBlock, escapedLine, momentText } from '../text/telegram-html.ts';
import type { LanguageTexts } from '../language/languages.ts';
import { campaignLine, type CampaignScene } from './campaign-lines.ts';

/** All that an agent reads of it is shown, in characters of markup. */
const LONGEST_QUOTE = 2_600;

/** Who asked, and in what words; what others wrote cannot be tapped. */
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
