/** Numbers and times of day as people write them, in English and Chinese. Pure. */

const NUMBER_WORDS = 'one two three four five six seven eight nine ten'.split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const DOZENS: Readonly<Record<string, number>> = { 'a dozen': 12, twelve: 12, fifteen: 15, 'a hundred': 100 };
const HAN_DIGITS = '零一二三四五六七八九';
const HAN_NUMBER = '[一二两三四五六七八九十]{1,3}';
/** `十五`, `二十`, `两`. */
const hanNumber = (word: string): number => {
  const [tens = '', ones = ''] = word.replace('两', '二').split('十');
  if (!word.includes('十')) return HAN_DIGITS.indexOf(tens);
  return (tens === '' ? 1 : HAN_DIGITS.indexOf(tens)) * 10 + Math.max(0, HAN_DIGITS.indexOf(ones || '零'));
};
export const toNumber = (word: string): number => {
  if (/^\d+$/.test(word)) return Number(word);
  if (/^\p{Script=Han}/u.test(word)) return hanNumber(word);
  if (TENS.includes(word)) return (TENS.indexOf(word) + 2) * 10;
  return DOZENS[word] ?? NUMBER_WORDS.indexOf(word) + 1;
};

export const CLOCK = String.raw`(凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|夜晚)? ?(\d{1,2}|${HAN_NUMBER}(?=点))(?: ?点|[:h])?(半|\d{2}(?!\d))?分? ?(am|pm|a\.m\.|p\.m\.|in the (?:morning|evening)|at night)?`;
const SPAN = new RegExp(String.raw`${CLOCK} ?(?:-|–|—|~|to|till|until|and|through|到|至) ?${CLOCK}`);
const AFTERNOON = ['下午', '傍晚', '晚上', '夜里', '夜晚', 'pm', 'p.m.', 'in the evening', 'at night'];
/** Their small hours belong to the morning: `2 at night`. */
const NIGHT = ['晚上', '夜里', '夜晚', 'at night'];
const LAST_SMALL_HOUR = 5;

export const clockOf = (part: string, hour: string, minutes: string, half: string): string | null => {
  const isMidnight =
    (half.startsWith('a') && hour === '12') || (/[晚夜]/.test(part) && toNumber(hour) === 12);
  const told = toNumber(hour);
  const isSmall = told <= LAST_SMALL_HOUR && (NIGHT.includes(part) || NIGHT.includes(half));
  const later = !isSmall && (AFTERNOON.includes(part) || AFTERNOON.includes(half));
  const hours = isMidnight ? 0 : told + (later && told < 12 ? 12 : 0);
  const rest = minutes === '半' ? 30 : Number(minutes || 0);
  if (hours > 23 || rest > 59) return null;
  return `${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
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
  const [, part = '', hour = '', minutes = '', half = ''] = found;
  const [partTo = '', hourTo = '', minutesTo = '', halfTo = ''] = found.slice(5);
  const from = clockOf(part, hour, minutes, half);
  const isTold = partTo !== '' || halfTo !== '';
  const to =
    !isTold && isSameHalf(from, toNumber(hourTo))
      ? clockOf('下午', hourTo, minutesTo, '')
      : clockOf(partTo, hourTo, minutesTo, halfTo);
  return from === null || to === null || from === to ? null : { from, to };
};
