/** Finds what a description says beyond the title that stands above it (F9). */
import type { ReportedChange } from '#model/agent';
import type { Order } from '#model/order';
import { findIssueReferences } from '#model/requirements';
import { findTextSignals } from '#text-safety';
import { CONVENTIONAL_SUBJECT, withOrderedVerb } from './commit-subjects.ts';
import {
  isTask,
  readActAndFault,
  selectSentences,
  splitIntoSentences,
  toTaskStatement,
  removeAgentInstructions,
} from './order-sentences.ts';
import { findFixTitle } from './order-titles.ts';

export const withoutType = (text: string): string =>
  CONVENTIONAL_SUBJECT.test(text)
    ? text.replace(/^[^:]*: /, '').replace(/^[a-z](?=[a-z'’-]* )/, (letter) => letter.toUpperCase())
    : text;

export const normaliseTitleWords = (text: string): string =>
  withoutType(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
export const isSameAsTitle = (what: string, title: string): boolean =>
  normaliseTitleWords(what) === normaliseTitleWords(title);

/** Each word stands in the title, in the same order. */
const isWithinTitle = (told: string, title: string): boolean => {
  const words = normaliseTitleWords(title).split(' ');
  let from = 0;
  return normaliseTitleWords(told)
    .split(' ')
    .every((word) => (from = words.indexOf(word, from) + 1) > 0);
};

const REFERS_TO_ISSUE = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|see|refs?)\b:?|\S*#\d+|https?:\S+/gi;
const BEGINS_BY_TYPE = /^this (?:fixes|repairs|documents|tests|refactors) (?=\w+ \w+)/;
/** The title as a statement, a part of it, or the fault that it says to mend, is the title again. */
const restatesTitle = (sentence: string, title: string): boolean => {
  const titles = [title, title.replace(COMPONENT_PREFIX, ''), withOrderedVerb(title)].flatMap((one) => [
    one,
    toTaskStatement(withoutType(one)),
  ]);
  if (isWithinTitle(sentence, title)) return true;
  const told = [
    sentence,
    findFixTitle(sentence.replace(/[.!?]$/, '')) ?? sentence,
    normaliseTitleWords(sentence).replace(BEGINS_BY_TYPE, ''),
  ];
  return titles.some((one) => told.some((form) => isSameAsTitle(form, one)));
};
const COMPONENT_PREFIX = /^(?:\[[^\][]{1,60}\]|[\w.*@/+-]{1,60}:) /;
export const withoutTitledFault = (told: string, title: string): string =>
  selectSentences(told, (sentence) => {
    const fault = readActAndFault(sentence.replace(/[.!?]$/, ''))?.fault ?? '';
    return !isSameAsTitle(findFixTitle(fault) ?? '', title);
  });
/** `Treat it as unsafe: every release may break` below the title of its act tells what stands behind it. */
export const withoutTitledAct = (told: string, title: string): string => {
  const [act = '', sign = ''] = /^.*?(?=([:;]) )/.exec(told) ?? [];
  const rest = told.slice(act.length + 2);
  if (sign === '' || !isSameAsTitle(act, title) || POINTS_BACK.test(firstWord(rest)) || isTask(rest))
    return told;
  return rest.replace(/^[a-z](?=[a-z'’-]* )/, (letter) => letter.toUpperCase());
};
const firstWord = (text: string): string => /^\S*/.exec(text)?.[0] ?? '';
const POINTS_BACK = /\b(?:it|its|this|that|these|those|they|them|such|otherwise|so|then|but)\b|^and\b/i;
export const selectTextBeyondTitle = (what: string, title: string): string => {
  const isMore = (sentence: string): boolean =>
    normaliseTitleWords(sentence.replace(REFERS_TO_ISSUE, '')) !== '';
  const said = splitIntoSentences(what);
  const left = selectSentences(
    what,
    (sentence, at) => !restatesTitle(sentence, title) || POINTS_BACK.test(said[at + 1] ?? ''),
  );
  const [first = '', ...others] = splitIntoSentences(left);
  if (![first, ...others].some(isMore)) return '';
  const isNoteFirst = !isMore(first) && !left.includes('\n') && /[.!?]$/.test(left);
  const arranged = isNoteFirst ? [...others, first].join(' ') : left;
  // What stood inside a line may act at its beginning.
  return findTextSignals(arranged).length > findTextSignals(what).length ? what : arranged;
};

/** A script gives no reason, and an order without one leaves it to a person; an issue tells it, too. */
export const isReasonMissing = (
  { engine, goal }: Pick<Order, 'engine' | 'goal'>,
  { why }: Pick<ReportedChange, 'why'>,
  title: string,
): boolean => {
  const told = withoutType(removeAgentInstructions(goal));
  const isSaid = selectTextBeyondTitle(toTaskStatement(withoutTitledFault(told, title)), title) !== '';
  return engine === 'script' && why === null && !isSaid && findIssueReferences(goal).length === 0;
};
