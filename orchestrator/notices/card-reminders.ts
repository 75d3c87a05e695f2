/** Inbox notes that pin a waiting card and ask the next approver, each exactly once. */
import { z } from 'zod';
import { gateSlot } from '../kernel/lifecycle/step-draft.ts';
import type { SystemClock } from '#ports/processes';
import type { InboxRow, IncomingItem, ChatReply } from '#ports/steps';
import type { Ledger } from '#ports/ledger';

type Card = { runId: string; approvalId: string; chat: string };

export const pinCardInboxItem = (card: Card): IncomingItem => ({
  source: 'note',
  key: `pin:${card.approvalId}`,
  body: { type: 'pin', ...card },
});
export const nextApproverInboxItem = (card: Card): IncomingItem => ({
  source: 'note',
  key: `next:${card.approvalId}`,
  body: { type: 'next', ...card },
});

const Body = z.object({
  type: z.enum(['pin', 'next']),
  runId: z.string(),
  approvalId: z.string(),
  chat: z.string(),
});

export const notifyOfCard = async (ledger: Ledger, row: InboxRow, clock: SystemClock): Promise<void> => {
  const { type, runId, approvalId, chat } = Body.parse(row.body);
  const run = await ledger.query.run(runId);
  const show = { view: 'gate', approvalId, armedBy: null, armedUntil: null } as const;
  const replies: Record<typeof type, ChatReply> = {
    pin: { chat, slot: gateSlot(approvalId), show, urgent: false, sound: false, runId, pin: true },
    next: {
      chat,
      slot: `${gateSlot(approvalId)}:next`,
      urgent: true,
      sound: true,
      runId,
      show: { ...show, escalated: true },
    },
  };
  await ledger.settleInbox(
    row.id,
    { kind: 'done', note: type, replies: run?.gate.approval?.id === approvalId ? [replies[type]] : [] },
    clock.now(),
  );
};
