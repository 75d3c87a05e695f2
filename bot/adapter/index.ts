/** Chats: what a service gives (`ChatAdapter`), what its adapter is made of, and how those of a host are joined. */
export {
  type ChatAdapter,
  type ChatConnection,
  type ChatHost,
  type ChatWebhook,
  type ConfiguredChat,
  type ConnectedChat,
  loadChats,
  type LoadedChat,
} from './chat-adapter.ts';
export { createChatInboxHandlers, chatTraitsOf } from './chat-inbox-handlers.ts';
export { joinChats, combineChatLimits } from './join-chats.ts';
export type { InboundUpdate } from '../commands/inbound-update.ts';
export type { TapAnswer } from '../commands/settle-tap.ts';
export type { ChatRoles } from '../commands/user-roles.ts';
export type { ReadSentFile } from '../received-files.ts';
export { HINTED_SETTING, readHinted } from '../commands/answer-stranger.ts';
export { isCommand, isReadOnlyRequest, parseCommand } from '../commands/parse-command.ts';
export { createStrangerQuota } from '../stranger-quota.ts';
