/** F5: shows a campaign's templates as filled in for one repository. */
import { exampleIn } from '#campaigns';
import type { LanguageTexts } from '../language/languages.ts';
import { codeLine, escapedLine, showBlock } from '../text/telegram-html.ts';
import { campaignLine, type CampaignScene } from './campaign-lines.ts';

const MAX_FIELDS = 6;
const MAX_SCRIPT_LENGTH = 800;

export const filledLines = (order: CampaignScene['order'], { campaign: t }: LanguageTexts): string[] => {
  const example = exampleIn(order);
  if (!example) return [];
  const { repo, filled } = example;
  return [
    campaignLine(t.example(repo)),
    ...filled.slice(0, MAX_FIELDS).map(({ field, text }) => {
      const isScript = field === 'command' && text.trim().includes('\n');
      const shown = isScript
        ? `\n<pre>${showBlock(text, MAX_SCRIPT_LENGTH)}</pre>`
        : ` ${codeLine(text, 300)}`;
      return `${campaignLine(t.filled[field])}:${shown}`;
    }),
    ...(filled.length > MAX_FIELDS ? [escapedLine(t.more(filled.length - MAX_FIELDS))] : []),
  ];
};
