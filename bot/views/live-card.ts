/** Tells whether a card can still be decided, and whether its Confirm is armed (C2). */
import type { MessageView } from '#effects';
import { digestFor, type Run } from '#run';
import type { ApprovalRow } from '#ports/ledger';

export type GateView = Extract<MessageView, { view: 'gate' }>;

export const isCardLive = (run: Run, approval: ApprovalRow, now: number): boolean =>
  approval.state === 'open' &&
  run.gate.approval?.id === approval.id &&
  digestFor(run, approval.kind) === approval.digest &&
  now < approval.expiresAt;

/** L5: the log says that the card is open, and its row in the database says something else. */
export const isRecordChanged = ({ gate: { approval: live } }: Run, approval: ApprovalRow): boolean =>
  live?.id === approval.id &&
  (approval.state !== 'open' || approval.digest !== live.digest || approval.expiresAt !== live.expiresAt);

export const isCardArmed = (view: GateView, now: number): boolean =>
  view.armedBy !== null && view.armedUntil !== null && now < view.armedUntil;
