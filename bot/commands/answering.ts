/** C4: what is written in answer to a card. It changes nothing by itself: it is read back, and a tap makes it the reason of a denial. */
import type { Run } from '../../orchestrator/core/run.ts';
import { atLeast } from '../roles.ts';
import type { Denial } from '../views/denial.ts';
import { person } from './acting.ts';
import { cardsIn, closedBecause } from './cards.ts';
import { plain, settle, showing, type Context } from './context.ts';
import { submitted, tell, type Said } from './popup.ts';

/** More live runs than this have no cards that somebody still answers. */
const MOST = 200;
/** `command.deny`: the longest reason that the machine takes. */
const REASON = 2_000;

/** The run whose live card is the message that was answered; null when it is anything else. */
export const answered = async (c: Context, messageId: number): Promise<Run | null> => {
  for (const run of await c.ledger.query.runs({ live: true, limit: MOST })) {
    if (!run.approval) continue;
    const cards = await cardsIn(c.ledger.query, run.id, run.approval.id, c.chat);
    if (cards.some((card) => card.messageId === messageId)) return run;
  }
  return null;
};

export const askToDeny = async (c: Context, run: Run, text: string): Promise<void> => {
  if (!run.approval) return settle(c, 'free text');
  if (!atLeast(c.role, 'approver')) return settle(c, 'role', plain(c.words.roles.needs('approver'), run.id));
  const reason = text.trim();
  if (reason.length > REASON) return settle(c, 'too long', plain(c.words.problems.longReason, run.id));
  await settle(
    c,
    'answer to a card',
    showing({ view: 'denial', approvalId: run.approval.id, reason }, run.id),
  );
};

/** The words deny the card that they were written about, and no other. */
export const denySo = async (c: Context, run: Run, { approvalId, reason }: Denial): Said => {
  const { tap } = c.words;
  const row = await c.ledger.query.approval(approvalId);
  const closed = row ? closedBecause(run, row, c.clock.now(), c.words) : tap.gone;
  if (closed !== null) return tell(c, closed, true);
  const by = person(c);
  return submitted(
    c,
    run,
    { type: 'command.deny', by, reason, final: false, approvalId },
    { done: () => tap.denied },
  );
};
