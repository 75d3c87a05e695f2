/** Renders an outsider's comment as data; an approver may forward it to the agent (P5). */
import type { MessageView } from '#effects';
import type { Run } from '#run';
import { codeLine, escapeLine, showCut } from '../text/telegram-html.ts';
import { showInvisible } from '../../text-safety/index.ts';
import { hasOpenRemark } from '#model/review';
import { isTerminal } from '#model/run';
import { cutText } from '#model/values';
import type { LanguageTexts } from '../language/languages.ts';
import { runName } from './run-lines.ts';
import type { RenderedMessage, ViewButton } from './scene.ts';

export type CommentView = Extract<MessageView, { view: 'comment' }>;

const MAX_SHOWN_COMMENT_LENGTH = 1_500;
const MAX_INSTRUCTION_LENGTH = 20_000;

export const isCommentCut = ({ body }: CommentView): boolean =>
  showCut(body, MAX_SHOWN_COMMENT_LENGTH).omitted > 0;

export const renderComment = (view: CommentView, run: Run, words: LanguageTexts): RenderedMessage => {
  const { author, access, body, url, forwardedBy: passedBy } = view;
  const { comment, buttons } = words;
  const { html, omitted } = showCut(body, MAX_SHOWN_COMMENT_LENGTH);
  // Security: only URLs within the run's own pull request become links.
  const link =
    run.upstream.pullRequest && url.startsWith(run.upstream.pullRequest.url)
      ? escapeLine(url, 300)
      : codeLine(url, 300);
  const pass: ViewButton[] =
    passedBy === null && !isTerminal(run.lifecycle.state)
      ? [{ verb: 'comment.fix', text: buttons.fix, style: 'primary' }]
      : [];
  const answer: ViewButton[] = hasOpenRemark(run, url)
    ? [{ verb: 'comment.answer', text: comment.answer }]
    : [];
  return {
    html: [
      `💬 ${codeLine(author, 40)} (${view.bot ? comment.bot : comment.access[access]}) ${comment.on(runName(run))}`,
      `<blockquote expandable><code>${html}</code></blockquote>`,
      omitted > 0 ? comment.omitted(omitted) : '',
      link,
      passedBy === null ? '' : comment.passedBy(escapeLine(passedBy, 60)),
    ]
      .filter((line) => line !== '')
      .join('\n'),
    buttons: [[...pass, ...answer, { verb: 'detail', text: buttons.detail }]],
  };
};

export const instructionOf = ({ author, body }: CommentView, by: string): string => {
  const head = `${cutText(showInvisible(author), 100)} wrote (passed on by ${by}): `;
  return head + cutText(showInvisible(body), MAX_INSTRUCTION_LENGTH - head.length);
};
