/** L8: what is kept of updates from people whom we do not know, and how many of them. */
import { MINUTE } from '../orchestrator/core/units.ts';
import { idsOnly } from './commands/read-update.ts';

/** What is kept of somebody we do not know; null when it is nothing to us. */
export const strangerRecord = (update: object, hinted: readonly string[], quota: StrangerQuota): unknown => {
  const ids = idsOnly(update);
  if (!ids) return null;
  // What became of a chat is Telegram's word; a flood of it costs as much as one of strangers.
  if (!('stranger' in ids)) {
    const chat = 'gone' in ids ? ids.gone.chat : 'moved' in ids ? ids.moved.from : ids.hidden.chat;
    return quota(chat) ? ids : null;
  }
  const { user, callback, code } = ids.stranger;
  if (callback === null && code === undefined && hinted.includes(user)) return null;
  return quota(user) ? ids : null;
};

/**
 * Updates of strangers that are looked at in a minute: of each, and of all of them. They may ask
 * again.
 */
const QUOTA = { each: 3, all: 60, windowMs: MINUTE };
export type StrangerQuota = (user: string) => boolean;

export const createQuota = (clock: { now(): number }): StrangerQuota => {
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
