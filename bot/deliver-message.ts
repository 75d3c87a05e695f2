/** Handles `chat_message` effects: renders the run's current state and delivers the message. */
import { sha256Hex } from '#runtime';
import type { Run } from '#run';
import { redactSecrets } from '../text-safety/index.ts';
import { gateSlot } from '#kernel';
import { ChatMoved, MaybeSent, type ChatButton, type ChatPort } from '#ports/chat';
import { OutsideFailure } from '#ports/forge';
import type { ClaimedEffect, EffectFinish } from '#ports/steps';
import type { SystemClock } from '#ports/processes';
import type { Ledger, SentMessage } from '#ports/ledger';
import { findDelivery } from './commands/verify-card.ts';
import type { FileOf, PatchOf, ReadPages } from './commands/command-context.ts';
import { VIEWS_WITH_PLACES } from './commands/define-button.ts';
import { isFile, sendDocument } from './file-messages.ts';
import { findApprovalId, renderMessage, type OpeningsNow } from './render-message.ts';
import type { ReportService } from '#reports';
import type { LanguageTexts, WordsFor } from './language/languages.ts';
import type { MovedChats } from './moved-chats.ts';
import { markRepeated, markMisdirected } from './views/render-view.ts';
import { sendPlainerIfRefused } from './plainer-message.ts';
import { createTelegramBackoff } from './telegram-backoff.ts';
import { isSuppressedMessage } from './suppressed-messages.ts';
import { isQuiet, quietHoursKey, parseQuietHours } from './quiet-hours.ts';
import type { ButtonTokens } from './commands/button-tokens.ts';
import { MINUTE, backoffDelay } from '#model/values';

export type DeliveryParts = {
  chat: ChatPort;
  ledger: Pick<Ledger, 'query'>;
  places: MovedChats;
  tokens: ButtonTokens;
  clock: SystemClock;
  wordsFor: WordsFor;
  patch: PatchOf;
  fileOf?: FileOf;
  readPages: ReadPages;
  shownPatch: (patch: string) => Promise<string>;
  reports?: ReportService;
  serverUrl?: string;
  openings?: OpeningsNow;
  appUrl?: string | null;
  /** False where the refusal of a chat says nothing of the others. */
  isLimitedAsOne?: (chat: string) => boolean;
};

type Remembering = DeliveryParts & { memory: Memory };
type Tell = Extract<ClaimedEffect['do'], { kind: 'chat_message' }>;
type Message = { html: string; buttons: ChatButton[][]; asks?: true };

const BACK_OFF = { first: 1_000, most: MINUTE };

export const createMessageHandler = (
  parts: DeliveryParts,
): ((claim: ClaimedEffect) => Promise<EffectFinish>) => {
  const refusals = createTelegramBackoff(parts.clock);
  const memory = createMemory();
  const failures = new Map<string, number>();

  const finishAfter = (error: unknown, chat: string): EffectFinish => {
    if (!(error instanceof OutsideFailure)) throw error;
    const reason = error.message;
    if (error.class === 'chat_refused') return { kind: 'dead', reason };
    const silence = refusals.silenceAfter(chat, error);
    const everybody = parts.isLimitedAsOne?.(chat) === false ? null : silence?.everybody;
    if (silence)
      return {
        kind: 'later',
        at: silence.chat,
        reason,
        counts: false,
        silence: { ...silence, everybody: everybody ?? null },
      };
    const failed = (failures.get(chat) ?? 0) + 1;
    failures.set(chat, failed);
    const at = parts.clock.now() + backoffDelay(failed, BACK_OFF);
    // Count only tries that may have delivered the message: the next one is marked as a repeat.
    const counts = error instanceof MaybeSent;
    return { kind: 'later', at, reason, counts, silence: { chat: at, everybody: null } };
  };

  return async (claim) => {
    if (claim.do.kind !== 'chat_message') return { kind: 'dead', reason: `not a message: ${claim.do.kind}` };
    const { query } = parts.ledger;
    const run = claim.runId === null ? null : await query.run(claim.runId);
    const meant = (await query.effect(claim.n))?.chat ?? run?.order.chat ?? null;
    if (meant === null) return { kind: 'dead', reason: 'Nobody is paired who could hear of this.' };
    const chat = await parts.places.currentPlaceOf(meant);
    try {
      const outcome = await deliverOrPassOn({ ...parts, memory }, claim, claim.do, run, chat);
      failures.delete(chat);
      if (outcome.kind === 'done') refusals.wentThrough();
      return outcome;
    } catch (error) {
      if (!(error instanceof ChatMoved)) return finishAfter(error, chat);
      await parts.places.move(chat, error.to);
      return {
        kind: 'later',
        at: parts.clock.now() + BACK_OFF.first,
        reason: error.message,
        counts: false,
      };
    }
  };
};

