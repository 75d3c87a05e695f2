/** Rate limits of a chat, defined by its adapter and applied by the ledger before sending (C3). */

export const MESSAGE_CLASSES = ['card', 'answer', 'message', 'progress'] as const;
export type MessageClass = (typeof MESSAGE_CLASSES)[number];

export type ChatLimit = {
  /** Minimum interval of messages (ms). */
  every: number;
  /** Burst after a silence; higher classes keep room that lower ones may not use. */
  burst: Record<MessageClass, number>;
  /** Minimum interval of progress edits (ms). */
  progress: number;
};

export type ChatLimits = { of(chat: string): ChatLimit; overall: ChatLimit };

/** Default limits: one message a second per chat, twenty in total. */
export const CALM_LIMITS = {
  of: () => ({ every: 1_000, burst: { card: 4, answer: 3, message: 3, progress: 2 }, progress: 2_500 }),
  overall: { every: 50, burst: { card: 10, answer: 8, message: 8, progress: 6 }, progress: 0 },
} as const satisfies ChatLimits;
