/** Reads a stored Telegram update: what a person said or tapped, or why it means nothing. Pure. */
import { z } from 'zod';

const User = z.object({
  id: z.int(),
  is_bot: z.boolean().optional(),
  first_name: z.string().default(''),
  language_code: z.string().max(35).nullish().catch(null),
});
const ChatRef = z.object({ id: z.int(), type: z.string() });
const Message = z.object({
  message_id: z.int(),
  from: User.optional(),
  sender_chat: z.unknown().optional(),
  chat: ChatRef,
  text: z.string().optional(),
  caption: z.string().optional(),
  media_group_id: z.string().optional(),
  photo: z.unknown().optional(),
  video: z.unknown().optional(),
  video_note: z.unknown().optional(),
  voice: z.unknown().optional(),
  audio: z.unknown().optional(),
  document: z.unknown().optional(),
  reply_to_message: z.object({ message_id: z.int() }).optional().catch(undefined),
  forward_origin: z.unknown().optional(),
  /** What servers of one's own say instead that are older than Bot API 7.0. */
  forward_date: z.unknown().optional(),
  via_bot: z.unknown().optional(),
});
const MEDIA = ['photo', 'video', 'video_note', 'voice', 'audio', 'document'] as const;
const Update = z.object({
  update_id: z.int(),
  message: Message.optional(),
  edited_message: Message.optional(),
  callback_query: z
    .object({
      id: z.string(),
      from: User,
      data: z.string().optional(),
      inline_message_id: z.string().optional(),
      message: z.object({ message_id: z.int(), chat: ChatRef }).optional(),
    })
    .optional(),
});
/** L8: all that is kept of somebody we do not know. */
const Stranger = z.object({
  update_id: z.int(),
  stranger: z.object({ user: z.int(), chat: z.int().nullable(), callback: z.string().nullable() }),
});

/** `language` is the tag that their Telegram speaks, when it says one. */
type From = { user: number; name: string; language: string | null; chat: number };
export type Inbound =
  | (From & {
      kind: 'message';
      private: boolean;
      messageId: number;
      /** The message of the same chat that it answers. */
      replyTo: number | null;
      text: string;
    })
  | (From & { kind: 'tap'; callbackId: string; messageId: number; data: string })
  | { kind: 'stranger'; user: number; chat: number | null; callbackId: string | null }
  /** What never acts; `hint` is worth telling the sender. */
  | { kind: 'inert'; hint: InertHint | null; chat: number | null; callbackId: string | null };
export type InertHint = 'edited' | 'forwarded' | 'anonymous' | 'inline' | 'textless';

/** Telegram's own account that stands for group admins who hide behind the group. */
export const ANONYMOUS_ADMIN = 1087968824;
const nothing: Inbound = { kind: 'inert', hint: null, chat: null, callbackId: null };

export const readUpdate = (body: unknown): Inbound => {
  const stranger = Stranger.safeParse(body);
  if (stranger.success) {
    const { user, chat, callback } = stranger.data.stranger;
    return { kind: 'stranger', user, chat, callbackId: callback };
  }
  const update = Update.safeParse(body);
  if (!update.success) return nothing;
  const { message, edited_message, callback_query } = update.data;
  if (callback_query) return tap(callback_query);
  // guard: G4-edited
  if (message) return said(message);
  if (!edited_message?.text?.startsWith('/')) return nothing;
  return inert('edited', edited_message.chat.id);
};

const inert = (hint: InertHint, chat: number): Inbound => ({ kind: 'inert', hint, chat, callbackId: null });

const placed = (type: string): boolean => ['private', 'group', 'supergroup'].includes(type);

const tap = (query: NonNullable<z.infer<typeof Update>['callback_query']>): Inbound => {
  const { id, from, data, inline_message_id, message } = query;
  // guard: G4-tap-chat
  if (inline_message_id !== undefined || !message || !placed(message.chat.type) || data === undefined) {
    return { kind: 'inert', hint: 'inline', chat: null, callbackId: id };
  }
  // guard: G4-hidden-admin-tap
  if (from.id === ANONYMOUS_ADMIN) return { kind: 'inert', hint: 'anonymous', chat: null, callbackId: id };
  const { message_id: messageId, chat } = message;
  return {
    kind: 'tap',
    user: from.id,
    name: from.first_name,
    language: from.language_code ?? null,
    chat: chat.id,
    callbackId: id,
    messageId,
    data,
  };
};

const said = (message: z.infer<typeof Message>): Inbound => {
  const { from, chat, text, message_id: messageId } = message;
  if (!placed(chat.type)) return nothing;
  const isPrivate = chat.type === 'private';
  if (text === undefined) return isTold(message, isPrivate) ? inert('textless', chat.id) : nothing;
  const mute = (hint: InertHint): Inbound =>
    isPrivate || text.startsWith('/') ? inert(hint, chat.id) : nothing;
  // guard: G4-forwarded
  if (message.forward_origin !== undefined || message.forward_date !== undefined) return mute('forwarded');
  if (message.via_bot !== undefined) return mute('inline');
  // guard: G4-channel
  if (message.sender_chat !== undefined || from?.id === ANONYMOUS_ADMIN) return mute('anonymous');
  // guard: G4-bots
  if (!from || from.is_bot) return nothing;
  return {
    kind: 'message',
    user: from.id,
    name: from.first_name,
    language: from.language_code ?? null,
    chat: chat.id,
    private: isPrivate,
    messageId,
    replyTo: message.reply_to_message?.message_id ?? null,
    text,
  };
};

/** Whether something has the one member that every update has, and by which it is known. */
export const isUpdate = (body: unknown): body is { update_id: number } =>
  typeof body === 'object' && body !== null && 'update_id' in body && Number.isSafeInteger(body.update_id);

/** Whether somebody takes a message without text for one to us. Of an album only the words count, so that it is answered once. */
const isTold = (message: z.infer<typeof Message>, isPrivate: boolean): boolean => {
  const { caption, media_group_id, from } = message;
  if (!from || from.is_bot) return false;
  if (caption !== undefined) return isPrivate || caption.startsWith('/');
  return isPrivate && media_group_id === undefined && MEDIA.some((kind) => message[kind] !== undefined);
};

/** The person behind an update; null when there is none. */
export const senderOf = (raw: unknown): number | null => {
  const update = Update.safeParse(raw);
  if (!update.success) return null;
  const { message, edited_message, callback_query } = update.data;
  return (callback_query ?? message ?? edited_message)?.from?.id ?? null;
};

/** What is kept of an update by somebody unknown; null when there is nothing to answer (groups, edits). */
export const idsOnly = (raw: unknown): z.infer<typeof Stranger> | null => {
  const read = readUpdate(raw);
  const update_id = Update.safeParse(raw).data?.update_id;
  if (update_id === undefined) return null;
  if (read.kind === 'tap')
    return { update_id, stranger: { user: read.user, chat: null, callback: read.callbackId } };
  // guard: L8-strange-group
  if (read.kind !== 'message' || !read.private) return null;
  return { update_id, stranger: { user: read.user, chat: read.chat, callback: null } };
};
