/** Handles a stored update: identifies user and command or tap, and submits at most one input. */
import { CHANGED_RECORD, SET_ASIDE, type InboxRow, type ChatReply } from '#ports/steps';
import { adoptWrittenLanguage, learnLanguage } from '../language/languages.ts';
import { redactSecrets, showInvisible } from '../../text-safety/index.ts';
import type { InboundUpdate } from './inbound-update.ts';
import { handleFreeText, isFleetQuestion, offerFormAnswer, proposeOrder } from './free-text.ts';
import { plainReply, settleUpdate, type BotParts, type CommandContext } from './command-context.ts';
import { handleVoiceNote } from './handle-voice-note.ts';
import { chooseUserRoles } from './manage-users.ts';
import { isBotInChat, moveChat, recordBotPresence } from '../moved-chats.ts';
import { canBeAnswer, splitCommand } from './parse-command.ts';
import type { HandledUpdate } from './settle-tap.ts';
import { routeTap } from './route-tap.ts';
import { runTypedCommand, answerUnknownCommand } from './typed-command.ts';
import { askForMissingPart, completeOrder, withWhichRunQuestionClosed, isFull } from './unfinished-order.ts';
import { cutText } from '#model/values';
import { answerStranger } from './answer-stranger.ts';

const recordChatPlace = async (
  parts: BotParts,
  row: InboxRow,
  { chat, here, title, by }: Extract<InboundUpdate, { kind: 'place' }>,
): Promise<HandledUpdate> => {
  const member = await parts.people.roles.of(chat);
  const before = await isBotInChat(parts.ledger.query, chat);
  const ours =
    member !== null || before !== null || (here && by !== null && (await parts.people.roles.of(by)) !== null);
  const news = ours && (await recordBotPresence(parts.ledger, chat, { here }));
  const [admin] = parts.adapter.deciders.filter((id) => id !== chat);
  const name = member?.name ?? (showInvisible(title).slice(0, 60) || chat);
  const replies: ChatReply[] = [];
  if (news && here && member === null)
    replies.push({ ...plainReply((await parts.people.wordsFor(chat)).places.hello), chat });
  if (news && !here && admin !== undefined)
    replies.push({
      ...plainReply((await parts.people.wordsFor(admin)).places[member ? 'blocked' : 'removed'](name)),
      chat: admin,
      sound: true,
    });
  await parts.ledger.settleInbox(
    row.id,
    { kind: 'done', note: here ? 'let in' : 'put out', replies },
    parts.clock.now(),
  );
  return {};
};

export const createBotHandler = (parts: BotParts) => ({
  /** Throws only for bugs and store failures; the row then stays open and is retried. */
  async handle(row: InboxRow): Promise<HandledUpdate> {
    const inbound = parts.adapter.read(row.body);
    switch (inbound.kind) {
      case 'inert':
        return answerInert(parts, row, inbound);
      case 'stranger':
        return answerStranger(parts, row, inbound);
      case 'place':
        return recordChatPlace(parts, row, inbound);
      case 'moved':
        await moveChat(parts.ledger, inbound.from, inbound.to);
        await parts.ledger.settleInbox(
          row.id,
          { kind: 'done', note: 'moved', replies: [] },
          parts.clock.now(),
        );
        return {};
      case 'message':
      case 'tap': {
        const member = await parts.people.roles.of(inbound.user);
        // The user's role was removed after the update was stored.
        if (!member)
          return answerStranger(parts, row, {
            ...inbound,
            kind: 'stranger',
            callbackId: inbound.kind === 'tap' ? inbound.callbackId : null,
            code: null,
          });
        const name = cutText(showInvisible(member.name ?? inbound.name).trim(), 60) || `user ${inbound.user}`;
        if (inbound.private) await learnLanguage(parts.ledger, inbound.chat, inbound.language);
        if (inbound.kind === 'message' && isToUs(inbound, parts.adapter.botName())) {
          const isNew = await adoptWrittenLanguage(parts.ledger, inbound.chat, inbound.text);
          if (isNew && inbound.private) parts.people.onMember?.(inbound.user);
        }
        await recordBotPresence(parts.ledger, inbound.chat, { here: true });
        const context: CommandContext = {
          ...parts,
          row,
          user: inbound.user,
          name,
          role: member.role,
          chat: inbound.chat,
          private: inbound.private,
          picture: (inbound.kind === 'message' ? inbound.picture : null) ?? null,
          file: (inbound.kind === 'message' ? inbound.file : null) ?? null,
          language: inbound.language,
          screen: null,
          also: null,
          words: await parts.people.wordsFor(inbound.chat),
          question: inbound.kind === 'tap' ? `${inbound.messageId} ${inbound.data}` : inbound.text.trim(),
        };
        if (inbound.kind === 'tap') return { tap: await routeTap(context, inbound) };
        await onMessage(context, inbound);
        return {};
      }
    }
  },
  /** S6: tells the sender that the update was given up; strangers get no reply. */
  async replyGivenUp(row: InboxRow, reason: string): Promise<ChatReply[]> {
    const inbound = parts.adapter.read(row.body);
    if (inbound.kind !== 'message' && inbound.kind !== 'tap') return [];
    if (!(await parts.people.roles.of(inbound.user))) return [];
    const words = await parts.people.wordsFor(inbound.chat);
    const { setAside, givenUp, changedRecord } = words.replies;
    const says =
      reason === SET_ASIDE
        ? setAside
        : reason.startsWith(CHANGED_RECORD)
          ? changedRecord
          : givenUp(cutText(redactSecrets(reason), 300).replace(/[.!?]?$/, '.'));
    return [{ ...plainReply(says), chat: inbound.chat }];
  },
});

