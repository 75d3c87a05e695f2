/** Handles answers to an agent's permission question, tapped or typed (E10). */
import { roleNeededFor } from '#commands';
import { MAX_ARGUMENT_LENGTHS } from '#model/chat';
import { hasRoleAtLeast } from '#model/settings';
import { cutText } from '#model/values';
import type { Input } from '#inputs';
import { permissionQuestionOf, type Run } from '#run';
import { MAX_SHOWN_COMMAND_LENGTH } from '#governor';
import { sayRecord } from '../text/sentence-catalogue.ts';
import { codeLine, escapeSentence, showCut } from '../text/telegram-html.ts';
import {
  personOf,
  htmlReply as answerWith,
  offerInput,
  plainReply,
  refuseUpdate,
  settleUpdate,
  type CommandContext,
} from './command-context.ts';
import { defineButton, runCardOn, type RunTap, type ViewOf } from './define-button.ts';
import { formQuestionReply, type AnswerForm } from './answer-forms.ts';
import { submitTap } from './submit-tap.ts';
import { describeRefusedStep } from './refused-step-reply.ts';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';

type Answer = Extract<Input, { type: 'command.permission.answer' }>;
type Answering = 'allow' | 'allow_sort' | 'pick' | 'edit' | 'deny';

const answerOf = (
  context: CommandContext,
  run: Run,
  id: string | undefined,
  how: Answering,
  index: number | null = null,
): Answer | null => {
  const question = permissionQuestionOf(run);
  // guard: E10-tap-on-its-question
  if (!question || question.id !== id) return null;
  if (how === 'allow_sort' && !question.sort) return null;
  if (how === 'edit' && question.editable !== true) return null;
  const picked = how === 'pick' && index !== null ? question.alternatives?.[index] : undefined;
  if (how === 'pick' && !picked) return null;
  return {
    type: 'command.permission.answer',
    by: personOf(context),
    question: id,
    digest: question.digest,
    allows: how !== 'deny',
    ...(how === 'allow_sort' && question.sort ? { sort: question.sort } : {}),
    ...(picked ? { pick: picked.digest } : {}),
  };
};

const PERMISSION_CARD = runCardOn('attention');
type PermissionTap = RunTap<ViewOf<'attention'>>;

const questionIn = ({ show }: PermissionTap): string | undefined => show.question;

const giveAnswer = async (tap: PermissionTap, how: Answering): PendingTapAnswer => {
  const { c, run } = tap;
  const { permission } = c.words;
  const answer = answerOf(c, run, questionIn(tap), how, tap.index);
  if (!answer) return settleTap(c, permission.over, true);
  return submitTap(c, run, answer, {
    done: () => {
      if (!answer.allows) return permission.denied;
      const picked = permissionQuestionOf(run)?.alternatives?.find(({ digest }) => digest === answer.pick);
      if (picked) return permission.picked(cutText(picked.proposer, 60));
      return answer.sort ? permission.allowedSort(answer.sort.words) : permission.allowed;
    },
  });
};

const askBelow = async (
  tap: PermissionTap,
  how: Answering,
  kind: 'permission' | 'permission-edit',
): PendingTapAnswer => {
  const { c, run } = tap;
  const answer = answerOf(c, run, questionIn(tap), how);
  if (!answer) return settleTap(c, c.words.permission.over, true);
  return settleTap(
    c,
    c.words.denials.askBelow,
    false,
    formQuestionReply(c, { kind, run, about: answer.question }),
  );
};

/** Allowing requires an approver, because the agent's command is then run. */
export const ALLOWING_ROLE = roleNeededFor('approve');
export const DENYING_ROLE = roleNeededFor('deny');

export const PERMISSION_BUTTONS = [
  defineButton(PERMISSION_CARD, {
    verb: 'permission.allow',
    role: ALLOWING_ROLE,
    onTap: (tap): PendingTapAnswer => giveAnswer(tap, 'allow'),
  }),
  defineButton(PERMISSION_CARD, {
    verb: 'permission.allow_sort',
    role: ALLOWING_ROLE,
    onTap: (tap): PendingTapAnswer => giveAnswer(tap, 'allow_sort'),
  }),
  defineButton(PERMISSION_CARD, {
    verb: 'permission.pick',
    role: ALLOWING_ROLE,
    picks: true,
    onTap: (tap): PendingTapAnswer => giveAnswer(tap, 'pick'),
  }),
  defineButton(PERMISSION_CARD, {
    verb: 'permission.edit',
    role: ALLOWING_ROLE,
    onTap: (tap): PendingTapAnswer => askBelow(tap, 'edit', 'permission-edit'),
  }),
  defineButton(PERMISSION_CARD, {
    verb: 'permission.deny',
    role: DENYING_ROLE,
    onTap: (tap): PendingTapAnswer => giveAnswer(tap, 'deny'),
  }),
  defineButton(PERMISSION_CARD, {
    verb: 'permission.deny_in_words',
    role: DENYING_ROLE,
    onTap: (tap): PendingTapAnswer => askBelow(tap, 'deny', 'permission'),
  }),
];

/** P4: a replacement command is judged by the same policies and allowed once. */
const answerWithReplacement = async (
  context: CommandContext,
  run: Run,
  answer: Answer,
  command: string,
): Promise<void> => {
  const { permission } = context.words;
  const tool = permissionQuestionOf(run)?.tool ?? '';
  const { verdict, input, digest } = context.engines.assessReplacement(run, tool, command);
  if (verdict.kind === 'unreadable')
    return settleUpdate(
      context,
      'too long',
      plainReply(permission.editLong(MAX_SHOWN_COMMAND_LENGTH), run.id),
    );
  if (verdict.kind === 'deny') {
    const why = verdict.objections.map((o) => codeLine(context.words.judgement(o.reason), 160));
    return settleUpdate(
      context,
      'denied',
      answerWith([escapeSentence(permission.editDenied), ...why].join('\n'), [], run.id),
    );
  }
  const objections = verdict.kind === 'ask' ? verdict.objections : [];
  const shown = `${escapeSentence(permission.edited)}\n<pre>${showCut(command, MAX_SHOWN_COMMAND_LENGTH).html}</pre>`;
  await offerInput(context, run.id, { ...answer, instead: { input, digest, objections } }, (step) => [
    step.kind === 'moved'
      ? answerWith(shown, [], run.id)
      : plainReply(describeRefusedStep(context, step), run.id),
  ]);
};

export const answerPermissionInWords = async (
  context: CommandContext,
  { kind, run, about }: AnswerForm,
  words: string,
): Promise<void> => {
  const how = kind === 'permission-edit' ? 'edit' : 'deny';
  const needed = how === 'edit' ? ALLOWING_ROLE : DENYING_ROLE;
  if (!hasRoleAtLeast(context.role, needed))
    return refuseUpdate(context, 'role', plainReply(context.words.roles.needs(needed), run.id));
  if (how === 'deny' && words.length > MAX_ARGUMENT_LENGTHS.reason) {
    const problem = { kind: 'long', what: 'reason', most: MAX_ARGUMENT_LENGTHS.reason } as const;
    return settleUpdate(context, 'too long', plainReply(sayRecord(context.words.problems, problem), run.id));
  }
  const answer = answerOf(context, run, about, how);
  if (!answer) return settleUpdate(context, 'over', plainReply(context.words.permission.over, run.id));
  if (how === 'edit') return answerWithReplacement(context, run, answer, words);
  await offerInput(context, run.id, { ...answer, note: words }, (step) => [
    plainReply(
      step.kind === 'moved' ? context.words.permission.denied : describeRefusedStep(context, step),
      run.id,
    ),
  ]);
};
