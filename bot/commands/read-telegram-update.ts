/** Converts stored Telegram updates to messages and taps. Pure. */
import { z } from 'zod';
import { MAX_SENT_PICTURE_BYTES, type SentPicture } from '#model/order';
import { formatTopicChat } from '../chat-topics.ts';
import type { InboundUpdate, InertHint, SentFile } from './inbound-update.ts';
import type { SentRecording } from '../voice/voice-notes.ts';
import { toStoredUpdate, readStoredUpdate, type StoredUpdate } from './stored-update.ts';

const id = z.int().transform(String);
const User = z.object({
  id,
  is_bot: z.boolean().optional(),
  first_name: z.string().default(''),
  username: z.string().optional(),
  language_code: z.string().max(35).nullish().catch(null),
});
const ChatRef = z.object({ id, type: z.string() });
/** Content types that users send on purpose; other messages without text are service messages. */
const MEDIA = [
  ...['photo', 'video', 'video_note', 'voice', 'audio', 'document', 'animation', 'live_photo'],
  ...['sticker', 'story', 'paid_media', 'contact', 'dice', 'game', 'poll', 'venue', 'location'],
  ...['checklist', 'rich_message'],
] as const;
const Message = z.object({
  message_id: id,
  from: User.optional(),
  sender_chat: z.unknown().optional(),
  chat: ChatRef,
  text: z.string().optional(),
  caption: z.string().optional(),
  document: z
    .object({
      file_id: z.string(),
      file_name: z.string().optional(),
      file_size: z.number().optional(),
      mime_type: z.string().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  media_group_id: z.string().optional(),
  reply_to_message: z
    .object({ message_id: id, from: User.optional(), text: z.string().optional() })
    .optional()
    .catch(undefined),
  forward_origin: z.unknown().optional(),
  /** Set instead of `forward_origin` by Bot API servers older than 7.0. */
  forward_date: z.unknown().optional(),
  via_bot: z.unknown().optional(),
  is_topic_message: z.boolean().optional().catch(undefined),
  message_thread_id: z.int().optional().catch(undefined),
  migrate_to_chat_id: id.optional().catch(undefined),
  users_shared: z
    .object({ users: z.array(z.object({ user_id: id, first_name: z.string().optional() })) })
    .optional()
    .catch(undefined),
  ...Object.fromEntries(
    MEDIA.filter((kind) => kind !== 'document').map((kind) => [kind, z.unknown().optional()]),
  ),
});
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
      message: z
        .object({
          message_id: id,
          chat: ChatRef,
          is_topic_message: z.boolean().optional().catch(undefined),
          message_thread_id: z.int().optional().catch(undefined),
        })
        .optional(),
    })
    .optional(),
  my_chat_member: z
    .object({
      chat: ChatRef.extend({ title: z.string().optional() }),
      from: User,
      new_chat_member: z.object({ status: z.string(), is_member: z.boolean().optional() }),
    })
    .optional()
    .catch(undefined),
});

/** Bot API: `message_thread_id` names a topic only together with `is_topic_message`. */
const placeOf = (message: {
  chat: { id: string };
  is_topic_message?: boolean | undefined;
  message_thread_id?: number | undefined;
}): string =>
  message.is_topic_message && message.message_thread_id !== undefined
    ? formatTopicChat(message.chat.id, message.message_thread_id)
    : message.chat.id;
export const isTelegramUserId = (id: string): boolean => /^[1-9]\d{0,14}$/.test(id);

/** Bot API, "Message": ids grow within a chat. Compare as numbers: "9" is before "11". */
export const isEarlierTelegramMessage = (messageId: string, than: string): boolean =>
  Number(messageId) < Number(than);

export const ANONYMOUS_ADMIN = '1087968824';
const nothing: InboundUpdate = { kind: 'inert', hint: null, chat: null, callbackId: null };

