/** Handles denials, which end the run, and requests for changes, which go to the agent (P4). */
import { DENIAL_REASONS, type DenialReason } from '#model/feedback';
import { isMereQuestion } from '#model/agent';
import type { InputOf } from '#inputs';
import type { Run } from '#run';
import { showInvisible } from '../../text-safety/index.ts';
import type { ApprovalRow } from '#ports/ledger';
import { CHANGE_WAYS, DENY_WAYS } from '../views/deny-buttons.ts';
import {
  personOf,
  offerInput,
  plainReply,
  settleUpdate,
  type CommandReply,
  type CommandContext,
} from './command-context.ts';
import { findClosingReason } from './verify-card.ts';
import type { AnswerForm } from './answer-forms.ts';
import { commandChoice, proposeCommands } from './command-buttons.ts';
import { submitTap } from './submit-tap.ts';
import { describeRefusedStep } from './refused-step-reply.ts';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';
import { refuseUnfitWords } from './refuse-unfit-words.ts';

type Denying = InputOf<'command.deny'>;

const toDenial = (context: CommandContext, approvalId: string, more: Partial<Denying>): Denying => ({
  type: 'command.deny',
  by: personOf(context),
  reason: '',
  final: false,
  approvalId,
  ...more,
});

const readDenialReason = (way: string): { denialReason?: DenialReason } => {
  const known = DENIAL_REASONS.find((one) => one === way);
  return known ? { denialReason: known } : {};
};

export const denyForReason = async (
  context: CommandContext,
  run: Run,
  approval: ApprovalRow,
  index: number | null,
  card: CommandReply,
): PendingTapAnswer => {
  const { tap } = context.words;
  const way = DENY_WAYS[index ?? -1];
  if (way === undefined) return settleTap(context, tap.gone, true, card);
  // A run with an open pull request must not end here: nobody would follow the pull request.
  const no = toDenial(context, approval.id, {
    ...readDenialReason(way),
    final: run.upstream.pullRequest === null,
  });
  return submitTap(context, run, no, { done: () => tap.denied, refused: [card] });
};

export const requestChangeForReason = async (
  context: CommandContext,
  run: Run,
  approval: ApprovalRow,
  index: number | null,
  card: CommandReply,
): PendingTapAnswer => {
  const way = CHANGE_WAYS[index ?? -1];
  if (way === undefined) return settleTap(context, context.words.tap.gone, true, card);
  const wish = toDenial(context, approval.id, { ...readDenialReason(way), retryNow: true });
  return submitTap(context, run, wish, { done: () => context.words.denials.asked, refused: [card] });
};

export const requestChangeInWords = async (
  context: CommandContext,
  { run, about }: AnswerForm,
  words: string,
): Promise<void> => {
  if (await refuseUnfitWords(context, run, words, { command: 'changes', what: 'instruction' })) return;
  const approval = await context.ledger.query.approval(about);
  const closed = approval
    ? findClosingReason(run, approval, context.clock.now(), context.words)
    : context.words.tap.gone;
  if (closed !== null) return settleUpdate(context, 'closed', plainReply(closed, run.id));
  // guard: E21-question-offered
  if (isMereQuestion(words) && run.agent.session !== null)
    return proposeCommands(context, [
      commandChoice('ask', { text: words.trim() }, [run]),
      commandChoice('changes', { instruction: words }, [run]),
    ]);
  const wish = toDenial(context, about, { reason: showInvisible(words), retryNow: true });
  const { asked, captionOnly } = context.words.denials;
  await offerInput(context, run.id, wish, (step) =>
    step.kind === 'moved'
      ? [{ ...plainReply(context.picture ? captionOnly : asked, run.id), sound: false, beforeCards: true }]
      : [plainReply(describeRefusedStep(context, step), run.id)],
  );
};
