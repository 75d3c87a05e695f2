/**
 * C3: how fast a chat takes messages. The chat's adapter knows it; the ledger keeps to it before
 * the chat has to refuse.
 */

/** What waits to be sent, by who goes first. */
export const MESSAGE_CLASSES = ['card', 'answer', 'message', 'progress'] as const;
export type MessageClass = (typeof MESSAGE_CLASSES)[number];

export type ChatLimit = {
  /** One message in so many ms, for as long as it lasts. */
  every: number;
  /** At once after a silence. What is worth more keeps room that the rest may not use. */
  burst: Record<MessageClass, number>;
  /** Progress is edited at most this often (ms). */
  progress: number;
};

export type ChatLimits = { of(chat: string): ChatLimit; overall: ChatLimit };

/**
 * About one message a second in a chat, and twenty in all of them together: most services take
 * that.
 */
export const CALM_LIMITS = {
  of: () => ({ every: 1_000, burst: { card: 4, answer: 3, message: 3, progress: 2 }, progress: 2_500 }),
  overall: { every: 50, burst: { card: 10, answer: 8, message: 8, progress: 6 }, progress: 0 },
} as const satisfies ChatLimits;
