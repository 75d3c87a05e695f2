/** F5: how the words of a campaign read in one repository, so that nothing is filled in unseen. */
import { exampleIn } from '../../orchestrator/core/campaign/filled-order.ts';
import type { Texts } from '../language/language.ts';
import { said, show, showBlock } from '../text/text.ts';
import { line, type CampaignScene } from './campaign-lines.ts';

/** Fields that a preview shows; several fixes have a title and a goal each. */
const MAX_FIELDS = 6;
/** A script is shown up to so many characters of markup. */
const MAX_SCRIPT_LENGTH = 800;

export const filledLines = (order: CampaignScene['order'], { campaign: t }: Texts): string[] => {
  const example = exampleIn(order);
  if (!example) return [];
  const { repo, filled } = example;
  return [
    line(t.example(repo)),
    ...filled.slice(0, MAX_FIELDS).map(({ field, text }) => {
      const isScript = field === 'command' && text.trim().includes('\n');
      const shown = isScript ? `\n<pre>${showBlock(text, MAX_SCRIPT_LENGTH)}</pre>` : ` ${said(text, 300)}`;
      return `${line(t.filled[field])}:${shown}`;
    }),
    ...(filled.length > MAX_FIELDS ? [show(t.more(filled.length - MAX_FIELDS))] : []),
  ];
};