export const readTelegramUpdate = (body: unknown): InboundUpdate => {
  const kept = readStoredUpdate(body);
  if (kept) return kept;
  const update = Update.safeParse(body);
  if (!update.success) return nothing;
  const { message, edited_message, callback_query, my_chat_member } = update.data;
  if (callback_query) return readTap(callback_query);
  if (my_chat_member)
    return isSupportedChatType(my_chat_member.chat.type) ? readMembership(my_chat_member) : nothing;
  if (message?.migrate_to_chat_id !== undefined)
    return { kind: 'moved', from: message.chat.id, to: message.migrate_to_chat_id };
  // guard: G4-edited
  if (message) return readMessage(message);
  if (!edited_message?.text?.startsWith('/')) return nothing;
  return toInert('edited', placeOf(edited_message));
};

/** Bot API, ChatMember: a `restricted` member is present only if `is_member`. */
const readMembership = ({
  chat,
  from,
  new_chat_member: { status, is_member },
}: NonNullable<z.infer<typeof Update>['my_chat_member']>): InboundUpdate => ({
  kind: 'place',
  chat: chat.id,
  here: status === 'restricted' ? is_member === true : !['left', 'kicked'].includes(status),
  title: chat.title ?? '',
  by: from.is_bot ? null : from.id,
});

const toInert = (hint: InertHint, chat: string): InboundUpdate => ({
  kind: 'inert',
  hint,
  chat,
  callbackId: null,
});

const isSupportedChatType = (type: string): boolean => ['private', 'group', 'supergroup'].includes(type);

const readTap = (query: NonNullable<z.infer<typeof Update>['callback_query']>): InboundUpdate => {
  const { id, from, data, inline_message_id, message } = query;
  // guard: G4-tap-chat
  if (
    inline_message_id !== undefined ||
    !message ||
    !isSupportedChatType(message.chat.type) ||
    data === undefined
  ) {
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
    chat: placeOf(message),
    private: chat.type === 'private',
    callbackId: id,
    messageId,
    data,
  };
};

/** Only this command takes a file; captions of other files are no commands. */
const WITH_FILE = /^\/batch(?:@\w+)?(?:\s|$)/i;
const fileIn = ({
  document,
  caption,
}: z.infer<typeof Message>): { caption: string; file: SentFile } | null => {
  if (!document || !WITH_FILE.test(caption ?? '')) return null;
  const { file_id: id, file_name: name = '', file_size: size = null } = document;
  return { caption: caption ?? '', file: { id, name: name.slice(0, 200), size } };
};

/** Bot API, PhotoSize: the same photo in several sizes, the largest last. */
const Photo = z
  .array(z.object({ file_id: z.string(), file_size: z.number().optional() }))
  .min(1)
  .catch([]);
const pictureIn = (message: z.infer<typeof Message>): SentPicture | null => {
  const { document } = message;
  const sizes = Photo.parse((message as Record<string, unknown>).photo);
  const fits = sizes.findLast(({ file_size = 0 }) => file_size <= MAX_SENT_PICTURE_BYTES);
  const found = fits ?? sizes.at(-1) ?? (document?.mime_type?.startsWith('image/') ? document : undefined);
  return found ? { id: found.file_id, size: found.file_size ?? null } : null;
};

/** C2: only this command takes a picture; the words below one are free text otherwise. */
const WITH_PICTURE = /^\/new(?:@\w+)?(?:\s|$)/i;
const findCaptionedPicture = (
  message: z.infer<typeof Message>,
): { caption: string; picture: SentPicture } | null => {
  const { caption, chat, media_group_id: album } = message;
  if (!caption || album !== undefined) return null;
  const isRead = caption.startsWith('/') ? WITH_PICTURE.test(caption) : chat.type === 'private';
  const picture = isRead ? pictureIn(message) : null;
  return picture && { caption, picture };
};

const Voice = z.object({ file_id: z.string(), duration: z.number(), file_size: z.number().optional() });

