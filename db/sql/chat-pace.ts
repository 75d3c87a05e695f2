/** C3: from when on each chat may hear what, kept to before a chat has to refuse. */
import {
  MESSAGE_CLASSES,
  type ChatLimit,
  type ChatLimits,
  type MessageClass,
} from '../../orchestrator/ports/chat-limits.ts';

/** What is waiting, by who goes first; work of runs comes after what people wait for. */
export const MESSAGE_RANK = { card: 0, work: 1, answer: 2, message: 3, progress: 4 } as const;

/** From when on a chat may hear each of them (epoch ms). */
export type ChatPace = { chat: string; owed_at: number; strict_until: number } & {
  [S in MessageClass as `${S}_at`]: number;
};

/** Stands for all chats together; no chat has this id. */
export const ALL_CHATS = '';

/**
 * After a burst was refused there is none for so long: between two messages lies at least a second
 * (ms).
 */
const STRICT_PACE_MS = 600_000;
const MIN_PACE_GAP_MS = 1_000;

export const messageClassOf = (rank: number): MessageClass =>
  MESSAGE_CLASSES.find((name) => MESSAGE_RANK[name] === rank) ?? 'message';

/** Whom a pace is of, and how fast they may be spoken to. */
type Whom = { chat: string; limit: ChatLimit };

/** After a message was given to a chat. */
export const paceAfterSend = (
  pace: ChatPace | undefined,
  { chat, limit }: Whom,
  what: MessageClass,
  now: number,
): ChatPace => {
  const { every, burst, progress } = limit;
  const owed_at = Math.max(pace?.owed_at ?? 0, now) + every;
  const strict_until = pace?.strict_until ?? 0;
  const gap = now < strict_until ? now + MIN_PACE_GAP_MS : 0;
  const from = (one: MessageClass): number =>
    Math.max(held(pace, one), owed_at - (burst[one] - 1) * every, gap);
  const next = what === 'progress' ? now + progress : 0;
  return {
    chat,
    owed_at,
    strict_until,
    card_at: from('card'),
    answer_at: from('answer'),
    message_at: from('message'),
    progress_at: Math.max(from('progress'), next),
  };
};
const held = (pace: ChatPace | undefined, what: MessageClass): number => pace?.[`${what}_at`] ?? 0;

/** After a chat refused: nothing until then, and no burst for a while when it is over. */
export const paceAfterRefusal = (
  pace: ChatPace | undefined,
  { chat, limit }: Whom,
  until: number,
): ChatPace => {
  const { every, burst } = limit;
  const at = (what: MessageClass): number => Math.max(held(pace, what), until);
  return {
    chat,
    owed_at: Math.max(pace?.owed_at ?? 0, until + (burst.card - 1) * every),
    strict_until: chat === ALL_CHATS ? 0 : until + STRICT_PACE_MS,
    card_at: at('card'),
    answer_at: at('answer'),
    message_at: at('message'),
    progress_at: at('progress'),
  };
};

/** The pace of one chat, and that of all together. */
export const chatPaceLimit = (limits: ChatLimits, chat: string): Whom => ({
  chat,
  limit: chat === ALL_CHATS ? limits.overall : limits.of(chat),
});
