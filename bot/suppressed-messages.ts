/** Decides which gate cards are not sent because a cluster card shows them. */
import { gateSlot } from '#kernel';
import type { Run } from '#run';
import { hasSingleCard } from '#clusters';
import type { ClaimedEffect } from '#ports/steps';
import type { LedgerQueries } from '#ports/ledger';

type Tell = Extract<ClaimedEffect['do'], { kind: 'chat_message' }>;

/** A campaign's card is suppressed until it is alone or somebody asks for it by itself. */
export const isSuppressedMessage = async (
  query: Pick<LedgerQueries, 'approval' | 'sent' | 'effects'>,
  { content: show, slot }: Pick<Tell, 'content' | 'slot'>,
  run: Run | null,
): Promise<boolean> => {
  if (show.view !== 'gate' || run?.order.campaign === undefined || slot !== gateSlot(show.approvalId))
    return false;
  const approval = await query.approval(show.approvalId);
  if (
    !approval ||
    approval.kind === 'reply' ||
    (approval.state === 'open' && run.upstream.pullRequest !== null)
  )
    return false;
  return (await query.sent(slot)) === null && !(await hasSingleCard(query, run.id, show.approvalId));
};
