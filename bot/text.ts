/** C5, P5: text of others made fit for a Telegram message: secrets hidden, invisible characters shown, cut, escaped. */
import { redact } from './redact.ts';

/** Bot API, sendMessage: 1–4096 characters after entities parsing; we count the markup too. */
export const MESSAGE_LIMIT = 4_096;

/** Controls, formats (bidi, zero width, tags), odd separators, lone surrogates, and letters that have no ink. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/gu;

export const visible = (text: string): string =>
  text
    .replace(/\r\n/g, '\n')
    .replace(/\t/g, '  ')
    .replace(INVISIBLE, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);

/** Bot API, HTML style: these four are all that needs escaping. */
export const escape = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** Keeps whole characters; the ellipsis counts. */
export const cut = (text: string, max: number): string => {
  if (text.length <= max) return text;
  return `${text.slice(0, Math.max(0, max - 1)).replace(/[\ud800-\udbff]$/, '')}…`;
};

/** A path whose end matters more than its start. */
export const cutStart = (text: string, max: number): string =>
  text.length <= max ? text : `…${text.slice(text.length - max + 1).replace(/^[\udc00-\udfff]/, '')}`;

const tidy = (text: string): string => visible(redact(text));
const oneLine = (text: string): string =>
  tidy(text)
    .replace(/\s*\n\s*/g, ' ')
    .trim();

/** One escaped line. Secrets are hidden before the cut, which would otherwise leave half of one. */
export const show = (text: string, max = 200): string => escape(cut(oneLine(text), max));
export const showPath = (path: string, max: number): string => escape(cutStart(oneLine(path), max));
/** One line in a code entity: no mention, link or command inside can be tapped. */
export const said = (text: string, max = 200): string => `<code>${show(text, max)}</code>`;

/** Several lines, whose escaped form is at most `max` characters. */
export const showBlock = (text: string, max: number): string => {
  const clean = tidy(text).trimEnd();
  for (let room = max; room > 0; room -= Math.max(1, escape(cut(clean, room)).length - max)) {
    const escaped = escape(cut(clean, room));
    if (escaped.length <= max) return escaped;
  }
  return '';
};

/** Whole lines as far as they fit; every line must be balanced markup by itself. */
export const fit = (lines: readonly string[], max = MESSAGE_LIMIT): string => {
  let html = '';
  for (const line of lines) {
    const next = html === '' ? line : `${html}\n${line}`;
    if (next.length > max - 2) return `${html}\n…`;
    html = next;
  }
  return html;
};

/** What a person sees of the markup. */
export const strip = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');

export const clockTime = (at: number): string => `${new Date(at).toISOString().slice(11, 16)} UTC`;
/** Bot API, date_time entity: the reader's own clock counts, so that no edit is needed. */
export const relative = (at: number): string =>
  `<tg-time unix="${Math.floor(at / 1000)}" format="r">${clockTime(at)}</tg-time>`;

export const duration = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d`;
};
export const short = (sha: string | null | undefined): string => sha?.slice(0, 6) ?? '(none)';
