/** C3: how fast Telegram lets a bot speak: to each chat, and to all of them together. */
import { CALM_LIMITS, type ChatLimit, type ChatLimits } from '../orchestrator/ports.ts';

/**
 * Bot FAQ, "My bot is hitting limits": about one message a second in a chat, 20 a minute in a
 * group, 30 a second overall; edits count. Burst and sustained rate together stay within each of
 * them, whatever the window.
 */
const GROUP: ChatLimit = {
  every: 4_000,
  burst: { card: 5, answer: 3, message: 3, progress: 1 },
  progress: 6_000,
};

/** Bot API, "Chat": the id of a group has a minus before it. */
export const isGroup = (chat: string): boolean => chat.startsWith('-');

export const telegramLimits: ChatLimits = {
  of: (chat) => (isGroup(chat) ? GROUP : CALM_LIMITS.of()),
  overall: CALM_LIMITS.overall,
};