const recordingIn = (message: z.infer<typeof Message>): SentRecording | null => {
  const voice = Voice.safeParse((message as Record<string, unknown>).voice).data;
  // guard: C10-not-overheard
  if (!voice || (message.chat.type !== 'private' && !message.reply_to_message?.from?.is_bot)) return null;
  return { id: voice.file_id, seconds: voice.duration, size: voice.file_size ?? null };
};

type Sender = NonNullable<z.infer<typeof Message>['from']>;

const contentOf = (message: z.infer<typeof Message>) => {
  const sent = fileIn(message);
  const below = message.text === undefined && sent === null ? findCaptionedPicture(message) : null;
  const recording = recordingIn(message);
  const spoken = recording ? (message.caption ?? '') : undefined;
  const text = message.text ?? sent?.caption ?? below?.caption ?? spoken;
  return {
    text,
    sent: {
      ...(sent ? { file: sent.file } : {}),
      ...(below === null ? {} : { picture: below.picture }),
      ...(recording ? { recording } : {}),
    },
  };
};

const readMessage = (message: z.infer<typeof Message>): InboundUpdate => {
  const { from, chat, reply_to_message: answers } = message;
  const { text, sent } = contentOf(message);
  if (!isSupportedChatType(chat.type)) return nothing;
  const isPrivate = chat.type === 'private';
  const at = placeOf(message);
  const toWritten = ({ id, first_name, language_code }: Sender) => ({
    kind: 'message' as const,
    user: id,
    name: first_name,
    language: language_code ?? null,
    chat: at,
    private: isPrivate,
    messageId: message.message_id,
  });
  if (message.users_shared && isPrivate && from && !from.is_bot)
    return {
      ...toWritten(from),
      replyTo: null,
      text: '',
      shared: message.users_shared.users.map(({ user_id, first_name }) => ({
        id: user_id,
        name: first_name ?? '',
      })),
    };
  if (text === undefined) return isTold(message, { isPrivate }) ? toInert('textless', at) : nothing;
  const toInertIfMeant = (hint: InertHint): InboundUpdate =>
    isPrivate || text.startsWith('/') ? toInert(hint, at) : nothing;
  // guard: G4-forwarded
  if (message.forward_origin !== undefined || message.forward_date !== undefined)
    return toInertIfMeant('forwarded');
  if (message.via_bot !== undefined) return toInertIfMeant('inline');
  // guard: G4-channel
  if (message.sender_chat !== undefined || from?.id === ANONYMOUS_ADMIN) return toInertIfMeant('anonymous');
  // guard: G4-bots
  if (!from || from.is_bot) return nothing;
  return {
    ...toWritten(from),
    replyTo: answers?.message_id ?? null,
    ...(answers?.from?.is_bot && answers.text !== undefined
      ? { repliedTo: { bot: answers.from.username ?? '', text: answers.text } }
      : {}),
    text,
    ...sent,
  };
};

export const isTelegramUpdate = (body: unknown): body is { update_id: number } =>
  typeof body === 'object' && body !== null && 'update_id' in body && Number.isSafeInteger(body.update_id);

/** Only the captioned message of an album counts, so that an album is answered once. */
const isTold = (message: z.infer<typeof Message>, { isPrivate }: { isPrivate: boolean }): boolean => {
  const { caption, media_group_id, from } = message;
  if (!from || from.is_bot) return false;
  if (caption !== undefined) return isPrivate || caption.startsWith('/');
  return (
    isPrivate &&
    media_group_id === undefined &&
    MEDIA.some((kind) => (message as Record<string, unknown>)[kind] !== undefined)
  );
};

export const findSenderId = (raw: unknown): string | null => {
  const update = Update.safeParse(raw);
  if (!update.success) return null;
  const { message, edited_message, callback_query, my_chat_member } = update.data;
  return (callback_query ?? message ?? edited_message ?? my_chat_member)?.from?.id ?? null;
};

export const reduceToStoredUpdate = (raw: unknown): StoredUpdate | null =>
  isTelegramUpdate(raw) ? toStoredUpdate(readTelegramUpdate(raw), raw.update_id) : null;
