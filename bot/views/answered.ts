/** What somebody answered to a message, read back to them: a tap makes it the reason of a denial, or what the agent is told. */
import { STATE } from '../../orchestrator/core/states.ts';
import type { View } from '../../orchestrator/core/machine/effects.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import type { Texts } from '../language/language.ts';
import { show, showBlock } from '../text/text.ts';
import { doing, headline, type Rendered } from './scene.ts';

export type Denial = Extract<View, { view: 'denial' }>;
export type Advice = Extract<View, { view: 'advice' }>;

const block = (text: string): string =>
  `<blockquote expandable><code>${showBlock(text, 2_500)}</code></blockquote>`;

export const renderDenial = ({ approvalId, reason }: Denial, run: Run, words: Texts): Rendered => {
  const { denial, buttons } = words;
  const live = run.approval?.id === approvalId;
  return {
    html: [headline(denial.title, run), show(live ? denial.ask : words.tap.stale), block(reason)].join('\n'),
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

/** What lets a run that stands still go on; null for one that does not. */
export const onwardVerb = ({ state }: Run): 'retry' | 'resume' | null => {
  const { onward } = STATE[state];
  return onward === 'start' ? null : onward;
};

export const renderAdvice = ({ epoch, words: said }: Advice, run: Run, words: Texts): Rendered => {
  const { advice, buttons, tap } = words;
  const verb = run.epoch === epoch ? onwardVerb(run) : null;
  const so = verb === 'resume' ? buttons.resumeSo : buttons.retrySo;
  return {
    html: [
      headline(advice.title, run),
      show(verb ? advice.ask : tap.movedOn(doing(run, words))),
      block(said),
    ].join('\n'),
    buttons: verb
      ? [
          [
            { verb, text: so },
            { verb: 'detail', text: buttons.detail },
          ],
        ]
      : [],
  };
};
