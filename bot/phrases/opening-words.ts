/** Reads when pull requests may be opened: `no pull requests on Fridays` (G10). Pure. */
import { daysOf } from '#model/schedule';
import { findClockSpan, type ClockSpan } from './clock-words.ts';

export type OpeningWish =
  | { kind: 'never'; days: ReadonlySet<number> }
  | { kind: 'only'; days: ReadonlySet<number>; hours: ClockSpan | null }
  | { kind: 'always' };

const HAN_DAYS: Readonly<Record<string, string>> = {
  一: 'mon',
  二: 'tue',
  三: 'wed',
  四: 'thu',
  五: 'fri',
  六: 'sat',
  日: 'sun',
  天: 'sun',
};
const GROUPS: readonly (readonly [words: RegExp, first: string, last: string])[] = [
  [/^(?:the )?weekends?$|^周末$/, 'sat', 'sun'],
  [/^(?:week|work(?:ing)? ?)days?$|^工作日$/, 'mon', 'fri'],
];
const DAY =
  '(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:days?)?|(?:周|星期|礼拜)[一二三四五六日天]';
const DAY_OR_GROUP = `${DAY}|(?:the )?weekends?|weekdays?|work(?:ing)? ?days?|周末|工作日`;
const DAY_LIST = `(?:${DAY_OR_GROUP})(?:(?: ?, ?(?:and |or )?| and | or | to | till | until | through | ?[-–—] ?| ?[、和或及到至] ?)(?:${DAY_OR_GROUP}))*`;
const SPANS = new RegExp(`^(${DAY})(?: to | till | until | through | ?[-–—到至] ?)(${DAY})$`);

const dayName = (word: string): string => HAN_DAYS[word.at(-1) ?? ''] ?? word.slice(0, 3);
const readSpan = (part: string): ReadonlySet<number> => {
  const [, groupFirst, groupLast] = GROUPS.find(([words]) => words.test(part)) ?? [];
  if (groupFirst !== undefined) return daysOf(groupFirst, groupLast);
  const [, first = part, last = first] = SPANS.exec(part) ?? [];
  return daysOf(dayName(first), dayName(last));
};
const readDays = (list: string): ReadonlySet<number> =>
  new Set(list.split(/ ?, ?(?:and |or )?| and | or | ?[、和或及] ?/).flatMap((part) => [...readSpan(part)]));

const PULLS = '(?:new |any |a )?(?:pull ?-?requests?|prs?)';
const ON = '(?:on|at|over|during) (?:the |a )?';
const HAN_OPENS = '(?:再)?(?:开|打开|提|发|提交|创建|新建)(?:新的?|任何)?(?:拉取请求|合并请求|pr)';
const END = '(?:,? please)?$';

const NEVER = [
  new RegExp(
    `^(?:please )?(?:no ${PULLS}|(?:do not|don'?t|never) open ${PULLS}|open no ${PULLS})(?: (?:are |to be )?opened)? ${ON}(?<days>${DAY_LIST})${END}`,
  ),
  new RegExp(`^${ON}(?<days>${DAY_LIST}),? (?:no ${PULLS}|(?:do not|don'?t|never) open ${PULLS})${END}`),
  new RegExp(`^(?:请)?(?<days>${DAY_LIST})(?:都)?(?:不要|别|不许|不能|不可以|禁止|不)${HAN_OPENS}[了吧]?$`),
];
const ONLY = [
  new RegExp(
    `^(?:please )?(?:only open ${PULLS}|open ${PULLS} only|${PULLS} only) (?:(?:on|from|between) )?(?<days>${DAY_LIST})(?:,? (?<hours>(?:from |between )?[0-9][0-9a-z.: –—-]{1,40}))?${END}`,
  ),
  new RegExp(
    `^(?:请)?(?:只|仅)(?:能|可以|允许)?在?(?<days>${DAY_LIST})的?(?<hours>[0-9一二两三四五六七八九十点半分:到至早上午下晚 –—-]{3,24})?(?:之间|以内)?${HAN_OPENS}$`,
  ),
];
const ALWAYS =
  /^(?:please )?open (?:pull requests?|prs?) (?:at )?any ?(?:time|day|hour)(?:,? please)?$|^(?:随时|任何时候|哪天)都?(?:可以|能)开(?:拉取请求|合并请求|pr)$/;

const findGroups = (said: string, ways: readonly RegExp[]): Record<string, string> | undefined => {
  for (const way of ways) {
    const groups = way.exec(said)?.groups;
    if (groups) return groups;
  }
  return undefined;
};

/** The whole sentence, or nothing: another word may mean one repository, or one week. */
export const readOpeningWish = (said: string): OpeningWish | null => {
  if (ALWAYS.test(said)) return { kind: 'always' };
  const never = findGroups(said, NEVER);
  if (never) return { kind: 'never', days: readDays(never['days'] ?? '') };
  const only = findGroups(said, ONLY);
  if (!only) return null;
  const hours = only['hours'] === undefined ? null : readDayHours(only['hours']);
  return hours === 'unread' ? null : { kind: 'only', days: readDays(only['days'] ?? ''), hours };
};

/** `9 to 5` of a working day ends in the afternoon. */
const readDayHours = (said: string): ClockSpan | 'unread' => {
  const span = findClockSpan(said);
  if (!span) return 'unread';
  if (span.from < span.to) return span;
  const [hour = '', minutes = ''] = span.to.split(':');
  const to = `${Number(hour) + 12}:${minutes}`;
  return Number(hour) < 12 && span.from < to ? { from: span.from, to } : 'unread';
};
