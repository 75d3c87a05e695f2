/** E10: handles answers to an agent's permission question, tapped or typed. */
import { neededFor } from '#commands';
import { MAX_ARGUMENT_LENGTHS } from '../../orchestrator/model/command-problems.ts';
import type { MessageView } from '../../orchestrator/kernel/run/effect-types.ts';
import type { Input } from '../../orchestrator/kernel/run/inputs.ts';
import { questionOf } from '../../orchestrator/kernel/run/permissions.ts';
import type { Run } from '../../orchestrator/kernel/run/run.ts';
import { MAX_SHOWN_COMMAND_LENGTH } from '#governor';
import { atLeast, type UserRole } from '../../orchestrator/model/roles.ts';
import { sayRecord } from '../text/catalogue.ts';
import { cutText } from '../../orchestrator/model/text-format.ts';
import { codeLine, escapedSentence, showCut } from '../text/telegram-html.ts';
import type { ButtonVerb } from '../views/scene.ts';
import { personOf } from './steer-run.ts';
import {
  htmlReply as answerWith,
  offerInput,
  plainReply,
  refuseUpdate,
  settleUpdate,
  type CommandContext,
} from './command-context.ts';
import { askFor, type AnswerForm } from './answer-forms.ts';
import { describeRefusedStep, submitTap } from './submit-tap.ts';
import { answerTap, type PendingTapAnswer } from './answer-tap.ts';

type Answer = Extract<Input, { type: 'command.permission.answer' }>;
const answerOf = (
  c: CommandContext,
  run: Run,
  id: string | undefined,
  verb: Answering,
  index: number | null = null,
): Answer | null => {
  const question = questionOf(run);
  // guard: E10-tap-on-its-question
  if (!question || question.id !== id) return null;
  if (verb === 'permitall' && !question.sort) return null;
  if (verb === 'permitas' && question.editable !== true) return null;
  const picked = verb === 'permitother' && index !== null ? question.alternatives?.[index] : undefined;
  if (verb === 'permitother' && !picked) return null;
  return {
    type: 'command.permission.answer',
    by: personOf(c),
    question: id,
    digest: question.digest,
    allows: ALLOWS.includes(verb),
    ...(verb === 'permitall' && question.sort ? { sort: question.sort } : {}),
    ...(picked ? { pick: picked.digest } : {}),
  };
};

/** Allowing requires an approver, because the agent's command is then run. */
export const ANSWERS_NEED = {
  permit: neededFor('approve'),
  permitall: neededFor('approve'),
  permitas: neededFor('approve'),
  permitother: neededFor('approve'),
  forbid: neededFor('deny'),
  forbidas: neededFor('deny'),
} satisfies Partial<Record<ButtonVerb, UserRole>>;
type Answering = keyof typeof ANSWERS_NEED;
const ALLOWS: readonly Answering[] = ['permit', 'permitall', 'permitas', 'permitother'];
export const isAnswering = (verb: ButtonVerb): verb is Answering => Object.hasOwn(ANSWERS_NEED, verb);

export const onPermission = async (
  c: CommandContext,
  verb: Answering,
  run: Run,
  show: MessageView,
  index: number | null,
): PendingTapAnswer => {
  const { permission, denials } = c.words;
  const id = show.view === 'attention' ? show.question : undefined;
  const answer = answerOf(c, run, id, verb, index);
  if (!answer) return answerTap(c, permission.over, true);
  if (verb === 'forbidas' || verb === 'permitas') {
    const kind = verb === 'permitas' ? 'permission-edit' : 'permission';
    return answerTap(c, denials.askBelow, false, askFor(c, { kind, run, about: answer.question }));
  }
  return submitTap(c, run, answer, {
    done: () => {
      if (!answer.allows) return permission.denied;
      const picked = questionOf(run)?.alternatives?.find(({ digest }) => digest === answer.pick);
      if (picked) return permission.picked(cutText(picked.proposer, 60));
      return answer.sort ? permission.allowedSort(answer.sort.words) : permission.allowed;
    },
  });
};

/** P4: a replacement command is judged by the same policies and allowed once. */
const edit = async (c: CommandContext, run: Run, answer: Answer, command: string): Promise<void> => {
  const { permission } = c.words;
  const tool = questionOf(run)?.tool ?? '';
  const { verdict, input, digest } = c.assessReplacement(run, tool, command);
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
  const verb = kind === 'permission-edit' ? 'permitas' : 'forbidas';
  const needed = ANSWERS_NEED[verb];
  if (!atLeast(c.role, needed))
    return refuseUpdate(c, 'role', plainReply(c.words.roles.needs(needed), run.id));
  if (verb === 'forbidas' && words.length > MAX_ARGUMENT_LENGTHS.reason) {
    const problem = { kind: 'long', what: 'reason', most: MAX_ARGUMENT_LENGTHS.reason } as const;
    return settleUpdate(c, 'too long', plainReply(sayRecord(c.words.problems, problem), run.id));
  }
  const answer = answerOf(c, run, about, verb);
  if (!answer) return settleUpdate(c, 'over', plainReply(c.words.permission.over, run.id));
  if (verb === 'permitas') return edit(c, run, answer, words);
  await offerInput(c, run.id, { ...answer, note: words }, (step) => [
    plainReply(step.kind === 'moved' ? c.words.permission.denied : describeRefusedStep(c, step), run.id),
  ]);
};
