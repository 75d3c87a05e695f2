/** Words for people: cut to a length, with a number, or for a span of time. */
import { HOUR, MINUTE, SECOND } from './units.ts';

/** At most `max` UTF-16 units, the ellipsis included; no character is cut in two. */
export const cutText = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, Math.max(0, max - 1)).replace(/[\ud800-\udbff]$/, '')}…`;

/** The same from the other end, for a path whose end matters more than its start. */
export const cutStart = (text: string, max: number): string =>
  text.length <= max ? text : `…${text.slice(text.length - max + 1).replace(/^[\udc00-\udfff]/, '')}`;

/** `1 file`, `2 files` */
export const countWords = (n: number, one: string, many = `${one}s`): string =>
  `${n} ${n === 1 ? one : many}`;

/** `12 s`, `5 min`, `3 h` */
export const timeSpan = (ms: number): string => {
  if (ms < 2 * MINUTE) return `${Math.max(1, Math.round(ms / SECOND))} s`;
  return ms < 2 * HOUR ? `${Math.round(ms / MINUTE)} min` : `${Math.round(ms / HOUR)} h`;
};
