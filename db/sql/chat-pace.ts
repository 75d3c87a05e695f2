/** Computes when each chat may receive the next message of each class (C3). */
import { MESSAGE_CLASSES, type ChatLimit, type ChatLimits, type MessageClass } from '#ports/chat';

/** Priorities; lower numbers go first. */
export const MESSAGE_RANK = { card: 0, work: 1, answer: 2, message: 3, progress: 4 } as const;

export type ChatPace = { chat: string; owed_at: number; strict_until: number } & {
  [S in MessageClass as `${S}_at`]: number;
};

/** Pseudo chat for the total limit. */
export const ALL_CHATS = '';

/** No bursts for this long after a refusal; minimum interval meanwhile (ms). */
const STRICT_PACE_MS = 600_000;
const MIN_PACE_GAP_MS = 1_000;

export const messageClassOf = (rank: number): MessageClass =>
  MESSAGE_CLASSES.find((name) => MESSAGE_RANK[name] === rank) ?? 'message';

type Whom = { chat: string; limit: ChatLimit };

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
  const earliestOf = (one: MessageClass): number =>
    Math.max(paceTimeOf(pace, one), owed_at - (burst[one] - 1) * every, gap);
  const next = what === 'progress' ? now + progress : 0;
  return {
    chat,
    owed_at,
    strict_until,
    card_at: earliestOf('card'),
    answer_at: earliestOf('answer'),
    message_at: earliestOf('message'),
    progress_at: Math.max(earliestOf('progress'), next),
  };
};
const paceTimeOf = (pace: ChatPace | undefined, what: MessageClass): number => pace?.[`${what}_at`] ?? 0;

export const paceAfterRefusal = (
  pace: ChatPace | undefined,
  { chat, limit }: Whom,
  until: number,
): ChatPace => {
  const { every, burst } = limit;
  const laterOf = (what: MessageClass): number => Math.max(paceTimeOf(pace, what), until);
  return {
    chat,
    owed_at: Math.max(pace?.owed_at ?? 0, until + (burst.card - 1) * every),
    strict_until: chat === ALL_CHATS ? 0 : until + STRICT_PACE_MS,
    card_at: laterOf('card'),
    answer_at: laterOf('answer'),
    message_at: laterOf('message'),
    progress_at: laterOf('progress'),
  };
};

export const toPacedChat = (limits: ChatLimits, chat: string): Whom => ({
  chat,
  limit: chat === ALL_CHATS ? limits.overall : limits.of(chat),
});
