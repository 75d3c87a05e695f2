/** Rate limits of bots (Bot FAQ, "My bot is hitting limits, how do I avoid this?"). */

export type Limits = {
  /** Messages and edits per second in all chats. */
  overall: number;
  /** Minimum interval in one chat (ms). */
  everyMs: number;
  /** Messages per minute in one group. */
  groupAMinute: number;
};
/** Telegram tolerates short bursts; this server does not. */
export const TELEGRAM_LIMITS: Limits = { overall: 30, everyMs: 1_000, groupAMinute: 20 };

/** Methods that count, in lower case; answers to taps do not. */
const COUNTED = new Set([
  ...['sendmessage', 'senddocument', 'sendmediagroup', 'editmessagetext', 'editmessagereplymarkup'],
]);

const SECOND = 1_000;
const MINUTE = 60_000;

export function createLimiter(limits: Limits | null, now: () => number) {
  let all: number[] = [];
  const chats = new Map<number, number[]>();

  const until = (times: number[], most: number, span: number, at: number): number => {
    const oldest = times.filter((time) => time > at - span).at(-most);
    return oldest === undefined ? 0 : oldest + span - at;
  };

  /** Seconds to wait; 0 if the call is allowed, and counted. */
  return (method: string, chat: unknown): number => {
    if (!limits || !COUNTED.has(method.toLowerCase())) return 0;
    const at = now();
    const id = Number(chat);
    const own = (chats.get(id) ?? []).filter((time) => time > at - MINUTE);
    all = all.filter((time) => time > at - SECOND);
    const wait = Math.max(
      until(all, limits.overall, SECOND, at),
      until(own, 1, limits.everyMs, at),
      id < 0 ? until(own, limits.groupAMinute, MINUTE, at) : 0,
    );
    if (wait > 0) return Math.ceil(wait / SECOND);
    all.push(at);
    chats.set(id, [...own, at]);
    return 0;
  };
}
