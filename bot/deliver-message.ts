/** The chat lane's handler: turns one stored `tell` into one message, as the run is now. */
import { sha256Hex } from '../orchestrator/engine/content-hash.ts';
import { gateSlot } from '../orchestrator/core/machine/step-draft.ts';
import type { MessageView } from '../orchestrator/core/machine/effect-types.ts';
import type { Run } from '../orchestrator/core/machine/run.ts';
import {
  ChatMoved,
  MaybeSent,
  OutsideFailure,
  type ChatButton,
  type ChatPort,
  type ClaimedEffect,
  type SystemClock,
  type EffectFinish,
  type Ledger,
  type SentMessage,
} from '../orchestrator/ports.ts';
import { deliveredAs } from './commands/verify-card.ts';
import type { FileOf, PatchOf } from './commands/command-context.ts';
import { isFile, sendDocument } from './file-messages.ts';
import { cardOf, drawMessage } from './draw-message.ts';
import type { ReportService } from '../orchestrator/engine/reports.ts';
import type { LanguageTexts, WordsFor } from './language/languages.ts';
import type { MovedChats } from './chat-places.ts';
import { asRepeat, markMisdirected } from './views/render-view.ts';
import { sendPlainerIfRefused } from './plainer-message.ts';
import { redactSecrets } from './text/redact.ts';
import { createRefusals } from './telegram-backoff.ts';
import { isSuppressedMessage } from './suppressed-messages.ts';
import { isQuiet, quietKey, readQuiet } from './quiet-hours.ts';
import type { ButtonTokens } from './commands/button-tokens.ts';
import { MINUTE } from '../orchestrator/core/units.ts';
import { backoffDelay } from '../orchestrator/core/backoff.ts';

export type DeliveryParts = {
  chat: ChatPort;
  ledger: Pick<Ledger, 'query'>;
  places: MovedChats;
  tokens: ButtonTokens;
  clock: SystemClock;
  wordsFor: WordsFor;
  patch: PatchOf;
  fileOf?: FileOf;
  shownPatch?: (patch: string) => Promise<string>;
  reports?: ReportService;
  /** Where the pages of the code host are. */
  serverUrl?: string;
};

/** Views whose buttons are told apart by their place. */
const INDEXED: readonly MessageView['view'][] = ['reply', 'command_choice', 'triage'];

type Remembering = DeliveryParts & { memory: Memory };
type Tell = Extract<ClaimedEffect['do'], { kind: 'chat_message' }>;
type Message = { html: string; buttons: ChatButton[][]; asks?: true };

/** After a failure that says nothing of when to come back (ms). */
const BACK_OFF = { first: 1_000, most: MINUTE };

