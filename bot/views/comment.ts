/**
 * P5: what somebody wrote on the pull request, as data; an approver may pass it on to the agent.
 */
import type { View } from '../../orchestrator/core/machine/effects.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { isTerminal } from '../../orchestrator/core/states.ts';
import type { Texts } from '../language/language.ts';
import { said, show, showCut, visible } from '../text/text.ts';
import { name, type Rendered, type Shown } from './scene.ts';
import { cut } from '../../orchestrator/core/text.ts';

export type CommentView = Extract<View, { view: 'comment' }>;

/** What a message shows of the words, in characters of its markup. */
const SHOWN = 1_500;
/** `command.iterate`: the longest instruction that the machine takes. */
const INSTRUCTION = 20_000;

/** Whether the message shows less than what would be passed on. */
export const isCut = ({ body }: CommentView): boolean => showCut(body, SHOWN).omitted > 0;

export const renderComment = (view: CommentView, run: Run, words: Texts): Rendered => {
  const { author, access, body, url, forwardedBy: passedBy } = view;
  const { comment, buttons } = words;
  const { html, omitted } = showCut(body, SHOWN);
  // Only an address of the run's own pull request may be tapped.
  const link =
    run.upstream.pullRequest && url.startsWith(run.upstream.pullRequest.url)
      ? show(url, 300)
      : said(url, 300);
  const pass: Shown[] =
    passedBy === null && !isTerminal(run.lifecycle.state)
      ? [{ verb: 'fix', text: buttons.fix, style: 'primary' }]
      : [];
  return {
    html: [
      `💬 ${said(author, 40)} (${view.bot ? comment.bot : comment.access[access]}) ${comment.on(name(run))}`,
      `<blockquote expandable><code>${html}</code></blockquote>`,
      omitted > 0 ? comment.omitted(omitted) : '',
      link,
      passedBy === null ? '' : comment.passedBy(show(passedBy, 60)),
    ]
      .filter((line) => line !== '')
      .join('\n'),
    buttons: [[...pass, { verb: 'detail', text: buttons.detail }]],
  };
};

/**
 * What the agent is told: the words as a person could read them, who wrote them, and who answers
 * for passing them on.
 */
export const instructionOf = ({ author, body }: CommentView, by: string): string => {
  const head = `${cut(visible(author), 100)} wrote (passed on by ${by}): `;
  return head + cut(visible(body), INSTRUCTION - head.length);
};
