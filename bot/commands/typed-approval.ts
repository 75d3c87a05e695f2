/** Handles typed approvals, which sign only a card that was shown before (G4). */
import type { Input } from '#inputs';
import { toNoCardRefusal, type Run, runLabel } from '#run';
import {
  type CommandContext,
  type CommandReply,
  settleUpdate,
  cardCopy,
  plainReply,
  personOf,
  publicNameField,
  offerInput,
} from './command-context.ts';
import { refusalReply } from './refused-step-reply.ts';
import {
  riskSlot,
  riskHtml,
  findSentCards,
  findClosingReason,
  findLapsedSigners,
  mustReadRiskFirst,
} from './verify-card.ts';

export const riskReply = async (
  context: CommandContext,
  run: Run,
  { atCard = true }: { atCard?: boolean } = {},
): Promise<CommandReply> => ({
  slot: atCard ? riskSlot(run, context.user) : null,
  show: {
    view: 'reply',
    html: riskHtml(run, await context.readers.patch(run.id), context.words),
    buttons: [],
  },
  urgent: true,
  sound: false,
  runId: run.id,
});

/** G4: signs only when this chat's card is older than the command; otherwise shows the card. */
export const approveCard = async (
  context: CommandContext,
  run: Run,
  confirm: boolean,
  messageId: string,
): Promise<void> => {
  const { replies } = context.words;
  const {
    gate: { approval },
  } = run;
  if (!approval)
    return settleUpdate(
      context,
      'no card',
      refusalReply(context, { kind: 'refused', reason: toNoCardRefusal(run) }, run.id),
    );
  const card = cardCopy(context, run.id, approval.id);
  if (approval.kind !== 'open_pr')
    return settleUpdate(
      context,
      'another card',
      plainReply(replies.notForOpening[approval.kind], run.id),
      card,
    );
  if (!confirm) return settleUpdate(context, 'card', card);
  const seen = (await findSentCards(context.ledger.query, run.id, approval.id, context.chat)).some((m) =>
    context.adapter.isEarlier(m.messageId, messageId),
  );
  // guard: G4-card-shown
  if (!seen) return settleUpdate(context, 'not shown yet', plainReply(replies.lookFirst, run.id), card);
  const row = await context.ledger.query.approval(approval.id);
  const closed = row
    ? findClosingReason(run, row, context.clock.now(), context.words)
    : context.words.tap.gone;
  if (closed !== null) return settleUpdate(context, 'closed', plainReply(closed, run.id));
  const without = await findLapsedSigners(context.people.roles, run);
  if (without.length > 0)
    return settleUpdate(
      context,
      'lapsed',
      plainReply(context.words.tap.lapsed(without.join(', '), run.id), run.id),
    );
  if (await mustReadRiskFirst(context.ledger.query, run, context.user)) {
    return settleUpdate(
      context,
      'not read yet',
      plainReply(replies.riskFirst, run.id),
      await riskReply(context, run),
    );
  }
  const input: Input = {
    type: 'command.pr.approve',
    by: personOf(context),
    approvalId: approval.id,
    digest: approval.digest,
    role: context.role,
    ...publicNameField(context),
  };
  await offerInput(context, run.id, input, (step) => {
    if (step.kind !== 'moved') return [refusalReply(context, step, run.id)];
    return [plainReply((step.run.gate.approval ? replies.signed : replies.approved)(runLabel(run)), run.id)];
  });
};
