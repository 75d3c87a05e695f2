/** E10: handles answers to an agent's permission question, tapped or typed. */
import { neededFor } from '#commands';
import { MAX_ARGUMENT_LENGTHS } from '#model/chat';
import { atLeast } from '#model/settings';
import { cutText } from '#model/values';
import type { Input } from '#inputs';
import { questionOf, type Run } from '#run';
import { MAX_SHOWN_COMMAND_LENGTH } from '#governor';
import { sayRecord } from '../text/catalogue.ts';
import { codeLine, escapedSentence, showCut } from '../text/telegram-html.ts';
import { personOf } from './steer-run.ts';
import {
  htmlReply as answerWith,
  offerInput,
  plainReply,
  refuseUpdate,
  settleUpdate,
  type CommandContext,
} from './command-context.ts';
import { defineButton, runCardOn, type RunTap, type ViewOf } from './define-button.ts';
import { askFor, type AnswerForm } from './answer-forms.ts';
import { describeRefusedStep, submitTap } from './submit-tap.ts';
import { answerTap, type PendingTapAnswer } from './answer-tap.ts';

type Answer = Extract<Input, { type: 'command.permission.answer' }>;
type Answering = 'allow' | 'allow_sort' | 'pick' | 'edit' | 'deny';

const answerOf = (
  c: CommandContext,
  run: Run,
  id: string | undefined,
  how: Answering,
  index: number | null = null,
): Answer | null => {
  const question = questionOf(run);
  // guard: E10-tap-on-its-question
  if (!question || question.id !== id) return null;
  if (how === 'allow_sort' && !question.sort) return null;
  if (how === 'edit' && question.editable !== true) return null;
  const picked = how === 'pick' && index !== null ? question.alternatives?.[index] : undefined;
  if (how === 'pick' && !picked) return null;
  return {
    type: 'command.permission.answer',
    by: personOf(c),
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
  if (!answer) return answerTap(c, permission.over, true);
  return submitTap(c, run, answer, {
    done: () => {
      if (!answer.allows) return permission.denied;
      const picked = questionOf(run)?.alternatives?.find(({ digest }) => digest === answer.pick);
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
  if (!answer) return answerTap(c, c.words.permission.over, true);
  return answerTap(c, c.words.denials.askBelow, false, askFor(c, { kind, run, about: answer.question }));
};

/** Allowing requires an approver, because the agent's command is then run. */
export const ALLOWING_ROLE = neededFor('approve');
export const DENYING_ROLE = neededFor('deny');

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
const edit = async (c: CommandContext, run: Run, answer: Answer, command: string): Promise<void> => {
  const { permission } = c.words;
  const tool = questionOf(run)?.tool ?? '';
  const { verdict, input, digest } = c.engines.assessReplacement(run, tool, command);
  if (verdict.kind === 'unreadable')
    return settleUpdate(c, 'too long', plainReply(permission.editLong(MAX_SHOWN_COMMAND_LENGTH), run.id));
  if (verdict.kind === 'deny') {
    const why = verdict.objections.map((o) => codeLine(c.words.judgement(o.reason), 160));
    return settleUpdate(
      c,
      'denied',
      answerWith([escapedSentence(permission.editDenied), ...why].join('\n'), [], run.id),
    );
  }
  const objections = verdict.kind === 'ask' ? verdict.objections : [];
  const shown = `${escapedSentence(permission.edited)}\n<pre>${showCut(command, MAX_SHOWN_COMMAND_LENGTH).html}</pre>`;
  await offerInput(c, run.id, { ...answer, instead: { input, digest, objections } }, (step) => [
    step.kind === 'moved' ? answerWith(shown, [], run.id) : plainReply(describeRefusedStep(c, step), run.id),
  ]);
};

export const answerInWords = async (
  c: CommandContext,
  { kind, run, about }: AnswerForm,
  words: string,
): Promise<void> => {
  const how = kind === 'permission-edit' ? 'edit' : 'deny';
  const needed = how === 'edit' ? ALLOWING_ROLE : DENYING_ROLE;
  if (!atLeast(c.role, needed))
    return refuseUpdate(c, 'role', plainReply(c.words.roles.needs(needed), run.id));
  if (how === 'deny' && words.length > MAX_ARGUMENT_LENGTHS.reason) {
    const problem = { kind: 'long', what: 'reason', most: MAX_ARGUMENT_LENGTHS.reason } as const;
    return settleUpdate(c, 'too long', plainReply(sayRecord(c.words.problems, problem), run.id));
  }
  const answer = answerOf(c, run, about, how);
  if (!answer) return settleUpdate(c, 'over', plainReply(c.words.permission.over, run.id));
  if (how === 'edit') return edit(c, run, answer, words);
  await offerInput(c, run.id, { ...answer, note: words }, (step) => [
    plainReply(step.kind === 'moved' ? c.words.permission.denied : describeRefusedStep(c, step), run.id),
  ]);
};
