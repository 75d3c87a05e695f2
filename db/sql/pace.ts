/** C3: how fast Telegram lets a bot speak: to each chat, and to all of them together. Kept to before Telegram has to refuse. */

/** What is waiting, by who goes first; work of runs comes after what people wait for. */
export const RANK = { card: 0, work: 1, answer: 2, message: 3, progress: 4 } as const;
/** In this order. */
export const SPOKEN = ['card', 'answer', 'message', 'progress'] as const;
export type MessageClass = (typeof SPOKEN)[number];

/** From when on a chat may hear each of them (epoch ms). */
export type Pace = { chat: number; owed_at: number; strict_until: number } & {
  [S in MessageClass as `${S}_at`]: number;
};

/** Stands for all chats together; no chat has this id. */
export const EVERYBODY = 0;

type Limit = {
  /** One message in so many ms, for as long as it lasts. */
  every: number;
  /** At once after a silence. What is worth more keeps room that the rest may not use. */
  burst: Record<MessageClass, number>;
  /** Progress is edited at most this often (ms). */
  progress: number;
};
/**
 * Bot FAQ, "My bot is hitting limits": about one message a second in a chat, 20 a minute in a group, 30 a second overall;
 * edits count. Burst and sustained rate together stay within each of them, whatever the window.
 */
const PRIVATE: Limit = {
  every: 1_000,
  burst: { card: 4, answer: 3, message: 3, progress: 2 },
  progress: 2_500,
};
const GROUP: Limit = {
  every: 4_000,
  burst: { card: 5, answer: 3, message: 3, progress: 1 },
  progress: 6_000,
};
const OVERALL: Limit = { every: 50, burst: { card: 10, answer: 8, message: 8, progress: 6 }, progress: 0 };

/** After a burst was refused there is none for so long: between two messages lies at least a second (ms). */
const STRICT = 600_000;
const GAP = 1_000;

const limitOf = (chat: number): Limit => (chat === EVERYBODY ? OVERALL : chat < 0 ? GROUP : PRIVATE);

export const spokenOf = (rank: number): MessageClass =>
  SPOKEN.find((name) => RANK[name] === rank) ?? 'message';

/** After a message was given to a chat. */
export const paced = (pace: Pace | undefined, chat: number, what: MessageClass, now: number): Pace => {
  const { every, burst, progress } = limitOf(chat);
  const owed_at = Math.max(pace?.owed_at ?? 0, now) + every;
  const strict_until = pace?.strict_until ?? 0;
  const gap = now < strict_until ? now + GAP : 0;
  const from = (one: MessageClass): number =>
    Math.max(held(pace, one), owed_at - (burst[one] - 1) * every, gap);
  const next = what === 'progress' ? now + progress : 0;
  return {
    ...{
      chat,
      owed_at,
      strict_until,
      card_at: from('card'),
      answer_at: from('answer'),
      message_at: from('message'),
    },
    progress_at: Math.max(from('progress'), next),
  };
};
const held = (pace: Pace | undefined, what: MessageClass): number => pace?.[`${what}_at`] ?? 0;

/** After Telegram refused: nothing until then, and no burst for a while when it is over. */
export const silenced = (pace: Pace | undefined, chat: number, until: number): Pace => {
  const { every, burst } = limitOf(chat);
  const at = (what: MessageClass): number => Math.max(held(pace, what), until);
  return {
    ...{ chat, owed_at: Math.max(pace?.owed_at ?? 0, until + (burst.card - 1) * every) },
    strict_until: chat === EVERYBODY ? 0 : until + STRICT,
    ...{
      card_at: at('card'),
      answer_at: at('answer'),
      message_at: at('message'),
      progress_at: at('progress'),
    },
  };
};
