/** The buttons of the call for answers, and the sentence that closes a pull request (F7). */
import { hasRoleAtLeast } from '#model/settings';
import { isTerminal } from '#model/run';
import { hasOpenRemark } from '#model/review';
import { sayRecord } from '../text/sentence-catalogue.ts';
import { showInvisible } from '../../text-safety/index.ts';
import { formQuestionReply, type AnswerForm } from './answer-forms.ts';
import { defineButton, runCardOn } from './define-button.ts';
import {
  offerInput,
  plainReply,
  refuseUpdate,
  settleUpdate,
  type CommandContext,
  personOf,
} from './command-context.ts';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';
import { submitTap } from './submit-tap.ts';
import { describeRefusedStep } from './refused-step-reply.ts';

const MAX_CLOSING_LENGTH = 1_000;

/** G3: whoever may tap the button may send the words that it asks for. */
export const ANSWER_ROLE = 'operator';
export const CLOSING_ROLE = 'approver';

export const OPEN_REMARK_BUTTONS = [
  defineButton(runCardOn('open_remarks'), {
    verb: 'remarks.answered',
    role: 'operator',
    onTap: ({ c, run, show: { remarks } }): PendingTapAnswer =>
      submitTap(
        c,
        run,
        { type: 'command.remarks.answered', by: personOf(c), remarks },
        { done: () => c.words.tap.done },
      ),
  }),
  defineButton(runCardOn('open_remarks'), {
    verb: 'pull.close',
    role: CLOSING_ROLE,
    async onTap({ c, run, show: { closes } }): PendingTapAnswer {
      const { tap, openRemarks: t } = c.words;
      const pull = run.upstream.pullRequest;
      if (!closes || !pull || isTerminal(run.lifecycle.state)) return settleTap(c, tap.gone, true);
      return settleTap(c, t.askBelow, false, formQuestionReply(c, { kind: 'closing', run, about: pull.id }));
    },
  }),
  defineButton(runCardOn('open_remarks', 'comment'), {
    verb: 'comment.answer',
    role: ANSWER_ROLE,
    async onTap({ c, run, show }): PendingTapAnswer {
      const { tap, comment: t } = c.words;
      const asked = show.view === 'comment' ? [show.url] : show.remarks;
      const about = asked.find((url) => hasOpenRemark(run, url));
      if (about === undefined || isTerminal(run.lifecycle.state)) return settleTap(c, tap.gone, true);
      return settleTap(c, t.askBelow, false, formQuestionReply(c, { kind: 'answer', run, about }));
    },
  }),
];

export const MAX_ANSWER_LENGTH = 2_000;
export const answerComment = async (
  context: CommandContext,
  { run, about }: AnswerForm,
  said: string,
): Promise<void> => {
  const { roles, tap, problems, comment: t } = context.words;
  // guard: F7-comment-role
  if (!hasRoleAtLeast(context.role, ANSWER_ROLE))
    return refuseUpdate(context, 'role', plainReply(roles.needs(ANSWER_ROLE), run.id));
  const words = showInvisible(said.trim());
  if (words.length > MAX_ANSWER_LENGTH)
    return settleUpdate(
      context,
      'too long',
      plainReply(sayRecord(problems, { kind: 'long', what: 'reason', most: MAX_ANSWER_LENGTH }), run.id),
    );
  if (words === '' || !hasOpenRemark(run, about))
    return settleUpdate(context, 'closed', plainReply(tap.gone, run.id));
  const input = { type: 'command.comment.answer', by: personOf(context), comment: about, words } as const;
  await offerInput(context, run.id, input, (step) => [
    plainReply(step.kind === 'moved' ? t.answering : describeRefusedStep(context, step), run.id),
  ]);
};

export const closePullInWords = async (
  context: CommandContext,
  { run, about }: AnswerForm,
  sentence: string,
): Promise<void> => {
  const { roles, tap, problems, openRemarks: t } = context.words;
  // guard: F7-closing-role
  if (!hasRoleAtLeast(context.role, CLOSING_ROLE))
    return refuseUpdate(context, 'role', plainReply(roles.needs(CLOSING_ROLE), run.id));
  const words = showInvisible(sentence.trim());
  if (words.length > MAX_CLOSING_LENGTH)
    return settleUpdate(
      context,
      'too long',
      plainReply(sayRecord(problems, { kind: 'long', what: 'reason', most: MAX_CLOSING_LENGTH }), run.id),
    );
  if (words === '' || run.upstream.pullRequest?.id !== about || isTerminal(run.lifecycle.state))
    return settleUpdate(context, 'closed', plainReply(tap.gone, run.id));
  const input = { type: 'command.cancel', by: personOf(context), reason: words, close: words } as const;
  await offerInput(context, run.id, input, (step) => [
    plainReply(step.kind === 'moved' ? t.closing : describeRefusedStep(context, step), run.id),
  ]);
};
