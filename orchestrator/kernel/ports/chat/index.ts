/** Chats: what is sent there, and how much. */
export {
  CALM_LIMITS,
  type ChatLimit,
  type ChatLimits,
  MESSAGE_CLASSES,
  type MessageClass,
} from './chat-limits.ts';
export { type ChatButton, ChatMoved, type ChatPicture, type ChatPort, MaybeSent } from './chat.ts';
