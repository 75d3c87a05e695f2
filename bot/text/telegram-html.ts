/** Prepares others' text for Telegram: redacts, cuts, escapes (C5, P5). */
import { showInvisible, visibleName } from '#text-safety';
import { redactSecrets } from '../../text-safety/index.ts';
import { DAY, cutText, cutStart } from '#model/values';

export { showInvisible };

/** Bot API, sendMessage: 4096 characters after entities parsing; markup is counted here, too. */
export const MESSAGE_LIMIT = 4_096;

/** Bot API, HTML style: only these four need escaping. */
export const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

const toSafeText = (text: string): string => showInvisible(redactSecrets(text));
const oneLine = (text: string): string =>
  toSafeText(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

/** Secrets are hidden before the cut, which could leave half of one. */
export const escapeLine = (text: string, max = 200): string => escapeHtml(cutText(oneLine(text), max));
export const escapeSentence = (text: string): string => escapeLine(text, 1_000);
export const showPath = (path: string, max: number): string =>
  escapeHtml(cutStart(visibleName(redactSecrets(path)), max));
/** Telegram makes these tappable: mentions, commands, tags, addresses, phone numbers. */
const TAPPABLE = /[@#$/\\+]|[\p{L}\p{N}_-][.:][\p{L}\p{N}_-]|\d{4,}/u;
/** Tappable words are put in code entities. */
export const escapeProse = (text: string, max = 200): string =>
  cutText(oneLine(text), max)
    .split(/([\s，。；：（）“”、]+)/u)
    .map((part) => (TAPPABLE.test(part) ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part)))
    .join('');
/** G8: renders Markdown completely; tappable words are put in code entities. */
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
/** Nothing in a code entity can be tapped. */
export const codeLine = (text: string, max = 200): string => `<code>${escapeLine(text, max)}</code>`;

/** Limits the escaped result; `omitted` counts the characters that were cut. */
export const showCut = (text: string, max: number): { html: string; omitted: number } => {
  const clean = toSafeText(text).trimEnd();
  for (let room = max; room > 0; room -= Math.max(1, escapeHtml(cutText(clean, room)).length - max)) {
    const short = cutText(clean, room);
    const html = escapeHtml(short);
    const omitted = short === clean ? 0 : clean.length - short.length + 1;
    if (html.length <= max) return { html, omitted };
  }
  return { html: '', omitted: clean.length };
};
export const escapeBlock = (text: string, max: number): string => showCut(text, max).html;

/** Keeps as many whole lines as fit; each line's markup must be balanced. */
export const fitLines = (lines: readonly string[], max = MESSAGE_LIMIT): string => {
  let html = '';
  for (const line of lines) {
    const next = html === '' ? line : `${html}\n${line}`;
    if (next.length > max - 2) return `${html}\n…`;
    html = next;
  }
  return html;
};

export type FittedLine = { html: string; needed: boolean };

/** A blank line between groups; empty lines and groups are left out. */
export const groupLines = (groups: readonly FittedLine[][]): FittedLine[] =>
  groups
    .map((group) => group.filter(({ html }) => html !== ''))
    .filter((group) => group.length > 0)
    .flatMap((group, g) =>
      group.map(({ html, needed }, i) => ({ html: g > 0 && i === 0 ? `\n${html}` : html, needed })),
    );

/** Keeps the order and drops empty lines; needed lines may exceed `max`. */
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

export const stripMarkup = (html: string): string =>
  html
    .replace(/<[^<>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');

const dayOf = (at: number): number => Math.floor(at / DAY);
/** `weekdays` start with Sunday. */
export type LanguageCalendar = {
  weekdays: readonly string[];
  date: (day: number, month: number) => string;
  units: Readonly<Record<'s' | 'm' | 'h' | 'd', string>>;
};

/** The clock on a wall of the zone, as if it were that of UTC (epoch ms). */
const wallTimeIn = (zone: string, at: number): number => {
  if (zone === 'UTC') return at;
  const digits = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  } as const;
  const clock = new Intl.DateTimeFormat('en-US', { ...digits, timeZone: zone, hourCycle: 'h23' });
  const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  const [date, time] = [['year', 'month', 'day'] as const, ['hour', 'minute'] as const].map((some) =>
    some.map((part) => parts.get(part) ?? ''),
  );
  return Date.parse(`${date?.join('-')}T${time?.join(':')}Z`);
};

/** Adds the day unless it is today. In UTC, because the reader's zone is unknown, unless a setting names one. */
export const momentText = (
  at: number,
  now: number,
  { weekdays, date }: LanguageCalendar,
  zone = 'UTC',
): string => {
  const [then, today] = [wallTimeIn(zone, at), wallTimeIn(zone, now)];
  const when = new Date(then);
  const time = `${when.toISOString().slice(11, 16)} ${zone}`;
  const away = Math.abs(dayOf(then) - dayOf(today));
  if (away === 0) return time;
  const day = away < 7 ? (weekdays[when.getUTCDay()] ?? '') : date(when.getUTCDate(), when.getUTCMonth() + 1);
  return `${day} ${time}`;
};
/** Bot API, date_time entity: clients keep the relative time current; the text is a fallback. */
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
