/** What somebody answered to a card, read back to them: a tap makes it the reason of a denial. */
import type { View } from '../../orchestrator/core/effects.ts';
import type { Run } from '../../orchestrator/core/run.ts';
import type { Words } from '../language.ts';
import { show, showBlock } from '../text.ts';
import { headline, type Rendered } from './scene.ts';

export type Denial = Extract<View, { view: 'denial' }>;

export const renderDenial = ({ approvalId, reason }: Denial, run: Run, words: Words): Rendered => {
  const { denial, buttons } = words;
  const live = run.approval?.id === approvalId;
  return {
    html: [
      headline(denial.title, run),
      show(live ? denial.ask : words.tap.stale),
      `<blockquote expandable><code>${showBlock(reason, 2_500)}</code></blockquote>`,
    ].join('\n'),
    buttons: live
      ? [
          [
            { verb: 'deny', text: buttons.denySo, style: 'danger' },
            { verb: 'show', text: buttons.card },
          ],
        ]
      : [],
  };
};
