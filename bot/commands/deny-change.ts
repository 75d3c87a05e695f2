/** P4: handles denials, which end the run, and requests for changes, which go to the agent. */
import { DENIAL_REASONS, type DenialReason } from '#model/feedback';
import { atLeast } from '#model/settings';
import { MAX_ARGUMENT_LENGTHS } from '#model/chat';
import type { InputOf } from '#inputs';
import type { Run } from '#run';
import { showInvisible } from '../../text-safety/index.ts';
import { neededFor } from '#commands';
import type { ApprovalRow } from '#ports/ledger';
import { sayRecord } from '../text/catalogue.ts';
import { CHANGE_WAYS, DENY_WAYS } from '../views/deny-buttons.ts';
import { personOf } from './steer-run.ts';
import { closedBecause } from './verify-card.ts';
import {
  offerInput,
  plainReply,
  refuseUpdate,
  settleUpdate,
  type CommandReply,
  type CommandContext,
} from './command-context.ts';
import type { AnswerForm } from './answer-forms.ts';
import { describeRefusedStep, submitTap } from './submit-tap.ts';
import { answerTap, type PendingTapAnswer } from './answer-tap.ts';

type Denying = InputOf<'command.deny'>;

const refusing = (c: CommandContext, approvalId: string, more: Partial<Denying>): Denying => ({
  type: 'command.deny',
  by: personOf(c),
  reason: '',
  final: false,
  approvalId,
  ...more,
});

const because = (way: string): { denialReason?: DenialReason } => {
  const known = DENIAL_REASONS.find((one) => one === way);
  return known ? { denialReason: known } : {};
};

export const denyAs = async (
  c: CommandContext,
  run: Run,
  approval: ApprovalRow,
  index: number | null,
  card: CommandReply,
): PendingTapAnswer => {
  const { tap } = c.words;
  const way = DENY_WAYS[index ?? -1];
  if (way === undefined) return answerTap(c, tap.gone, true, card);
  // A run with an open pull request must not end here: nobody would follow the pull request.
  const no = refusing(c, approval.id, { ...because(way), final: run.upstream.pullRequest === null });
  return submitTap(c, run, no, { done: () => tap.denied, refused: [card] });
};

export const changeAs = async (
  c: CommandContext,
  run: Run,
  approval: ApprovalRow,
  index: number | null,
  card: CommandReply,
): PendingTapAnswer => {
  const way = CHANGE_WAYS[index ?? -1];
  if (way === undefined) return answerTap(c, c.words.tap.gone, true, card);
  const wish = refusing(c, approval.id, { ...because(way), retryNow: true });
  return submitTap(c, run, wish, { done: () => c.words.denials.asked, refused: [card] });
};

export const changeInWords = async (
  c: CommandContext,
  { run, about }: AnswerForm,
  words: string,
): Promise<void> => {
  const needed = neededFor('changes');
  if (!atLeast(c.role, needed))
    return refuseUpdate(c, 'role', plainReply(c.words.roles.needs(needed), run.id));
  if (words.length > MAX_ARGUMENT_LENGTHS.instruction) {
    const problem = { kind: 'long', what: 'instruction', most: MAX_ARGUMENT_LENGTHS.instruction } as const;
    return settleUpdate(c, 'too long', plainReply(sayRecord(c.words.problems, problem), run.id));
  }
  const approval = await c.ledger.query.approval(about);
  const closed = approval ? closedBecause(run, approval, c.clock.now(), c.words) : c.words.tap.gone;
  if (closed !== null) return settleUpdate(c, 'closed', plainReply(closed, run.id));
  const wish = refusing(c, about, { reason: showInvisible(words), retryNow: true });
  const { asked, captionOnly } = c.words.denials;
  await offerInput(c, run.id, wish, (step) =>
    step.kind === 'moved'
      ? [{ ...plainReply(c.picture ? captionOnly : asked, run.id), sound: false, beforeCards: true }]
      : [plainReply(describeRefusedStep(c, step), run.id)],
  );
};
