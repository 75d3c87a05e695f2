/** Limits what is stored of unknown senders' updates, and how many (L8). */
import { MINUTE } from '#model/values';
import { reduceToStoredUpdate } from './commands/read-telegram-update.ts';

export const strangerRecord = (update: object, hinted: readonly string[], quota: StrangerQuota): unknown => {
  const ids = reduceToStoredUpdate(update);
  if (!ids) return null;
  // Membership updates come from Telegram itself, but count against the quota as well.
  if (!('stranger' in ids)) {
    const chat = 'gone' in ids ? ids.gone.chat : 'moved' in ids ? ids.moved.from : ids.hidden.chat;
    return quota(chat) ? ids : null;
  }
  const { user, callback, code } = ids.stranger;
  if (callback === null && code === undefined && hinted.includes(user)) return null;
  return quota(user) ? ids : null;
};

/** Maximum number of stored updates per minute, per sender and in total. */
const QUOTA = { each: 3, all: 60, windowMs: MINUTE };
export type StrangerQuota = (user: string) => boolean;

export const createStrangerQuota = (clock: { now(): number }): StrangerQuota => {
  let began = -Infinity;
  let seen = new Map<string, number>();
  let all = 0;
  return (user) => {
    const now = clock.now();
    if (now < began || now - began >= QUOTA.windowMs)
      [began, seen, all] = [now, new Map<string, number>(), 0];
    const own = (seen.get(user) ?? 0) + 1;
    if (own > QUOTA.each || all >= QUOTA.all) return false;
    seen.set(user, own);
    all += 1;
    return true;
  };
};
