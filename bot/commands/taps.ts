/**
 * G4: a tap on a button, checked strictly in this order: MAC, user and role, chat and message,
 * expiry, digest, compare-and-set.
 */
import { steered, unsaid } from '../../orchestrator/commands/read.ts';
import { accountOf } from '../../orchestrator/core/machine/budget.ts';
import type { ReplyButton, View } from '../../orchestrator/core/machine/effects.ts';
import type { Input } from '../../orchestrator/core/machine/inputs.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import type { EffectRow } from '../../orchestrator/ports.ts';
import { atLeast } from '../../orchestrator/core/roles.ts';
import { cut } from '../../orchestrator/core/text.ts';
import type { ReadToken } from './tokens.ts';
import { findLackingBudget, nextLimit, raisedTo } from '../views/why.ts';
import { isArmed } from '../views/live.ts';
import { doing, type Verb } from '../views/scene.ts';
import { moment } from '../text/text.ts';
import { person, riskView } from './acting.ts';
import { give } from './giving.ts';
import { changeAs, denyAs } from './denying.ts';
import { askFor } from './forms.ts';
import { cardsIn, closedBecause, deliveredAs, lapsed, mustReadFirst } from './cards.ts';
import { isBatching, onCampaign } from './batching.ts';
import { isClustering, onCluster } from './clustering.ts';
import { isBusy, showing, type Answers, type Context } from './context.ts';
import { passOn } from './passing.ts';
import { answerForm, closedPerhaps, neededForForm, perhapsFor } from './perhaps.ts';
import { isVerb, NEEDS } from './needs.ts';
import { isAnswering, onPermission } from './permitting.ts';
import { written } from './typed.ts';
import { submitted, tell, type Said, type TapAnswer } from './popup.ts';
import { onReview, unreadAnswers, wholeAnswersOf } from './review.ts';
import { isViewing, onViewer } from './viewing.ts';
import { detail, diff, pending, showRun, text } from './reading.ts';
import { MINUTE } from '../../orchestrator/core/units.ts';

export type Tap = { callbackId: string; messageId: string; data: string };

/** How long Confirm stays armed for whoever tapped the first button, in ms. */
export const ARMED_MS = MINUTE;
/** Bot API, answerCallbackQuery: 0–200 characters. */
const POPUP_LIMIT = 200;
export const onTap = async (c: Context, tap: Tap): Promise<TapAnswer> => {
  const said = await judge(c, tap);
  return { callbackId: tap.callbackId, ...said, text: cut(said.text, POPUP_LIMIT) };
};

const judge = async (c: Context, tap: Tap): Said => {
  const { tap: t, roles } = c.words;
  const token = c.tokens.read(tap.data);
  if (!token) return tell(c, t.forged, true);
  // guard: G4-own-button
  if (!c.tokens.ours(token, c.chat)) {
    const home = (await c.ledger.query.effect(token.n))?.chat ?? null;
    const foreign = home !== null && home !== c.chat && c.tokens.ours(token, home);
    return tell(c, foreign ? t.foreign : t.forged, true);
  }
  if (!isVerb(token.verb)) return tell(c, t.gone, true);
  // guard: G4-tap-role
  if (!atLeast(c.role, NEEDS[token.verb])) return tell(c, roles.needs(NEEDS[token.verb]), true);
  const row = await c.ledger.query.effect(token.n);
  if (row?.do.kind !== 'chat_message') return tell(c, t.gone, true);
  const sent = deliveredAs(row);
  if (!sent) return tell(c, t.unsent, true);
  if (sent.chat !== c.chat) return tell(c, t.foreign, true);
  // guard: G4-own-message
  if (sent.messageId !== tap.messageId) return tell(c, t.stale, true);
  if (row.do.content.view === 'cluster')
    return isClustering(token.verb)
      ? onCluster(c, token.verb, row, row.do.content, token.index)
      : tell(c, t.gone, true);
  if (row.do.content.view === 'campaign')
    return isBatching(token.verb)
      ? onCampaign(c, token.verb, row, row.do.content, token.index)
      : tell(c, t.gone, true);
  const runId = runOf(row, row.do.content, token);
  if (token.verb === 'pending' && (await isBusy(c, false))) return tell(c, t.busy, true);
  if (token.verb === 'pending') return pending(c).then(() => ({ text: t.shown, alert: false }));
  if (row.do.content.view === 'command_choice' && token.verb === 'give')
    return give(c, row, row.do.content, token.index);
  if (token.verb === 'say' || token.verb === 'useas')
    return says(c, row, buttonOf(row.do.content, token), tap.messageId);
  const run = runId === null ? null : await c.ledger.query.run(runId);
  if (!run) return tell(c, t.gone, true);
  return perform(c, token.verb, run, { row, show: row.do.content, epoch: sent.epoch }, token.index);
};

