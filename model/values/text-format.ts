/** Formats text for people: cuts, counts and durations. */
import { HOUR, MINUTE, SECOND } from './units.ts';

/** `max` counts UTF-16 units with the ellipsis; no character is split. */
export const cutText = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, Math.max(0, max - 1)).replace(/[\ud800-\udbff]$/, '')}…`;

export const cutStart = (text: string, max: number): string =>
  text.length <= max ? text : `…${text.slice(text.length - max + 1).replace(/^[\udc00-\udfff]/, '')}`;

export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const formatTimeSpan = (ms: number): string => {
  if (ms < 2 * MINUTE) return `${Math.max(1, Math.round(ms / SECOND))} s`;
  return ms < 2 * HOUR ? `${Math.round(ms / MINUTE)} min` : `${Math.round(ms / HOUR)} h`;
};
