/** The chat lane's handler: turns one stored `tell` into one message, new or edited in place, as the run is now. */
import { sha256 } from '../orchestrator/engine/digest.ts';
import { gateSlot } from '../orchestrator/core/machine/draft.ts';
import type { View } from '../orchestrator/core/machine/effects.ts';
import type { Run } from '../orchestrator/core/machine/run.ts';
import {
  ChatMoved,
  MaybeSent,
  OutsideFailure,
  type Button,
  type Chat,
  type Claim,
  type Clock,
  type Finish,
  type Ledger,
  type SentMessage,
} from '../orchestrator/ports.ts';
import { deliveredAs } from './commands/cards.ts';
import type { PatchOf } from './commands/context.ts';
import { passedBy } from './commands/passing.ts';
import { sendDocument } from './documents.ts';
import type { Texts, WordsFor } from './language/language.ts';
import { say } from './text/catalogue.ts';
import type { MovedChats } from './places.ts';
import { asRepeat, asStray, render, type Rendered, type Shown } from './views/render.ts';
import { redact } from './text/redact.ts';
import { createRefusals } from './refusals.ts';
import { escape, showBlock, strip } from './text/text.ts';
import { renderConnection } from './views/connection.ts';
import { renderBlind } from './views/sight.ts';
import { showsFix } from './views/scene.ts';
import type { Tokens } from './commands/tokens.ts';
import { MINUTE } from '../orchestrator/core/units.ts';
import { backoff } from '../orchestrator/core/backoff.ts';

export type TellParts = {
  chat: Chat;
  ledger: Pick<Ledger, 'query'>;
  places: MovedChats;
  tokens: Tokens;
  clock: Clock;
  wordsFor: WordsFor;
  patch: PatchOf;
};

type Remembering = TellParts & { memory: Memory };
type Tell = Extract<Claim['do'], { kind: 'tell' }>;
type Message = { html: string; buttons: Button[][] };

/** After a failure that says nothing of when to come back (ms). */
const BACK_OFF = { first: 1_000, most: MINUTE };

