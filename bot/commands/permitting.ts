/** E10: a person's word on what an agent asks: a tap on its card, or words in answer to our question. */
import { neededFor } from '../../orchestrator/commands/read.ts';
import { LONGEST } from '../../orchestrator/commands/problems.ts';
import type { View } from '../../orchestrator/core/machine/effects.ts';
import type { Input } from '../../orchestrator/core/machine/inputs.ts';
import { questionOf } from '../../orchestrator/core/machine/permissions.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { MOST_SHOWN } from '../../orchestrator/core/govern/permission.ts';
import { atLeast, type Role } from '../../orchestrator/core/roles.ts';
import { say } from '../text/catalogue.ts';
import { said, sentence, showCut } from '../text/text.ts';
import type { Verb } from '../views/scene.ts';
import { person } from './acting.ts';
import { answer as answerWith, offer, plain, refuse, settle, type Context } from './context.ts';
import { askFor, type Form } from './forms.ts';
import { notTaken, submitted, tell, type Said } from './popup.ts';

type Answer = Extract<Input, { type: 'command.permission.answer' }>;
/** Null where just this question is not open any more. */
const answerOf = (c: Context, run: Run, id: string | undefined, verb: Answering): Answer | null => {
  const question = questionOf(run);
  // guard: E10-tap-on-its-question
  if (!question || question.id !== id) return null;
  if (verb === 'permitall' && !question.sort) return null;
  if (verb === 'permitas' && question.editable !== true) return null;
  return {
    type: 'command.permission.answer',
    by: person(c),
    question: id,
    digest: question.digest,
    allows: ALLOWS.includes(verb),
    ...(verb === 'permitall' && question.sort ? { sort: question.sort } : {}),
  };
};

/** What it allows is run: an approver's word. A no is anybody's who may deny. */
export const ANSWERS_NEED = {
  permit: neededFor('approve'),
  permitall: neededFor('approve'),
  permitas: neededFor('approve'),
  forbid: neededFor('deny'),
  forbidas: neededFor('deny'),
} satisfies Partial<Record<Verb, Role>>;
type Answering = keyof typeof ANSWERS_NEED;
const ALLOWS: readonly Answering[] = ['permit', 'permitall', 'permitas'];
export const isAnswering = (verb: Verb): verb is Answering => Object.hasOwn(ANSWERS_NEED, verb);

/** The question is the one that the tapped message showed. */
export const onPermission = async (c: Context, verb: Answering, run: Run, show: View): Said => {
  const { permission, denials } = c.words;
  const id = show.view === 'attention' ? show.question : undefined;
  const answer = answerOf(c, run, id, verb);
  if (!answer) return tell(c, permission.over, true);
  if (verb === 'forbidas' || verb === 'permitas') {
    const kind = verb === 'permitas' ? 'permission-edit' : 'permission';
    return tell(c, denials.askBelow, false, askFor(c, { kind, run, about: answer.question }));
  }
  return submitted(c, run, answer, {
    done: () => {
      if (!answer.allows) return permission.denied;
      return answer.sort ? permission.allowedSort(answer.sort.words) : permission.allowed;
    },
  });
};

/** P4: the command that somebody would run instead is judged as the agent's was, and allowed once. */
const edit = async (c: Context, run: Run, answer: Answer, command: string): Promise<void> => {
  const { permission } = c.words;
  const tool = questionOf(run)?.tool ?? '';
  const { verdict, input, digest } = c.judgeEdit(run, tool, command);
  if (verdict.kind === 'unreadable')
    return settle(c, 'too long', plain(permission.editLong(MOST_SHOWN), run.id));
  if (verdict.kind === 'deny') {
    const why = verdict.objections.map((o) => said(c.words.judgement(o.reason), 160));
    return settle(c, 'denied', answerWith([sentence(permission.editDenied), ...why].join('\n'), [], run.id));
  }
  const objections = verdict.kind === 'ask' ? verdict.objections : [];
  const shown = `${sentence(permission.edited)}\n<pre>${showCut(command, MOST_SHOWN).html}</pre>`;
  await offer(c, run.id, { ...answer, instead: { input, digest, objections } }, (step) => [
    step.kind === 'moved' ? answerWith(shown, [], run.id) : plain(notTaken(c, step), run.id),
  ]);
};

export const answerInWords = async (c: Context, { kind, run, about }: Form, words: string): Promise<void> => {
  const verb = kind === 'permission-edit' ? 'permitas' : 'forbidas';
  const needed = ANSWERS_NEED[verb];
  if (!atLeast(c.role, needed)) return refuse(c, 'role', plain(c.words.roles.needs(needed), run.id));
  if (verb === 'forbidas' && words.length > LONGEST.reason) {
    const problem = { kind: 'long', what: 'reason', most: LONGEST.reason } as const;
    return settle(c, 'too long', plain(say(c.words.problems, problem), run.id));
  }
  const answer = answerOf(c, run, about, verb);
  if (!answer) return settle(c, 'over', plain(c.words.permission.over, run.id));
  if (verb === 'permitas') return edit(c, run, answer, words);
  await offer(c, run.id, { ...answer, note: words }, (step) => [
    plain(step.kind === 'moved' ? c.words.permission.denied : notTaken(c, step), run.id),
  ]);
};
