/** E10: a person's word on what an agent asks: a tap on its card, or words in answer to our question. */
import { neededFor } from '../../orchestrator/commands/read.ts';
import { LONGEST } from '../../orchestrator/commands/problems.ts';
import type { View } from '../../orchestrator/core/machine/effects.ts';
import type { Input } from '../../orchestrator/core/machine/inputs.ts';
import { questionOf } from '../../orchestrator/core/machine/permissions.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { atLeast, type Role } from '../../orchestrator/core/roles.ts';
import { say } from '../text/catalogue.ts';
import { sentence } from '../text/text.ts';
import { name, type Verb } from '../views/scene.ts';
import { person } from './acting.ts';
import { deliveredAs } from './cards.ts';
import { offer, plain, refuse, settle, type Answers, type Context } from './context.ts';
import { notTaken, submitted, tell, type Said } from './popup.ts';

const ASKED = 'permission';

type Answer = Extract<Input, { type: 'command.permission.answer' }>;
/** Null where just this question is not open any more. */
const answerOf = (c: Context, run: Run, id: string | undefined, verb: Answering): Answer | null => {
  const question = questionOf(run);
  // guard: E10-tap-on-its-question
  if (!question || question.id !== id) return null;
  if (verb === 'permitall' && !question.sort) return null;
  return {
    ...{ type: 'command.permission.answer', by: person(c), question: id },
    ...{ digest: question.digest, allows: verb === 'permit' || verb === 'permitall' },
    ...(verb === 'permitall' && question.sort ? { sort: question.sort } : {}),
  };
};

/** What it allows is run: an approver's word. A no is anybody's who may deny. */
export const ANSWERS_NEED = {
  permit: neededFor('approve'),
  permitall: neededFor('approve'),
  forbid: neededFor('deny'),
  forbidas: neededFor('deny'),
} satisfies Partial<Record<Verb, Role>>;
type Answering = keyof typeof ANSWERS_NEED;
export const isAnswering = (verb: Verb): verb is Answering => Object.hasOwn(ANSWERS_NEED, verb);

/** The question is the one that the tapped message showed. */
export const onPermission = async (c: Context, verb: Answering, run: Run, show: View): Said => {
  const { permission, denials } = c.words;
  const id = show.view === 'attention' ? show.question : undefined;
  const answer = answerOf(c, run, id, verb);
  if (!answer) return tell(c, permission.over, true);
  if (verb === 'forbidas') {
    const question: Answers = {
      slot: `${ASKED}:${c.row.id}:${answer.question}`,
      show: { view: 'reply', html: `${sentence(permission.ask)}\n${name(run)}`, buttons: [], asks: true },
      ...{ urgent: true, sound: false, runId: run.id },
    };
    return tell(c, denials.askBelow, false, question);
  }
  return submitted(c, run, answer, {
    done: () => {
      if (!answer.allows) return permission.denied;
      return answer.sort ? permission.allowedSort(answer.sort.words) : permission.allowed;
    },
  });
};

type AskedFor = { run: Run; question: string };

/** The question whose refusal a message of ours asked the words of; null when it asked for none. */
export const refusalAsked = async (
  c: Context,
  runs: readonly Run[],
  messageId: string,
): Promise<AskedFor | null> => {
  for (const run of runs) {
    for (const row of await c.ledger.query.effects({ runId: run.id, kind: 'tell', state: 'done' })) {
      const [asked, , ...id] = row.slot?.split(':') ?? [];
      const sent = asked === ASKED ? deliveredAs(row) : null;
      if (sent?.chat === c.chat && sent.messageId === messageId) return { run, question: id.join(':') };
    }
  }
  return null;
};

export const refuseInWords = async (c: Context, asked: AskedFor, words: string): Promise<void> => {
  const { run } = asked;
  const needed = neededFor('deny');
  if (!atLeast(c.role, needed)) return refuse(c, 'role', plain(c.words.roles.needs(needed), run.id));
  if (words.length > LONGEST.reason) {
    const problem = { kind: 'long', what: 'reason', most: LONGEST.reason } as const;
    return settle(c, 'too long', plain(say(c.words.problems, problem), run.id));
  }
  const answer = answerOf(c, run, asked.question, 'forbidas');
  if (!answer) return settle(c, 'over', plain(c.words.permission.over, run.id));
  await offer(c, run.id, { ...answer, note: words }, (step) => [
    plain(step.kind === 'moved' ? c.words.permission.denied : notTaken(c, step), run.id),
  ]);
};
