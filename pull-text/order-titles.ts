/** Makes a title of an order: the act that it asks for, or the fault that is mended, in at most 72 characters (F9). */
import { workType } from '#model/pull';
import { withoutClosingNotes } from '#model/requirements';
import {
  firstSentence,
  isImperative,
  isAgentInstruction,
  isTask,
  readActAndFault,
  findSecondActs,
  splitIntoSentences,
} from './order-sentences.ts';
import { sharesWord } from './supported-claims.ts';

export const MAX_SUBJECT_LENGTH = 72;

/** Without blanks between words, and without an imperative that we know. */
export const isWithoutBlanks = (text: string): boolean =>
  (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0) >= 4;
const hasThreeWords = (text: string): boolean =>
  text
    .replace(/\S*#\d+|https?:\S+/g, '')
    .split(/\s+/)
    .filter((w) => /\p{L}{2}/u.test(w)).length >= 3;
export const isTitle = (text: string): boolean =>
  text.length >= 8 && text.length <= MAX_SUBJECT_LENGTH && (isWithoutBlanks(text) || hasThreeWords(text));

const IN_PROGRESS: Readonly<Record<string, string>> = {
  is: 'being',
  are: 'being',
  was: 'being',
  were: 'being',
  breaks: 'breaking',
  crashes: 'crashing',
  fails: 'failing',
  forgets: 'forgetting',
  hangs: 'hanging',
  ignores: 'ignoring',
  leaks: 'leaking',
  loses: 'losing',
  panics: 'panicking',
};
const FAULT = new RegExp(
  String.raw`^(?!(?:it|this|that|these|those|they|there|he|she|we|you|i|what|which|who|when|if|while|where|because|since|after|before)\b)((?:(?!(?:that|which|who|when|if|while|where|because|not|${Object.keys(IN_PROGRESS).join('|')})\b)[^\s,;:.!?]{1,40} ){1,8})(${Object.keys(IN_PROGRESS).join('|')}) (?=[^\s])(?!not\b|n't|(?:in|un|im)?possible\b)(.*)$`,
  'i',
);
/** What is said to be so is a fact, unless it is said to be bad. */
const IS_FAULTY =
  /^(?!no\b)(?:\w+ ){0,2}(?:wrong(?:ly)?|incorrect(?:ly)?|broken|lost|truncated|corrupted|mangled|garbled|misread|(?:mis)?taken for(?! granted))\b/i;
const QUOTE_BEHIND = /: ["“'`].*$/;
const beginsWord = (subject: string): boolean =>
  /^(?:An?|The|All|Each|Every|Some)\b/.test(subject) || isImperative(subject);

/** `Fix a tuple as key breaking the error message`; null where the sentence has another shape. */
export const findFixTitle = (sentence: string): string | null => {
  const [, subject = '', verb = '', rest = ''] = FAULT.exec(sentence.replace(QUOTE_BEHIND, '')) ?? [];
  const doing = IN_PROGRESS[verb.toLowerCase()];
  if (doing === undefined || (doing === 'being' && !IS_FAULTY.test(rest))) return null;
  const whose = beginsWord(subject) ? subject.charAt(0).toLowerCase() + subject.slice(1) : subject;
  return `Fix ${whose}${doing} ${rest}`;
};

const ADDS_REASON = /,? so that |,? because |, also |, as (?=["“'`])/g;
/** A title ends here if an act stands before it: `parser: keep the order` has its act behind it. */
const ADDS_CLAUSE = /[:;] (?!["“'`])/g;
const ADDS_QUOTE = /: (?=["“'`])/g;
const isBalanced = (text: string): boolean => {
  const bare = text.replace(/`[^`]*`|"[^"]*"/g, '');
  return !/[`"]/.test(bare) && bare.split('(').length === bare.split(')').length;
};
/** Leaves out a reason, an addition, a quotation or a second act, and never a condition. */
const cutTitle = (text: string): string => {
  if (text.length <= MAX_SUBJECT_LENGTH) return text;
  const places = [ADDS_REASON, ADDS_QUOTE].flatMap((adds) =>
    [...text.matchAll(adds)].map(({ index }) => index),
  );
  const clauses = [...text.matchAll(ADDS_CLAUSE)].map(({ index }) => index);
  const acts = clauses.filter((at) => isTask(text.slice(0, at)));
  const heads = [...places, ...acts, ...findSecondActs(text)]
    .sort((a, b) => b - a)
    .map((at) => text.slice(0, at).replace(/,$/, ''));
  return heads.find((head) => isTitle(head) && isBalanced(head)) ?? text;
};

const POINTS_BACK = /\b(?:it|its|this|that|these|those|them|they|so)\b/i;
const isMend = (sentence: string, fault: string): boolean =>
  isTask(sentence) &&
  isTitle(sentence) &&
  !isAgentInstruction(sentence) &&
  !POINTS_BACK.test(sentence) &&
  !/\b(?:as well|also|too)\b/i.test(sentence) &&
  (workType(sentence) === 'fix' || sharesWord(sentence, fault));

const actOf = (sentence: string): string => {
  const { act, fault } = readActAndFault(sentence) ?? { act: sentence, fault: '' };
  return fault === '' || isTitle(act) ? act : (findFixTitle(fault) ?? sentence);
};

export const composeOrderTitle = (goal: string): string => {
  const asked = withoutClosingNotes(goal);
  const first = firstSentence(asked);
  if (isTask(first)) return cutTitle(actOf(first));
  const mends = splitIntoSentences(asked)
    .slice(1)
    .map(firstSentence)
    .filter((sentence) => isMend(sentence, first));
  const fix = mends.find((sentence) => workType(sentence) === 'fix');
  return cutTitle(fix ?? findFixTitle(first) ?? mends[0] ?? first);
};
