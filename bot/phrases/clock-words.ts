/** Numbers and times of day as people write them, in any language that has words for them. Pure. */
import { wordGroup, wordPatterns } from '#tools/words';

const WORDS_FOLDER = 'bot/phrases/words';
const NUMBERS = wordGroup(WORDS_FOLDER, 'numbers').map(
  ([value, { source }]) => [Number(value), new RegExp(`^(?:${source})$`, 'u')] as const,
);
const TEN = '十';
export const parseNumberWord = (word: string): number => {
  if (/^\d+$/.test(word)) return Number(word);
  if (word.includes(TEN)) {
    const [tens = '', ones = ''] = word.split(TEN);
    return (tens === '' ? 1 : parseNumberWord(tens)) * 10 + (ones === '' ? 0 : parseNumberWord(ones));
  }
  return NUMBERS.find(([, says]) => says.test(word))?.[0] ?? NaN;
};

const CLOCK_WORDS = wordPatterns(WORDS_FOLDER, 'clock', [
  ...['before', 'hour', 'afterHour', 'half', 'afterMinutes', 'behind', 'to', 'startsAt', 'startedAt'],
  ...['afternoon', 'night', 'midnight'],
] as const);
const clockSource = (): string => {
  const { before, hour, afterHour, half, afterMinutes, behind } = CLOCK_WORDS;
  const told = String.raw`(${before.source})? ?(\d{1,2}|${hour.source})(?:${afterHour.source})?`;
  const rest = String.raw`(${half.source}|\d{2}(?!\d))?(?:${afterMinutes.source})?`;
  return `${told}${rest} ?(${behind.source})?`;
};
const CLOCK = clockSource();
const SPAN = new RegExp(`${CLOCK} ?(?:${CLOCK_WORDS.to.source}) ?${CLOCK}`, 'u');
const START = new RegExp(
  `(?:${CLOCK_WORDS.startsAt.source}) ${CLOCK}|${CLOCK} ?(?:${CLOCK_WORDS.startedAt.source})`,
  'u',
);
const LAST_SMALL_HOUR = 5;

/** A time of day in four parts: words before it, hour, minutes, words behind it. */
type ClockWords = readonly (string | undefined)[];
const timeAt = (hours: number, minutes: string): string | null => {
  const rest = CLOCK_WORDS.half.test(minutes) ? 30 : Number(minutes || 0);
  if (!(hours <= 23 && rest <= 59)) return null;
  return `${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
};
const clockOf = ([before = '', hour = '', minutes = '', behind = '']: ClockWords): string | null => {
  const isSaid = (part: RegExp): boolean => part.test(before) || part.test(behind);
  const told = parseNumberWord(hour);
  if (told === 12 && isSaid(CLOCK_WORDS.midnight)) return timeAt(0, minutes);
  const isSmall = told <= LAST_SMALL_HOUR && isSaid(CLOCK_WORDS.night);
  return timeAt(told < 12 && !isSmall && isSaid(CLOCK_WORDS.afternoon) ? told + 12 : told, minutes);
};

export const findClockStart = (said: string): string | null => {
  const found = START.exec(said);
  if (!found) return null;
  const words = found.slice(found[2] === undefined ? 5 : 1);
  const [before = '', hour = '', , behind = ''] = words;
  return before !== '' || behind !== '' || parseNumberWord(hour) > 12 ? clockOf(words) : null;
};

/** `下午一点到两点`, `十二点到一点`: an end with no half of the day of its own is in that of the start. */
const isSameHalf = (from: string | null, end: number): boolean => {
  const start = Number(from?.slice(0, 2) ?? 0);
  return end < 12 && (start === 12 ? end <= 2 : start > 12 && end + 12 > start);
};

export type ClockSpan = { from: string; to: string };
export const findClockSpan = (said: string): ClockSpan | null => {
  const found = SPAN.exec(said);
  if (!found) return null;
  const from = clockOf(found.slice(1, 5));
  const words = found.slice(5);
  const [before = '', hour = '', minutes = '', behind = ''] = words;
  const end = parseNumberWord(hour);
  const isTold = before !== '' || behind !== '';
  const to = !isTold && isSameHalf(from, end) ? timeAt(end + 12, minutes) : clockOf(words);
  return from === null || to === null || from === to ? null : { from, to };
};
