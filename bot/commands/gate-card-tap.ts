/** G4: what the buttons of an approval's card do: arm, confirm, put off, deny, ask for changes. */
import type { MessageView } from '../../orchestrator/kernel/run/effect-types.ts';
import type { Input } from '../../orchestrator/kernel/run/inputs.ts';
import type { Run } from '../../orchestrator/kernel/run/run.ts';
import type { EffectRow } from '../../orchestrator/kernel/ports/index.ts';
import { isArmed } from '../views/live-card.ts';
import { momentText } from '../text/telegram-html.ts';
import { personOf, publicNameOf, riskView } from './steer-run.ts';
import { changeAs, denyAs } from './deny-change.ts';
import { askFor } from './answer-forms.ts';
import { cardsIn, closedBecause, deliveredAs, lapsedSigners, mustReadFirst } from './verify-card.ts';
import { viewReply, type CommandReply, type CommandContext } from './command-context.ts';
import { submitTap } from './submit-tap.ts';
import { answerTap, type PendingTapAnswer } from './answer-tap.ts';
import { unreadAnswers } from './review-taps.ts';
import { MINUTE } from '../../orchestrator/model/units.ts';

/** Time that Confirm stays armed for the user who tapped the first button (ms). */
export const ARMED_MS = MINUTE;

const SIGNED_BY = {
  push: 'command.push.approve',
  open_pr: 'command.pr.approve',
  reply: 'command.reply.approve',
} as const;

type Gate = Extract<MessageView, { view: 'gate' }>;

export const tapGateCard = async (
  c: CommandContext,
  verb: 'arm' | 'confirm' | 'back' | 'deny' | 'denyas' | 'changes' | 'changeas',
  run: Run,
  row: EffectRow,
  show: Gate,
  index: number | null,
): PendingTapAnswer => {
  const { tap: t } = c.words;
  const { approvalId } = show;
  const now = c.clock.now();
  const card = (armedBy: string | null, armedUntil: number | null): CommandReply =>
    viewReply({ view: 'gate', approvalId, armedBy, armedUntil }, run.id, row.slot);
  const approval = await c.ledger.query.approval(approvalId);
  const closed = approval ? closedBecause(run, approval, now, c.words) : t.gone;
  if (!approval || closed !== null) return answerTap(c, closed ?? t.gone, true, card(null, null));
  const { digest } = approval;
  const lapsed = verb === 'confirm' ? await lapsedSigners(c.roles, run) : [];
  if (lapsed.length > 0) return answerTap(c, t.lapsed(lapsed.join(', '), run.id), true);
  switch (verb) {
    case 'arm':
      // guard: C2-risk-read
      if (await mustReadFirst(c.ledger.query, run, c.user)) {
        return answerTap(c, t.readFirst, true, await riskView(c, run));
      }
      const longer = approval.kind === 'reply' ? await unreadAnswers(c, run) : null;
      if (longer) return answerTap(c, c.words.replying.long, true, longer);
      return answerTap(c, t.arm, false, card(c.user, now + ARMED_MS));
    case 'back':
      return answerTap(c, t.disarmed, false, card(null, null));
    case 'denyas':
      return denyAs(c, run, approval, index, card(null, null));
    case 'changeas':
      return changeAs(c, run, approval, index, card(null, null));
    case 'changes': {
      const asks: MessageView = { view: 'gate', approvalId, armedBy: null, armedUntil: null, changing: true };
      const form = askFor(c, { kind: 'changes', run, about: approvalId });
      return answerTap(c, c.words.denials.askBelow, false, viewReply(asks, run.id, row.slot), form);
    }
    case 'deny': {
      if (approval.kind !== 'reply') {
        const asks: MessageView = {
          view: 'gate',
          approvalId,
          armedBy: null,
          armedUntil: null,
          asksDenialReason: true,
        };
        return answerTap(c, c.words.denials.asks, false, viewReply(asks, run.id, row.slot));
      }
      const input: Input = { type: 'command.deny', by: personOf(c), reason: '', final: false, approvalId };
      return submitTap(c, run, input, { done: () => t.denied, refused: [card(null, null)] });
    }
    case 'confirm': {
      // guard: G4-confirm-armed
      if (show.armedBy !== c.user) return answerTap(c, t.notArmed, true);
      if (!isArmed(show, now)) {
        const time = momentText(show.armedUntil ?? now, now, c.words.calendar);
        return answerTap(c, t.armedOver(time), true, card(null, null));
      }
      const newest = (await cardsIn(c.ledger.query, run.id, approvalId, c.chat))
        .filter((m) => m.messageId === messageIdOf(row))
        .at(-1);
      // guard: G4-confirm-newest
      if (newest?.n !== row.n) return answerTap(c, t.stale, true, card(null, null));
      const type = SIGNED_BY[approval.kind];
      return submitTap(
        c,
        run,
        { type, by: personOf(c), approvalId, digest, ...publicNameOf(c) },
        {
          done: (after) => (after.gate.approval === null ? t.approved : t.signed),
          refused: [card(null, null)],
        },
      );
    }
  }
};

const messageIdOf = (row: EffectRow): string | null => deliveredAs(row)?.messageId ?? null;