/** Progress of deliveries in several calls, so that a retry after a rate limit continues. */
type Memory = {
  begun: Map<number, { sent: SentMessage; closed: Set<string> }>;
  gone: Set<string>;
};
const createMemory = (): Memory => ({ begun: new Map(), gone: new Set() });
const MOST_GONE = 1_000;
const nameOf = ({ chat, messageId }: SentMessage): string => `${chat}:${messageId}`;

/** S6: sends a message with sound to an admin when its chat refuses it. */
const deliverOrPassOn = async (
  parts: Remembering,
  claim: ClaimedEffect,
  tell: Tell,
  run: Run | null,
  chat: string,
): Promise<EffectFinish> => {
  const other = parts.places.insteadOf(chat);
  if (other !== null && tell.sound && (await parts.places.isGone(chat)))
    return deliverTo(parts, claim, tell, run, other, chat);
  try {
    return await deliverTo(parts, claim, tell, run, chat);
  } catch (error) {
    if (!(error instanceof OutsideFailure && error.class === 'chat_refused') || other === null) throw error;
    const known = tell.slot === null ? null : await parts.ledger.query.sent(tell.slot);
    if (!tell.sound && known?.chat !== other) throw error;
    return deliverTo(parts, claim, tell, run, other, chat);
  }
};

const isResting = async ({ ledger, clock }: DeliveryParts, chat: string): Promise<boolean> => {
  const hours = await ledger.query.setting(quietHoursKey(chat));
  const quiet = hours ? parseQuietHours(hours) : null;
  return quiet !== null && isQuiet(quiet, clock.now());
};

const deliverTo = async (
  parts: Remembering,
  claim: ClaimedEffect,
  tell: Tell,
  run: Run | null,
  chat: string,
  insteadOf: string | null = null,
): Promise<EffectFinish> => {
  const { content: show, slot } = tell;
  const silent = !tell.sound || (await isResting(parts, chat));
  if (isFile(show)) return sendDocument(parts, claim, show, run, { chat, silent });
  const words = await parts.wordsFor(chat);
  const held = await isSuppressedMessage(parts.ledger.query, tell, run);
  const drawn = await renderMessage(parts, show, { run, slot }, words);
  if (!drawn) return { kind: 'dead', reason: 'The run that this message is about is not known.' };
  const html = redactSecrets(drawn.html);
  // Bot API, InlineKeyboardButton: `web_app` is for private chats, whose ids have no sign.
  const app = run && parts.appUrl && !chat.startsWith('-') ? `${parts.appUrl}?run=${run.id}&to=diff` : null;
  const message: Message = {
    html: insteadOf === null ? html : markMisdirected(html, insteadOf, words),
    buttons: drawn.buttons.map((line, row) =>
      line.map(({ verb, text, style, index: own, opens, copies }, column) => {
        if (opens !== undefined) return { text, token: '', opens };
        if (copies !== undefined) return { text, token: '', copies };
        const before = drawn.buttons.slice(0, row).reduce((n, l) => n + l.length, 0);
        const index = VIEWS_WITH_PLACES.includes(show.view) ? before + column : (own ?? null);
        return {
          text,
          token: parts.tokens.make({ verb, index, n: claim.n }, chat),
          ...(style ? { style } : {}),
          ...(verb === 'diff' && app !== null ? { app } : {}),
        };
      }),
    ),
    ...(show.view === 'reply' && show.asks ? { asks: true } : {}),
  };
  const settled = drawn.closed === true || drawn.buttons.flat().length === 0;
  if (held && run && show.view === 'gate') {
    if (settled) await closeCopies(parts, run.id, show.approvalId, NOWHERE, message, new Set());
    return { kind: 'done', result: null };
  }
  const { begun } = parts.memory;
  const sent =
    begun.get(claim.n)?.sent ??
    (await sendOrEdit(parts, claim, message, { slot: tell.newMessage ? null : slot, chat, silent }, words));
  const pinned = tell.pin === true && !settled && (await pinMessage(parts.chat, sent));
  if (show.view === 'gate' && run && settled && slot === gateSlot(show.approvalId)) {
    const { closed } = begun.get(claim.n) ?? { closed: new Set<string>() };
    begun.set(claim.n, { sent, closed });
    await closeCopies(parts, run.id, show.approvalId, sent, message, closed);
    begun.delete(claim.n);
  }
  return {
    kind: 'done',
    result: {
      ...sent,
      epoch: run?.lifecycle.epoch ?? null,
      hash: sha256Hex(message.html).slice(0, 16),
      ...(pinned ? { pinned } : {}),
    },
  };
};

