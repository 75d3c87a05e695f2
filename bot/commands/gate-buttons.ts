/** The buttons of an approval's card: arm, confirm, put off, deny, ask for changes (G4). */
import { COMMAND_OF_APPROVAL, type Input } from '#inputs';
import { roleNeededFor } from '#commands';
import { needsOwnKey } from '#model/assessment';
import type { ApprovalRow, EffectRow } from '#ports/ledger';
import { isCardArmed } from '../views/live-card.ts';
import { momentText } from '../text/telegram-html.ts';
import { riskReply } from './typed-approval.ts';
import { personOf, publicNameField, viewReply, type CommandReply } from './command-context.ts';
import { requestChangeForReason, denyForReason } from './deny-change.ts';
import { formQuestionReply } from './answer-forms.ts';
import {
  findSentCards,
  findClosingReason,
  findDelivery,
  findLapsedSigners,
  mustReadRiskFirst,
} from './verify-card.ts';
import {
  cardWithCheck,
  defineButton,
  runCardOn,
  type Opened,
  type RunTap,
  type ViewOf,
} from './define-button.ts';
import { submitTap } from './submit-tap.ts';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';
import { keyPageReply } from './manage-passkeys.ts';
import { findUnreadAnswersReply } from './review-buttons.ts';
import { MINUTE } from '#model/values';

/** Time that Confirm stays armed for the user who tapped the first button (ms). */
const ARMED_MS = MINUTE;

type GateTap = RunTap<ViewOf<'gate'>> & {
  approval: ApprovalRow;
  card: (more?: Partial<Gate>) => CommandReply;
};
type Gate = GateTap['show'];

const GATE_CARD = cardWithCheck(runCardOn('gate'), async (tap): Promise<Opened<GateTap>> => {
  const { c, run, row, show } = tap;
  const { approvalId } = show;
  const card: GateTap['card'] = (more = {}) =>
    viewReply({ view: 'gate', approvalId, armedBy: null, armedUntil: null, ...more }, run.id, row.slot);
  const approval = await c.ledger.query.approval(approvalId);
  const closed = approval ? findClosingReason(run, approval, c.clock.now(), c.words) : null;
  if (!approval || closed !== null) return settleTap(c, closed ?? c.words.tap.gone, true, card());
  return { tap: { ...tap, approval, card } };
});

export const GATE_BUTTONS = [
  defineButton(GATE_CARD, {
    verb: 'arm',
    // guard: G3-arm-button
    role: roleNeededFor('approve'),
    async onTap({ c, run, approval, card }): PendingTapAnswer {
      const { tap: t } = c.words;
      // guard: C2-risk-read
      if (await mustReadRiskFirst(c.ledger.query, run, c.user)) {
        return settleTap(c, t.readFirst, true, await riskReply(c, run));
      }
      const { proposal } = run.gate;
      if (approval.kind !== 'reply' && proposal && needsOwnKey(proposal.fields.assessment))
        return settleTap(c, c.words.ownKeys.needed, true, card(), keyPageReply(c, run.id));
      const longer = approval.kind === 'reply' ? await findUnreadAnswersReply(c, run) : null;
      if (longer) return settleTap(c, c.words.replying.long, true, longer);
      return settleTap(c, t.arm, false, card({ armedBy: c.user, armedUntil: c.clock.now() + ARMED_MS }));
    },
  }),
  defineButton(GATE_CARD, {
    verb: 'back',
    // guard: G3-back-button
    role: roleNeededFor('approve'),
    onTap: ({ c, card }): PendingTapAnswer => settleTap(c, c.words.tap.disarmed, false, card()),
  }),
  defineButton(GATE_CARD, {
    verb: 'deny',
    // guard: G3-deny-button
    role: roleNeededFor('deny'),
    async onTap({ c, run, approval, card }): PendingTapAnswer {
      if (approval.kind !== 'reply')
        return settleTap(c, c.words.denials.asks, false, card({ asksDenialReason: true }));
      const { id: approvalId } = approval;
      const input: Input = { type: 'command.deny', by: personOf(c), reason: '', final: false, approvalId };
      return submitTap(c, run, input, { done: () => c.words.tap.denied, refused: [card()] });
    },
  }),
  defineButton(GATE_CARD, {
    verb: 'deny.reason',
    role: roleNeededFor('deny'),
    picks: true,
    onTap: ({ c, run, approval, index, card }): PendingTapAnswer =>
      denyForReason(c, run, approval, index, card()),
  }),
  defineButton(GATE_CARD, {
    verb: 'changes',
    role: roleNeededFor('changes'),
    async onTap({ c, run, approval, card }): PendingTapAnswer {
      const form = formQuestionReply(c, { kind: 'changes', run, about: approval.id });
      return settleTap(c, c.words.denials.askBelow, false, card({ changing: true }), form);
    },
  }),
  defineButton(GATE_CARD, {
    verb: 'changes.reason',
    role: roleNeededFor('changes'),
    picks: true,
    onTap: ({ c, run, approval, index, card }): PendingTapAnswer =>
      requestChangeForReason(c, run, approval, index, card()),
  }),
  defineButton(GATE_CARD, {
    verb: 'changes.restore',
    role: roleNeededFor('take_back'),
    onTap({ c, run, approval, card }): PendingTapAnswer {
      const input: Input = { type: 'command.change.restore', by: personOf(c), approvalId: approval.id };
      return submitTap(c, run, input, { done: () => c.words.tap.takenBack, refused: [card()] });
    },
  }),
  defineButton(GATE_CARD, {
    verb: 'confirm',
    // guard: G3-confirm-button
    role: roleNeededFor('approve'),
    async onTap({ c, run, row, show, approval, card }): PendingTapAnswer {
      const { tap: t } = c.words;
      const { id: approvalId, digest } = approval;
      const now = c.clock.now();
      const lapsed = await findLapsedSigners(c.people.roles, run);
      if (lapsed.length > 0) return settleTap(c, t.lapsed(lapsed.join(', '), run.id), true);
      // guard: G4-confirm-armed
      if (show.armedBy !== c.user) return settleTap(c, t.notArmed, true);
      if (!isCardArmed(show, now)) {
        const time = momentText(show.armedUntil ?? now, now, c.words.calendar);
        return settleTap(c, t.armedOver(time), true, card());
      }
      const newest = (await findSentCards(c.ledger.query, run.id, approvalId, c.chat))
        .filter((m) => m.messageId === messageIdOf(row))
        .at(-1);
      // guard: G4-confirm-newest
      if (newest?.n !== row.n) return settleTap(c, t.stale, true, card());
      const type = COMMAND_OF_APPROVAL[approval.kind];
      return submitTap(
        c,
        run,
        { type, by: personOf(c), approvalId, digest, role: c.role, ...publicNameField(c) },
        {
          done: (after) => (after.gate.approval === null ? t.approved : t.signed),
          refused: [card()],
        },
      );
    },
  }),
];

const messageIdOf = (row: EffectRow): string | null => findDelivery(row)?.messageId ?? null;
