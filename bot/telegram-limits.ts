/** Defines Telegram's rate limits, per chat and overall (C3). */
import { CALM_LIMITS, type ChatLimit, type ChatLimits } from '#ports/chat';

/**
 * Bot FAQ, "My bot is hitting limits": 1 message/s per chat, 20/min per group, 30/s overall.
 * Edits count. Burst plus rate stays below each limit in any window.
 */
const GROUP: ChatLimit = {
  every: 4_000,
  burst: { card: 5, answer: 3, message: 3, progress: 1 },
  progress: 6_000,
};

/** Bot API, "Chat": ids of groups are negative. */
export const isGroup = (chat: string): boolean => chat.startsWith('-');

export const telegramLimits: ChatLimits = {
  of: (chat) => (isGroup(chat) ? GROUP : CALM_LIMITS.of()),
  overall: CALM_LIMITS.overall,
};
