/** Handles typed commands that change a run; each submits one input. */
import { isAgentWorking, STATE_TRAITS } from '#model/run';
import { toSteeringInput, type BudgetRaise, type ArgumentsOf, type SteeringName } from '#commands';
import { accountOf, attentionView } from '#kernel';
import type { Step } from '#effects';
import { hasForeignHead, runLabel, type Run } from '#run';
import {
  htmlReply,
  offerInput,
  plainReply,
  settleUpdate,
  viewReply,
  type CommandReply,
  type CommandContext,
  personOf,
} from './command-context.ts';
import { escapeSentence } from '../text/telegram-html.ts';
import { wordsTimeRow } from '../views/agent-words-lines.ts';
import { currentActivity } from '#views';
import { describeNewLimit } from '../views/reason-messages.ts';
import { refusalReply } from './refused-step-reply.ts';

/** Returns no reply when the new state sends its own message to this chat. */
const outcomeReplies = (context: CommandContext, step: Step): CommandReply[] => {
  if (step.kind !== 'moved') return [refusalReply(context, step)];
  const { run } = step;
  const loud = STATE_TRAITS[run.lifecycle.state].tells !== null;
  if (loud && run.order.chat === context.chat) return [];
  return [plainReply(context.words.replies.now(runLabel(run), currentActivity(run, context.words)), run.id)];
};

export const steerRun = async <K extends SteeringName>(
  context: CommandContext,
  run: Run,
  name: K,
  told: ArgumentsOf<K>,
  done: (step: Extract<Step, { kind: 'moved' }>) => CommandReply[] = (step) => outcomeReplies(context, step),
): Promise<void> => {
  await offerInput(context, run.id, toSteeringInput(name, personOf(context), told, run), (step) =>
    step.kind === 'moved' ? done(step) : [refusalReply(context, step, run.id)],
  );
};

const canStop = ({ lifecycle: { state, resumeState } }: Run): boolean => {
  const at = state === 'PAUSED' ? resumeState : state;
  return at !== null && isAgentWorking(at);
};

/** E21: a tap on a message that is only read stops nobody by itself. */
export const keepConfirmationReply = ({ words }: CommandContext, run: Run): CommandReply | null => {
  if (!canStop(run)) return null;
  const yes = { verb: 'keep.confirm' as const, text: words.buttons.keeps, runId: run.id };
  return htmlReply(escapeSentence(words.replies.keeps(runLabel(run))), [[yes]], run.id);
};

/** E21: asks whoever would end a run by dropping its work; where a pull request stays only if `always`. */
export const dropConfirmationReply = (
  { words }: CommandContext,
  run: Run,
  { always = false }: { always?: boolean } = {},
): CommandReply | null => {
  const ends = run.upstream.pullRequest === null;
  // guard: E21-asked-before-an-end
  if (!canStop(run) || !(ends || always)) return null;
  const { buttons, replies } = words;
  const yes = { verb: 'drop.confirm' as const, text: ends ? buttons.dropEnds : buttons.drops, runId: run.id };
  const says = (ends ? replies.dropEnds : replies.drops)(runLabel(run));
  return htmlReply(escapeSentence(says), [[yes]], run.id);
};

export const stopAndDropWork = async (
  context: CommandContext,
  run: Run,
  told: ArgumentsOf<'drop'>,
): Promise<void> => {
  const asks = told.confirm ? null : dropConfirmationReply(context, run);
  return asks ? settleUpdate(context, 'asked first', asks) : steerRun(context, run, 'drop', told);
};

export const replyToQueuedWords = ({ words }: CommandContext, run: Run): CommandReply =>
  htmlReply(
    escapeSentence(words.replies.told(runLabel(run))),
    [wordsTimeRow(words).map((button) => ({ ...button, runId: run.id }))],
    run.id,
  );

export const sayToAgent = (context: CommandContext, run: Run, told: ArgumentsOf<'tell'>): Promise<void> =>
  steerRun(context, run, 'tell', told, () => [replyToQueuedWords(context, run)]);

export const raiseBudget = (context: CommandContext, run: Run, raise: BudgetRaise): Promise<void> =>
  steerRun(context, run, 'budget', { raise }, ({ run: after }) => {
    return [
      plainReply(
        describeNewLimit(runLabel(run), raise.budget, accountOf(after, raise.budget).limit, context.words),
        run.id,
      ),
    ];
  });

/** P4: policies judge the new text before a card shows it. */
export const editPullText = (context: CommandContext, run: Run, told: ArgumentsOf<'edit'>): Promise<void> =>
  steerRun(context, run, 'edit', told, () => [plainReply(context.words.replies.edited, run.id)]);

/** S10: adopts exactly the named commit; without one, shows the message that names it. */
export const adoptTheirCommit = async (
  context: CommandContext,
  run: Run,
  told: ArgumentsOf<'take'>,
): Promise<void> =>
  told.sha === null && hasForeignHead(run)
    ? settleUpdate(context, 'their commit', viewReply(attentionView(run), run.id))
    : steerRun(context, run, 'take', told);
