/**
 * C5, P5: text of others made fit for a Telegram message: secrets hidden, invisible characters
 * shown, cut, escaped.
 */
import { showInvisible, visibleName } from '#text-safety';
import { redactSecrets } from './redact.ts';
import { DAY } from '../../orchestrator/core/units.ts';
import { cutText, cutStart } from '../../orchestrator/core/text-format.ts';

export { showInvisible };

/** Bot API, sendMessage: 1–4096 characters after entities parsing; we count the markup too. */
export const MESSAGE_LIMIT = 4_096;

/** Bot API, HTML style: these four are all that needs escaping. */
export const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

const tidy = (text: string): string => showInvisible(redactSecrets(text));
const oneLine = (text: string): string =>
  tidy(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

/** One escaped line. Secrets are hidden before the cut, which would otherwise leave half of one. */
export const escapedLine = (text: string, max = 200): string => escapeHtml(cutText(oneLine(text), max));
/** A plain answer. */
export const escapedSentence = (text: string): string => escapedLine(text, 1_000);
export const showPath = (path: string, max: number): string =>
  escapeHtml(cutStart(visibleName(redactSecrets(path)), max));
/** What Telegram makes tappable by itself: mentions, commands, tags, addresses, numbers of phones. */
const TAPPABLE = /[@#$/\\+]|[\p{L}\p{N}_-][.:][\p{L}\p{N}_-]|\d{4,}/u;
/**
 * One line of prose that may have words of others in it: of those, what could be tapped stands in
 * code.
 */
export const escapedProse = (text: string, max = 200): string =>
  cutText(oneLine(text), max)
    .split(/([\s，。；：（）“”、]+)/u)
    .map((part) => (TAPPABLE.test(part) ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part)))
    .join('');
/**
 * G8: lines of Markdown for people, every character of them: what heads a part is bold, what could
 * be tapped stands in code, and nothing is left out.
 */
export const proseLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const html = line
        .split(/(`[^`]+`|\s+)/u)
        .map((part) =>
          (TAPPABLE.test(part) && !/^#+$/.test(part)) || part.startsWith('`')
            ? `<code>${escapeHtml(part)}</code>`
            : escapeHtml(part),
        )
        .join('');
      return /^#{1,6} \S|^\*\*[^*]+\*\*$/.test(line) ? `<b>${html}</b>` : html;
    })
    .join('\n');
/** One line in a code entity: no mention, link or command inside can be tapped. */
export const codeLine = (text: string, max = 200): string => `<code>${escapedLine(text, max)}</code>`;

/**
 * Several lines, whose escaped form is at most `max` characters; `omitted` counts the characters
 * that do not show.
 */
export const showCut = (text: string, max: number): { html: string; omitted: number } => {
  const clean = tidy(text).trimEnd();
  for (let room = max; room > 0; room -= Math.max(1, escapeHtml(cutText(clean, room)).length - max)) {
    const short = cutText(clean, room);
    const html = escapeHtml(short);
    const omitted = short === clean ? 0 : clean.length - short.length + 1;
    if (html.length <= max) return { html, omitted };
  }
  return { html: '', omitted: clean.length };
};
export const showBlock = (text: string, max: number): string => showCut(text, max).html;

/** Whole lines as far as they fit; every line must be balanced markup by itself. */
export const fitLines = (lines: readonly string[], max = MESSAGE_LIMIT): string => {
  let html = '';
  for (const line of lines) {
    const next = html === '' ? line : `${html}\n${line}`;
    if (next.length > max - 2) return `${html}\n…`;
    html = next;
  }
  return html;
};

/** A line that must be read, or one that is left out where those leave no room for it. */
export type FittedLine = { html: string; needed: boolean };

/**
 * In their order, and without those that are empty; needed ones take more than `max` if it must be.
 */
export const fitNeeded = (lines: readonly FittedLine[], max: number): string => {
  const all = lines.filter(({ html }) => html !== '');
  let room = max - '\n…'.length - all.reduce((n, line) => n + (line.needed ? line.html.length + 1 : 0), 0);
  let isCut = false;
  const taken = all.flatMap(({ html, needed }) => {
    if (needed || html.length < room) {
      room -= needed ? 0 : html.length + 1;
      return [html];
    }
    const first = !isCut;
    isCut = true;
    return first ? ['…'] : [];
  });
  return taken.join('\n');
};

/** What a person sees of the markup. */
export const stripMarkup = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');

const dayOf = (at: number): number => Math.floor(at / DAY);
/** How a language names days: those of the week from Sunday on, and any other one. */
export type LanguageCalendar = {
  weekdays: readonly string[];
  date: (day: number, month: number) => string;
  /** What stands behind an amount of each. */
  units: Readonly<Record<'s' | 'm' | 'h' | 'd', string>>;
};

/**
 * A time that says its day when that is another one than today's. Always UTC: a server does not
 * know the reader's zone.
 */
export const momentText = (at: number, now: number, { weekdays, date }: LanguageCalendar): string => {
  const when = new Date(at);
  const time = `${when.toISOString().slice(11, 16)} UTC`;
  const away = Math.abs(dayOf(at) - dayOf(now));
  if (away === 0) return time;
  const day = away < 7 ? (weekdays[when.getUTCDay()] ?? '') : date(when.getUTCDate(), when.getUTCMonth() + 1);
  return `${day} ${time}`;
};
/**
 * Bot API, date_time entity: the reader's own clock counts, so that no edit is needed. Its text is
 * for clients that lack it.
 */
export const relativeTimeHtml = (at: number, now: number, calendar: LanguageCalendar): string =>
  `<tg-time unix="${Math.floor(at / 1000)}" format="r">${escapeHtml(momentText(at, now, calendar))}</tg-time>`;

export const durationText = (ms: number, { units }: LanguageCalendar): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}${units.s}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}${units.m}`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)}${units.d}`;
  return [`${hours}${units.h}`, ...(minutes % 60 === 0 ? [] : [`${minutes % 60}${units.m}`])].join(' ');
};
export const shortSha = (sha: string | null | undefined): string => sha?.slice(0, 6) ?? '(none)';