export const createMessageHandler = (
  parts: DeliveryParts,
): ((claim: ClaimedEffect) => Promise<EffectFinish>) => {
  const refusals = createRefusals(parts.clock);
  const memory = createMemory();
  /** Chat → how often it failed in a row. */
  const failures = new Map<string, number>();

  /** What becomes of a message that failed. Throws what is no failure of the outside. */
  const after = (error: unknown, chat: string): EffectFinish => {
    if (!(error instanceof OutsideFailure)) throw error;
    const reason = error.message;
    if (error.class === 'forge_refused') return { kind: 'dead', reason };
    const silence = refusals.silence(chat, error);
    if (silence) return { kind: 'later', at: silence.chat, reason, counts: false, silence };
    const failed = (failures.get(chat) ?? 0) + 1;
    failures.set(chat, failed);
    const at = parts.clock.now() + backoffDelay(failed, BACK_OFF);
    // Only a try that may have reached somebody counts: the next one is marked as a repeat.
    const counts = error instanceof MaybeSent;
    // What waits behind it would fail as well.
    return { kind: 'later', at, reason, counts, silence: { chat: at, everybody: null } };
  };

  return async (claim) => {
    if (claim.do.kind !== 'chat_message') return { kind: 'dead', reason: `not a message: ${claim.do.kind}` };
    const { query } = parts.ledger;
    const run = claim.runId === null ? null : await query.run(claim.runId);
    const meant = (await query.effect(claim.n))?.chat ?? run?.order.chat ?? null;
    if (meant === null) return { kind: 'dead', reason: 'Nobody is paired who could hear of this.' };
    const chat = await parts.places.of(meant);
    try {
      const outcome = await deliverOrPassOn({ ...parts, memory }, claim, claim.do, run, chat);
      failures.delete(chat);
      if (outcome.kind === 'done') refusals.wentThrough();
      return outcome;
    } catch (error) {
      if (!(error instanceof ChatMoved)) return after(error, chat);
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

/**
 * What one message has come to by several calls. Telegram may refuse any of them for being too
 * fast: what was done must not be done again first, or the last would never come.
 */
type Memory = {
  /** The message of an effect that has closed some copies, and those. */
  begun: Map<number, { sent: SentMessage; closed: Set<string> }>;
  /** Messages that are there no more. */
  gone: Set<string>;
};
const createMemory = (): Memory => ({ begun: new Map(), gone: new Set() });
const MOST_GONE = 1_000;
const nameOf = ({ chat, messageId }: SentMessage): string => `${chat}:${messageId}`;

/** S6: what somebody must hear of, and their chat refuses, reaches an admin. */
const deliverOrPassOn = async (
  parts: Remembering,
  claim: ClaimedEffect,
  tell: Tell,
  run: Run | null,
  chat: string,
): Promise<EffectFinish> => {
  const other = parts.places.insteadOf(chat);
  // Telegram need not be asked for what it said already.
  if (other !== null && tell.sound && (await parts.places.isGone(chat)))
    return deliver(parts, claim, tell, run, other, chat);
  try {
    return await deliver(parts, claim, tell, run, chat);
  } catch (error) {
    if (!(error instanceof OutsideFailure && error.class === 'forge_refused') || other === null) throw error;
    const known = tell.slot === null ? null : await parts.ledger.query.sent(tell.slot);
    if (!tell.sound && known?.chat !== other) throw error;
    return deliver(parts, claim, tell, run, other, chat);
  }
};

/** Nothing rings in somebody's quiet hours; a digest follows them. */
const isResting = async ({ ledger, clock }: DeliveryParts, chat: string): Promise<boolean> => {
  const hours = await ledger.query.setting(quietKey(chat));
  const quiet = hours ? readQuiet(hours) : null;
  return quiet !== null && isQuiet(quiet, clock.now());
};

/** `insteadOf` is the chat that refused it. */
const deliver = async (
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
  const drawn = await drawMessage(parts, show, { run, slot }, words);
  if (!drawn) return { kind: 'dead', reason: 'The run that this message is about is not known.' };
  const html = redactSecrets(drawn.html);
  const message: Message = {
    html: insteadOf === null ? html : markMisdirected(html, insteadOf, words),
    buttons: drawn.buttons.map((line, row) =>
      line.map(({ verb, text, style, index: own, opens, copies }, column) => {
        if (opens !== undefined) return { text, token: '', opens };
        if (copies !== undefined) return { text, token: '', copies };
        const before = drawn.buttons.slice(0, row).reduce((n, l) => n + l.length, 0);
        const index = INDEXED.includes(show.view) ? before + column : (own ?? null);
        return {
          text,
          token: parts.tokens.make({ verb, index, n: claim.n }, chat),
          ...(style ? { style } : {}),
        };
      }),
    ),
    ...(show.view === 'reply' && show.asks ? { asks: true } : {}),
  };
  if (held && run && show.view === 'gate') {
    if (message.buttons.length === 0)
      await closeCopies(parts, run.id, show.approvalId, NOWHERE, message, new Set());
    return { kind: 'done', result: null };
  }
  const { begun } = parts.memory;
  const sent =
    begun.get(claim.n)?.sent ??
    (await put(parts, claim, message, { slot: tell.newMessage ? null : slot, chat, silent }, words));
  const pinned = tell.pin === true && message.buttons.length > 0 && (await pins(parts.chat, sent));
  if (show.view === 'gate' && run && message.buttons.length === 0 && slot === gateSlot(show.approvalId)) {
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

/** A pin is asked for once: a chat that does not let us, or not now, has the message all the same. */
const pins = async (chat: ChatPort, sent: SentMessage): Promise<boolean> => {
  try {
    return await chat.pin({ ...sent, on: true });
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    return false;
  }
};

type Place = { slot: string | null; chat: string; silent: boolean };

/**
 * Edits the message of the slot, or sends one; what may have been sent before is marked as a repeat
 * (L4).
 */
const put = async (
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
  const html = claim.tries > 1 ? asRepeat(message.html, words) : message.html;
  return sendPlainerIfRefused({ ...message, html }, (m) => parts.chat.send({ chat, silent, ...m }));
};

/** A decision closes every copy of its card, in whatever chat it was shown, and unpins it. */
const closeCopies = async (
  parts: DeliveryParts,
  runId: string,
  approvalId: string,
  main: SentMessage,
  message: Message,
  /** Messages of which this was seen to. */
  closed: Set<string>,
): Promise<void> => {
  const rows = await parts.ledger.query.effects({ runId, kind: 'chat_message', state: 'done' });
  const copies = new Map<string, SentMessage>();
  for (const row of rows) {
    if (row.do.kind !== 'chat_message' || cardOf(row.do.content) !== approvalId) continue;
    const sent = deliveredAs(row);
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
      await parts.chat.edit({ ...copy, ...message });
    } catch (error) {
      // A chat that we were thrown out of must not keep the card itself from being recorded.
      if (!(error instanceof OutsideFailure && error.class === 'forge_refused')) throw error;
    }
    closed.add(nameOf(copy));
  }
};