const isToUs = (
  { private: own, text }: Extract<InboundUpdate, { kind: 'message' }>,
  name: string | null,
): boolean =>
  own || text.startsWith('/') || (name !== null && text.toLowerCase().includes(`@${name.toLowerCase()}`));

const onMessage = async (
  asker: CommandContext,
  message: Extract<InboundUpdate, { kind: 'message' }>,
): Promise<void> => {
  const context = await withWhichRunQuestionClosed(asker);
  if (message.shared) return chooseUserRoles(context, message.shared);
  if (message.recording) return handleVoiceNote(context, message, message.recording);
  const split = splitCommand(message.text, context.adapter.botName());
  const isCommand = !('kind' in split);
  const whole = isCommand
    ? null
    : await completeOrder(context, message, () => isFleetQuestion(context, message.text));
  if (whole?.kind === 'dropped')
    return settleUpdate(whole.context, 'taken back', plainReply(whole.context.words.unfinished.dropped));
  if (whole?.kind === 'order') return proposeOrder(whole.context, whole.order);
  const text = whole?.text ?? message.text;
  // guard: C1-full-message
  if (isFull(message.text) && (isCommand || whole))
    return askForMissingPart(whole?.context ?? context, { by: context.user, lacks: 'rest', text });
  if (whole && !('kind' in whole.split))
    return runTypedCommand(whole.context, whole.split, { ...message, isNamedLater: whole.isNamed });
  if (whole)
    return handleFreeText(whole.context, { ...message, text, replyTo: null, private: true, command: true });
  if (isCommand) return runTypedCommand(context, split, message);
  switch (split.kind) {
    case 'other_bot':
      return settleUpdate(context, 'for another bot');
    case 'text':
      // Deferral is decided later, because only read-only questions are deferred.
      return handleFreeText(context, message);
    case 'unknown':
      // Paths also begin with a slash.
      return canBeAnswer(split) && (await offerFormAnswer(context, message))
        ? undefined
        : answerUnknownCommand(context, split);
  }
};

const answerInert = async (
  parts: BotParts,
  row: InboxRow,
  inbound: Extract<InboundUpdate, { kind: 'inert' }>,
): Promise<HandledUpdate> => {
  const { hint: given, chat, callbackId, known } = inbound;
  const answered =
    known !== true || (chat !== null && (await isBotInChat(parts.ledger.query, chat)) === true);
  const hint = answered ? given : null;
  const text = hint ? (await parts.people.wordsFor(chat)).hints[hint] : '';
  const replies =
    hint && chat !== null ? [{ ...plainReply(text), chat, slot: `hint:${hint}`, fresh: true }] : [];
  await parts.ledger.settleInbox(
    row.id,
    { kind: 'done', note: hint ?? 'nothing to do', replies },
    parts.clock.now(),
  );
  return callbackId === null ? {} : { tap: { callbackId, text, alert: true } };
};