const NOWHERE: SentMessage = { chat: '', messageId: '' };

const pinMessage = async (chat: ChatPort, sent: SentMessage): Promise<boolean> => {
  try {
    return await chat.pin({ ...sent, on: true });
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    return false;
  }
};

type Place = { slot: string | null; chat: string; silent: boolean };

/** L4: a message that may have been sent before is marked as a repeat. */
const sendOrEdit = async (
  parts: Remembering,
  claim: ClaimedEffect,
  message: Message,
  { slot, chat, silent }: Place,
  words: LanguageTexts,
): Promise<SentMessage> => {
  const { gone } = parts.memory;
  const known = slot === null ? null : await parts.ledger.query.sent(slot);
  if (known?.chat === chat && !gone.has(nameOf(known))) {
    const edited = await sendPlainerIfRefused(message, (m) => parts.chat.edit({ ...known, ...m }));
    if (edited) return edited;
    if (gone.size >= MOST_GONE) gone.clear();
    gone.add(nameOf(known));
  }
  const html = claim.tries > 1 ? markRepeated(message.html, words) : message.html;
  return sendPlainerIfRefused({ ...message, html }, (m) => parts.chat.send({ chat, silent, ...m }));
};

/** Closes and unpins every copy of a decided card, in all chats. */
const closeCopies = async (
  parts: DeliveryParts,
  runId: string,
  approvalId: string,
  main: SentMessage,
  message: Message,
  closed: Set<string>,
): Promise<void> => {
  const rows = await parts.ledger.query.effects({ runId, kind: 'chat_message', state: 'done' });
  const copies = new Map<string, SentMessage>();
  for (const row of rows) {
    if (row.do.kind !== 'chat_message' || findApprovalId(row.do.content) !== approvalId) continue;
    const sent = findDelivery(row);
    if (sent?.pinned && !closed.has(`pin:${nameOf(sent)}`)) {
      const { chat, messageId } = sent;
      await parts.chat.pin({ chat, messageId, on: false });
      closed.add(`pin:${nameOf(sent)}`);
    }
    if (sent && sent.messageId !== main.messageId && !closed.has(nameOf(sent)))
      copies.set(`${sent.chat}:${sent.messageId}`, { chat: sent.chat, messageId: sent.messageId });
  }
  for (const copy of copies.values()) {
    try {
      await parts.chat.edit({ ...copy, ...message, buttons: [] });
    } catch (error) {
      // A chat that removed the bot must not prevent the card from being recorded.
      if (!(error instanceof OutsideFailure && error.class === 'chat_refused')) throw error;
    }
    closed.add(nameOf(copy));
  }
};