export const createTellHandler = (parts: TellParts): ((claim: Claim) => Promise<Finish>) => {
  const refusals = createRefusals(parts.clock);
  const memory = createMemory();
  /** Chat → how often it failed in a row. */
  const failures = new Map<number, number>();

  /** What becomes of a message that could not be delivered now. Throws what is no failure of the outside. */
  const after = (error: unknown, chat: number): Finish => {
    if (!(error instanceof OutsideFailure)) throw error;
    const reason = error.message;
    if (error.class === 'forge_refused') return { kind: 'dead', reason };
    const silence = refusals.silence(chat, error);
    if (silence) return { kind: 'later', at: silence.chat, reason, counts: false, silence };
    const failed = (failures.get(chat) ?? 0) + 1;
    failures.set(chat, failed);
    const at = parts.clock.now() + backoff(failed, BACK_OFF);
    // Only a try that may have reached somebody counts: the next one is marked as a repeat.
    const counts = error instanceof MaybeSent;
    // What waits behind it would fail as well.
    return { kind: 'later', at, reason, counts, silence: { chat: at, everybody: null } };
  };

  return async (claim) => {
    if (claim.do.kind !== 'tell') return { kind: 'dead', reason: `not a message: ${claim.do.kind}` };
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
 * What one message has come to by several calls. Telegram may refuse any of them for being too fast: what was done must not
 * be done again first, or the last would never come.
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

/** S6: what somebody must hear of, and their chat refuses, reaches an admin; so does what becomes of it. */
const deliverOrPassOn = async (
  parts: Remembering,
  claim: Claim,
  tell: Tell,
  run: Run | null,
  chat: number,
): Promise<Finish> => {
  try {
    return await deliver(parts, claim, tell, run, chat);
  } catch (error) {
    const other = parts.places.insteadOf(chat);
    if (!(error instanceof OutsideFailure && error.class === 'forge_refused') || other === null) throw error;
    const known = tell.slot === null ? null : await parts.ledger.query.sent(tell.slot);
    if (!tell.sound && known?.chat !== other) throw error;
    return deliver(parts, claim, tell, run, other, chat);
  }
};

/** `insteadOf` is the chat that refused it. */
const deliver = async (
  parts: Remembering,
  claim: Claim,
  tell: Tell,
  run: Run | null,
  chat: number,
  insteadOf: number | null = null,
): Promise<Finish> => {
  const { show, slot } = tell;
  const silent = !tell.sound;
  if (show.view === 'document' || show.view === 'patch')
    return sendDocument(parts, claim, show, run, { chat, silent });
  const words = await parts.wordsFor(chat);
  const drawn = await draw(parts, show, run, slot, words);
  if (!drawn) return { kind: 'dead', reason: 'The run that this message is about is not known.' };
  const html = redact(drawn.html);
  const message: Message = {
    html: insteadOf === null ? html : asStray(html, insteadOf, words),
    buttons: drawn.buttons.map((line, row) =>
      line.map(({ verb, text, style }, column) => {
        const before = drawn.buttons.slice(0, row).reduce((n, l) => n + l.length, 0);
        const index = show.view === 'reply' ? before + column : null;
        return {
          text,
          token: parts.tokens.make({ verb, index, n: claim.n }, chat),
          ...(style ? { style } : {}),
        };
      }),
    ),
  };
  const { begun } = parts.memory;
  const sent =
    begun.get(claim.n)?.sent ??
    (await put(parts, claim, message, { slot: tell.fresh ? null : slot, chat, silent }, words));
  if (show.view === 'gate' && run && message.buttons.length === 0 && slot === gateSlot(show.approvalId)) {
    const { closed } = begun.get(claim.n) ?? { closed: new Set<string>() };
    begun.set(claim.n, { sent, closed });
    await closeCopies(parts, run.id, show.approvalId, sent, message, closed);
    begun.delete(claim.n);
  }
  return {
    kind: 'done',
    result: { ...sent, epoch: run?.epoch ?? null, hash: sha256(message.html).slice(0, 16) },
  };
};

/** What is sent; the buttons of an answer were made when it was given. */
type Drawn = Pick<Rendered, 'html'> & { buttons: (Omit<Shown, 'verb'> & { verb: string })[][] };

const draw = async (
  parts: TellParts,
  show: Exclude<View, { view: 'document' | 'patch' }>,
  run: Run | null,
  slot: string | null,
  words: Texts,
): Promise<Drawn | null> => {
  if (show.view === 'reply') return { html: show.html, buttons: show.buttons };
  if (show.view === 'connection') return renderConnection(show, words);
  // A note about all runs of a chat belongs to none of them.
  if (!run)
    return show.view === 'note' ? { html: showBlock(say(words.notes, show.note), 3_500), buttons: [] } : null;
  const { query } = parts.ledger;
  const now = parts.clock.now();
  // A message that is told anew must not offer again what was done.
  if (show.view === 'comment') {
    const by = show.passedBy ?? (await passedBy(query, run.id, slot));
    const scene = { run, approval: null, attempts: [], patch: null, now };
    return render({ ...show, passedBy: by }, scene, words);
  }
  if (show.view === 'blind') {
    const live = await query.runs({ live: true, limit: 1_000 });
    const same = (other: Run): boolean =>
      other.seen.blind?.spell === show.spell && other.order.chat === run.order.chat;
    return renderBlind(live.filter(same), now, words);
  }
  const gate = show.view === 'gate';
  const [approval, attempts, patch] = await Promise.all([
    gate ? query.approval(show.approvalId) : Promise.resolve(null),
    show.view === 'progress' ? query.attempts(run.id) : Promise.resolve([]),
    gate && run.approval?.id === show.approvalId
      ? parts.patch(run.id, showsFix(run) ? 'pushed' : 'base')
      : Promise.resolve(null),
  ]);
  return render(show, { run, approval, attempts, patch, now }, words);
};

type Place = { slot: string | null; chat: number; silent: boolean };

/** Edits the message of the slot, or sends one; what may have been sent before is marked as a repeat (L4). */
const put = async (
  parts: Remembering,
  claim: Claim,
  message: Message,
  { slot, chat, silent }: Place,
  words: Texts,
): Promise<SentMessage> => {
  const { gone } = parts.memory;
  const known = slot === null ? null : await parts.ledger.query.sent(slot);
  if (known?.chat === chat && !gone.has(nameOf(known))) {
    const edited = await legible(message, (m) => parts.chat.edit({ ...known, ...m }));
    if (edited) return edited;
    if (gone.size >= MOST_GONE) gone.clear();
    gone.add(nameOf(known));
  }
  const html = claim.tries > 1 ? asRepeat(message.html, words) : message.html;
  return legible({ ...message, html }, (m) => parts.chat.send({ chat, silent, ...m }));
};

/** Markup that Telegram cannot parse must not keep a decision from arriving: then it goes out as plain text. */
const legible = async <T>(message: Message, go: (message: Message) => Promise<T>): Promise<T> => {
  try {
    return await go(message);
  } catch (error) {
    const markup =
      error instanceof OutsideFailure &&
      error.class === 'forge_refused' &&
      /parse entities/i.test(error.message);
    if (!markup) throw error;
    return go({ ...message, html: escape(strip(message.html)) });
  }
};

/** A decision closes every copy of its card, in whatever chat it was shown. */
const closeCopies = async (
  parts: TellParts,
  runId: string,
  approvalId: string,
  main: SentMessage,
  message: Message,
  /** Messages of which this was seen to. */
  closed: Set<string>,
): Promise<void> => {
  const rows = await parts.ledger.query.effects({ runId, kind: 'tell', state: 'done' });
  const copies = new Map<string, SentMessage>();
  for (const row of rows) {
    if (row.do.kind !== 'tell' || row.do.show.view !== 'gate' || row.do.show.approvalId !== approvalId)
      continue;
    const sent = deliveredAs(row);
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