/** Buttons of an answer name their run each; all others act on the run of their message. */
const runOf = (row: EffectRow, show: View, token: ReadToken): string | null => {
  const named = show.view === 'gate' && (token.verb === 'denyas' || token.verb === 'changeas');
  if (show.view === 'command_choice' || show.view === 'triage' || named) return row.runId;
  if (show.view !== 'reply') return token.index === null ? row.runId : null;
  return buttonOf(show, token)?.runId ?? null;
};

const buttonOf = (show: View, { verb, index }: ReadToken): ReplyButton | null => {
  const button = show.view === 'reply' && index !== null ? show.buttons.flat()[index] : undefined;
  return button?.verb === verb ? button : null;
};

/** The rights are those of what is said; the page that it leads to takes this one's place. */
const says = async (c: Context, row: EffectRow, button: ReplyButton | null, messageId: string): Said => {
  if (button?.says === undefined) return tell(c, c.words.tap.gone, true);
  if (row.slot?.startsWith('perhaps:')) return onPerhaps(c, row, button.verb, button.says, messageId);
  const screen = row.slot?.startsWith('screen:') ? row.slot : null;
  await written({ ...c, screen, question: `${c.question} ${button.says}` }, button.says, messageId);
  return { text: '', alert: false };
};

/** Whether somebody's words were the answer to a form: their message says which, and closes. */
const onPerhaps = async (
  c: Context,
  row: EffectRow,
  verb: string,
  words: string,
  messageId: string,
): Said => {
  const form = await perhapsFor(c, row);
  if (!form || row.slot === null) return tell(c, c.words.tap.gone, true);
  const needed = verb === 'useas' ? neededForForm(form) : 'viewer';
  if (!atLeast(c.role, needed)) return tell(c, c.words.roles.needs(needed), true);
  const chosen = { ...c, also: closedPerhaps(c, row.slot, form, verb, words) };
  await (verb === 'useas' ? answerForm(chosen, form, words) : written(chosen, words, messageId));
  return { text: '', alert: false };
};

type Message = { row: EffectRow; show: View; epoch: number | null };

const perform = async (c: Context, verb: Verb, run: Run, message: Message, index: number | null): Said => {
  const { tap: t } = c.words;
  const shown = { text: t.shown, alert: false };
  const { show } = message;
  const asks = verb === 'diff' || verb === 'detail' || verb === 'risk' || verb === 'show';
  if (asks && (await isBusy(c, verb === 'diff'))) return tell(c, t.busy, true);
  if (isViewing(verb))
    return show.view === 'diff_page' ? onViewer(c, verb, run, message.row, show) : tell(c, t.gone, true);
  if (isClustering(verb) || isBatching(verb)) return tell(c, t.gone, true);
  if (isAnswering(verb)) return onPermission(c, verb, run, show);
  switch (verb) {
    case 'diff':
      return diff(c, run).then(() => shown);
    case 'text': {
      const answers =
        show.view === 'gate' && run.gate.approval?.kind === 'reply' ? await wholeAnswersOf(c, run) : null;
      return answers ? tell(c, t.shown, false, answers) : text(c, run).then(() => shown);
    }
    case 'detail':
      return detail(c, run).then(() => shown);
    case 'risk':
      return tell(c, t.shown, false, await riskView(c, run, show.view === 'gate'));
    case 'show':
      return showRun(c, run).then(() => shown);
    case 'pending':
      return pending(c).then(() => shown);
    case 'open':
    case 'ok':
    case 'back':
    case 'deny':
    case 'denyas':
    case 'changes':
    case 'changeas':
      return show.view === 'gate' ? onCard(c, verb, run, message, show, index) : tell(c, t.gone, true);
    case 'fix':
      return show.view === 'comment' ? passOn(c, run, message.row, show) : tell(c, t.gone, true);
    case 'choose':
    case 'begin':
    case 'page':
    case 'remarks':
      return show.view === 'triage'
        ? onReview(c, verb, run, message.row, show, index)
        : tell(c, t.gone, true);
    case 'raise':
      return onBudget(c, run, message);
    case 'give':
    case 'say':
    case 'useas':
    case 'out':
    case 'overrule':
      return tell(c, t.gone, true);
    case 'retry':
    case 'resume':
    case 'cancel':
    case 'start':
    case 'rerun':
    case 'without':
    case 'update':
    case 'revoke':
    case 'take':
      // An old message may speak of an old failure; its button must not act on a new one.
      // guard: G4-old-button
      if (message.epoch !== run.lifecycle.epoch && verb !== 'update' && verb !== 'revoke')
        return tell(c, t.movedOn(doing(run, c.words)), true);
      return submitted(c, run, simple(c, run, verb, show), { done: () => t.done });
  }
};

