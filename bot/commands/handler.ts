/** The way in for stored Telegram updates: who is it, what do they want, and which command or tap is that. One input at most each. */
import { z } from 'zod';
import type { InboxRow, Reply } from '../../orchestrator/ports.ts';
import { neededFor, rowOf } from '../../orchestrator/commands/read.ts';
import { formOf } from '../language/forms.ts';
import { learn } from '../language/language.ts';
import { say } from '../text/catalogue.ts';
import { atLeast } from '../../orchestrator/core/roles.ts';
import { redact } from '../text/redact.ts';
import { visible } from '../text/text.ts';
import { readUpdate, type Inbound } from './updates.ts';
import { sentence } from '../text/text.ts';
import { answered, readBack } from './answering.ts';
import { answer, isBusy, plain, putOff, settle, type BotParts, type Context } from './context.ts';
import { isCommand, onlyAsks, parseCommand } from './parse.ts';
import { perform } from './handlers.ts';
import type { TapAnswer } from './popup.ts';
import { help } from './reading.ts';
import { onTap } from './taps.ts';
import { cut } from '../../orchestrator/core/text.ts';

export type Handled = { tap?: TapAnswer };

export const createBotHandler = (parts: BotParts) => ({
  /** Throws only for bugs and a failing store: the row stays open and is tried again. */
  async handle(row: InboxRow): Promise<Handled> {
    const inbound = readUpdate(row.body);
    switch (inbound.kind) {
      case 'inert':
        return inert(parts, row, inbound);
      case 'stranger':
        return stranger(parts, row, inbound);
      case 'message':
      case 'tap': {
        const member = await parts.roles.of(inbound.user);
        // Somebody whose rights were taken away after the update was stored.
        if (!member)
          return stranger(parts, row, {
            ...inbound,
            kind: 'stranger',
            callbackId: inbound.kind === 'tap' ? inbound.callbackId : null,
          });
        const name = cut(visible(member.name ?? inbound.name).trim(), 60) || `user ${inbound.user}`;
        // Only a private chat is one person's own.
        if (inbound.chat === inbound.user) await learn(parts.ledger, inbound.chat, inbound.language);
        const context: Context = {
          ...parts,
          row,
          user: inbound.user,
          name,
          role: member.role,
          chat: inbound.chat,
          language: inbound.language,
          words: await parts.wordsFor(inbound.chat),
          question: inbound.kind === 'tap' ? `${inbound.messageId} ${inbound.data}` : inbound.text.trim(),
        };
        if (inbound.kind === 'tap') return { tap: await onTap(context, inbound) };
        await onMessage(context, inbound);
        return {};
      }
    }
  },
  /** S6: what they hear whose update was tried and given up; strangers hear nothing. */
  async sorry(row: InboxRow, reason: string): Promise<Reply[]> {
    const inbound = readUpdate(row.body);
    if (inbound.kind !== 'message' && inbound.kind !== 'tap') return [];
    if (!(await parts.roles.of(inbound.user))) return [];
    const words = await parts.wordsFor(inbound.chat);
    return [{ ...plain(words.replies.givenUp(cut(redact(reason), 300))), chat: inbound.chat }];
  },
});

const onMessage = async (c: Context, message: Extract<Inbound, { kind: 'message' }>): Promise<void> => {
  const command = parseCommand(message.text, c.botName());
  const needed = isCommand(command) ? neededFor(command.kind, command) : 'viewer';
  // guard: G4-command-role
  if (!atLeast(c.role, needed)) return settle(c, 'role', plain(c.words.roles.needs(needed)));
  const dear = isCommand(command) && rowOf(command.kind).dear;
  const isAnswer = command.kind === 'text' && message.replyTo !== null;
  if (onlyAsks(command) && !isAnswer && (await isBusy(c, dear))) return putOff(c);
  if (isCommand(command)) return perform(c, command, message.messageId);
  switch (command.kind) {
    case 'other_bot':
      return settle(c, 'for another bot');
    case 'text': {
      const found = message.replyTo === null ? null : await answered(c, message.replyTo);
      if (found) return readBack(c, found, message.text);
      return message.private ? settle(c, 'free text', plain(c.words.replies.free)) : settle(c, 'free text');
    }
    case 'unknown':
      return help(c, sentence(c.words.replies.unknown(command.name)));
    case 'wrong': {
      const why = command.problem ? [say(c.words.problems, command.problem)] : [];
      const form = c.words.replies.wrong(formOf(command.command, c.words));
      return settle(c, 'wrong form', answer(sentence(redact([...why, form].join(' ')))));
    }
  }
};

const inert = async (
  parts: BotParts,
  row: InboxRow,
  inbound: Extract<Inbound, { kind: 'inert' }>,
): Promise<Handled> => {
  const { hint, chat, callbackId } = inbound;
  const text = hint ? (await parts.wordsFor(chat)).hints[hint] : '';
  const replies = hint && chat !== null ? [{ ...plain(text), chat, slot: `hint:${hint}`, fresh: true }] : [];
  await parts.ledger.settleInbox(
    row.id,
    { kind: 'done', note: hint ?? 'nothing to do', replies },
    parts.clock.now(),
  );
  return callbackId === null ? {} : { tap: { callbackId, text, alert: true } };
};

/** L8: whom the pairing hint was given to; a bounded list of ids, oldest dropped. */
export const HINTED = 'telegram.hinted';
const MAX_HINTED = 500;
export const readHinted = (setting: string | null): number[] =>
  z
    .array(z.int())
    .catch([])
    .parse(JSON.parse(setting ?? '[]'));

/** C1: one hint with the numeric id, in private or on the tap, and nothing else. */
const stranger = async (
  parts: BotParts,
  row: InboxRow,
  inbound: Extract<Inbound, { kind: 'stranger' }>,
): Promise<Handled> => {
  const { user, chat, callbackId } = inbound;
  const text = (await parts.wordsFor(chat)).roles.stranger(user);
  const hinted = readHinted(await parts.ledger.query.setting(HINTED));
  const fresh = chat !== null && !hinted.includes(user);
  const replies = fresh ? [{ ...plain(text), chat, urgent: false, slot: 'hint:stranger', fresh: true }] : [];
  await parts.ledger.settleInbox(row.id, { kind: 'done', note: 'unknown user', replies }, parts.clock.now());
  if (fresh) await parts.ledger.setSetting(HINTED, JSON.stringify([...hinted, user].slice(-MAX_HINTED)));
  return callbackId === null ? {} : { tap: { callbackId, text, alert: true } };
};
