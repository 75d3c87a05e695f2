/** F5: where a campaign came from that nobody ordered, and when a schedule shows the next one. */
import { showBlock, show, moment } from '../text/text.ts';
import type { Texts } from '../language/language.ts';
import { line, type CampaignScene } from './campaign-lines.ts';

/** All that an agent reads of it is shown, in characters of markup. */
const LONGEST_QUOTE = 2_600;

/** Who asked, and in what words; what others wrote cannot be tapped. */
export const cameFrom = ({ campaign, order }: CampaignScene, { campaign: t }: Texts): string[] => {
  const { origin } = campaign;
  const { quoted } = order.run;
  return [
    ...(origin ? [`<b>${line(t.came(origin))}</b>`] : []),
    ...(origin?.kind === 'issue' ? [show(origin.url, 300)] : []),
    ...(quoted
      ? [
          line(`${t.quoted}:`),
          `<blockquote expandable><code>${showBlock(quoted.text, LONGEST_QUOTE)}</code></blockquote>`,
        ]
      : []),
  ];
};

export const timesIn = ({ campaign, times, now }: CampaignScene, words: Texts): string[] => {
  const { campaign: t, calendar } = words;
  if (!times) return [];
  const { next, last } = times;
  return [
    line(t.every(campaign.schedule ?? '')),
    ...(campaign.state === 'planned' ? [line(t.firstTime)] : []),
    `<b>${line(next === null ? t.noNextTime : t.nextTime(moment(next, now, calendar)))}</b>`,
    ...(last ? [line(t.cameLast(last.id, moment(last.due, now, calendar)))] : []),
  ];
};