type Simple = 'retry' | 'resume' | 'cancel' | 'start' | 'rerun' | 'without' | 'update' | 'revoke' | 'take';
const simple = (c: Context, run: Run, verb: Simple, show: View): Input =>
  verb === 'take'
    ? // The commit that this message showed, whatever is there by now.
      { type: 'command.head.adopt', by: person(c), sha: (show.view === 'attention' && show.head) || '' }
    : steered(verb, person(c), unsaid(verb), run);

/** Half as much again as the message says: a second tap on it asks for nothing more. */
const onBudget = async (c: Context, run: Run, { show, epoch }: Message): Said => {
  const { tap: t } = c.words;
  const warned = show.view === 'budget' ? show : null;
  if (!warned && epoch !== run.lifecycle.epoch) return tell(c, t.movedOn(doing(run, c.words)), true);
  const budget = warned?.budget ?? findLackingBudget(run);
  if (!budget) return tell(c, t.movedOn(doing(run, c.words)), true);
  if (warned && accountOf(run, budget).limit !== warned.limit) return tell(c, t.duplicate, true);
  const limit = nextLimit(run, budget);
  const input: Input = { type: 'command.budget.raise', by: person(c), budget, limit };
  return submitted(c, run, input, { done: () => raisedTo(run.id, budget, limit, c.words) });
};

const SIGNED_BY = {
  push: 'command.push.approve',
  open_pr: 'command.pr.create',
  reply: 'command.reply.approve',
} as const;

type Gate = Extract<View, { view: 'gate' }>;

const onCard = async (
  c: Context,
  verb: 'open' | 'ok' | 'back' | 'deny' | 'denyas' | 'changes' | 'changeas',
  run: Run,
  { row }: Message,
  show: Gate,
  index: number | null,
): Said => {
  const { tap: t } = c.words;
  const { approvalId } = show;
  const now = c.clock.now();
  const card = (armedBy: string | null, armedUntil: number | null): Answers =>
    showing({ view: 'gate', approvalId, armedBy, armedUntil }, run.id, row.slot);
  const approval = await c.ledger.query.approval(approvalId);
  const closed = approval ? closedBecause(run, approval, now, c.words) : t.gone;
  // The card that was tapped is drawn again, so that it shows what became of it.
  if (!approval || closed !== null) return tell(c, closed ?? t.gone, true, card(null, null));
  const { digest } = approval;
  const without = verb === 'ok' ? await lapsed(c.roles, run) : [];
  if (without.length > 0) return tell(c, t.lapsed(without.join(', '), run.id), true);
  switch (verb) {
    case 'open':
      // guard: C2-risk-read
      if (await mustReadFirst(c.ledger.query, run, c.user)) {
        return tell(c, t.readFirst, true, await riskView(c, run));
      }
      const longer = approval.kind === 'reply' ? await unreadAnswers(c, run) : null;
      if (longer) return tell(c, c.words.replying.long, true, longer);
      return tell(c, t.arm, false, card(c.user, now + ARMED_MS));
    case 'back':
      return tell(c, t.disarmed, false, card(null, null));
    case 'denyas':
      return denyAs(c, run, approval, index, card(null, null));
    case 'changeas':
      return changeAs(c, run, approval, index, card(null, null));
    case 'changes': {
      const asks: View = { view: 'gate', approvalId, armedBy: null, armedUntil: null, changing: true };
      const form = askFor(c, { kind: 'changes', run, about: approvalId });
      return tell(c, c.words.denials.askBelow, false, showing(asks, run.id, row.slot), form);
    }
    case 'deny': {
      if (approval.kind !== 'reply') {
        const asks: View = {
          view: 'gate',
          approvalId,
          armedBy: null,
          armedUntil: null,
          asksDenialReason: true,
        };
        return tell(c, c.words.denials.asks, false, showing(asks, run.id, row.slot));
      }
      const input: Input = { type: 'command.deny', by: person(c), reason: '', final: false, approvalId };
      return submitted(c, run, input, { done: () => t.denied, refused: [card(null, null)] });
    }
    case 'ok': {
      // guard: G4-confirm-armed
      if (show.armedBy !== c.user) return tell(c, t.notArmed, true);
      if (!isArmed(show, now)) {
        const time = moment(show.armedUntil ?? now, now, c.words.calendar);
        return tell(c, t.armedOver(time), true, card(null, null));
      }
      const newest = (await cardsIn(c.ledger.query, run.id, approvalId, c.chat))
        .filter((m) => m.messageId === messageIdOf(row))
        .at(-1);
      // guard: G4-confirm-newest
      if (newest?.n !== row.n) return tell(c, t.stale, true, card(null, null));
      const type = SIGNED_BY[approval.kind];
      return submitted(
        c,
        run,
        { type, by: person(c), approvalId, digest },
        {
          done: (after) => (after.gate.approval === null ? t.approved : t.signed),
          refused: [card(null, null)],
        },
      );
    }
  }
};

const messageIdOf = (row: EffectRow): string | null => deliveredAs(row)?.messageId ?? null;
