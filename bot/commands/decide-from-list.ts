/** Decides what waits from a list: low-risk changes, alike questions, and one card after another. */
import type { Input } from '#inputs';
import type { QuestionMember, QuestionsView } from '#effects';
import { permissionQuestionOf, type Run } from '#run';
import { readChangeLikeness } from '../change-likeness.ts';
import { isDecidableFromList, findPermissionQuestionKey, listWaitingRuns } from '../views/waiting-list.ts';
import { personOf, plainReply, settleUpdate, viewReply, type CommandContext } from './command-context.ts';
import { cardOn, defineButton, type Tap, type ViewOf } from './define-button.ts';
import { ALLOWING_ROLE, DENYING_ROLE } from './answer-permission.ts';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';
import { showRun } from './show-commands.ts';

const MAX_LISTED_CHANGES = 8;
const MAX_QUESTIONS_TOGETHER = 50;
const MAX_LIVE_RUNS = 1_000;

const liveRuns = (context: CommandContext): Promise<Run[]> =>
  context.ledger.query.runs({ live: true, limit: MAX_LIVE_RUNS });

const waitingRuns = async (context: CommandContext): Promise<Run[]> =>
  listWaitingRuns(await liveRuns(context), context.words).map(({ run }) => run);

/** G2: each member is signed by itself, over the digest that it has now. */
export const showLowRisk = async (context: CommandContext): Promise<void> => {
  const candidates = (await waitingRuns(context)).filter(isDecidableFromList);
  const members = [];
  let kind: 'push' | 'open_pr' | null = null;
  for (const run of candidates) {
    const { approval } = run.gate;
    if (!approval || approval.kind === 'reply' || (kind !== null && approval.kind !== kind)) continue;
    const like = await readChangeLikeness(context.readers.patch, run, []);
    // guard: G6-listed-low
    if (like === null) continue;
    kind = approval.kind;
    members.push({ run: run.id, approval: approval.id, digest: approval.digest, around: '' });
    if (members.length === MAX_LISTED_CHANGES) break;
  }
  if (kind === null) return settleUpdate(context, 'none', plainReply(context.words.fleet.noLow));
  const view = { view: 'cluster', campaign: '', mixed: true, kind, members, apart: 0 } as const;
  const drawn = { ...view, left: members.length, armedBy: null, armedUntil: null };
  return settleUpdate(context, 'low risk', viewReply(drawn, null, `low-risk:${context.row.id}`));
};

export const showAlikeQuestions = async (context: CommandContext, key: string): Promise<void> => {
  const members = (await waitingRuns(context)).flatMap((run): QuestionMember[] => {
    const question = permissionQuestionOf(run);
    return question && findPermissionQuestionKey(run) === key
      ? [{ run: run.id, question: question.id, digest: question.digest }]
      : [];
  });
  if (members.length === 0) return settleUpdate(context, 'over', plainReply(context.words.permission.over));
  const view: QuestionsView = { view: 'questions', members: members.slice(0, MAX_QUESTIONS_TOGETHER) };
  return settleUpdate(context, 'questions', viewReply(view, null, `questions:${context.row.id}`));
};

/** E10: every member gets an answer of its own, which a run refuses that asks something else by now. */
const answerEach = async (
  { c, row, show: { members } }: Tap<ViewOf<'questions'>>,
  { allows }: { allows: boolean },
): PendingTapAnswer => {
  const { permission, tap } = c.words;
  if (row.slot === null || (await c.ledger.query.told(row.slot))?.n !== row.n)
    return settleTap(c, tap.stale, true);
  let answered = 0;
  for (const { run: id, question: asked, digest } of members) {
    const by = personOf(c);
    const input: Input = { type: 'command.permission.answer', by, question: asked, digest, allows };
    const cause = { kind: 'inbox', id: c.row.id, goesOn: true } as const;
    const outcome = await c.submit({ runId: id, input, key: `chat:${c.row.key}`, cause });
    if (outcome.kind === 'written' || outcome.kind === 'duplicate') answered += 1;
  }
  const left = members.length - answered;
  const drawn = viewReply({ view: 'questions', members, answered }, null, row.slot);
  return settleTap(c, permission.answeredEach(answered, left), left > 0, drawn);
};

export const QUESTIONS_BUTTONS = [
  defineButton(cardOn('questions'), {
    verb: 'permission.allow_each',
    role: ALLOWING_ROLE,
    onTap: (tap): PendingTapAnswer => answerEach(tap, { allows: true }),
  }),
  defineButton(cardOn('questions'), {
    verb: 'permission.deny_each',
    role: DENYING_ROLE,
    onTap: (tap): PendingTapAnswer => answerEach(tap, { allows: false }),
  }),
];

export const showNext = async (context: CommandContext, after: Run): PendingTapAnswer => {
  const [next] = (await waitingRuns(context)).filter(({ id }) => id !== after.id);
  if (!next) return settleTap(context, context.words.fleet.noNext, false);
  await showRun(context, next);
  return { text: context.words.tap.shown, alert: false };
};
