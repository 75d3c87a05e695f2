/** Finds a wish that people had in an earlier run of the repository, too. Pure (E21). */
import type { Run } from '../kernel/run/run.ts';
import { MAX_NOTE_LENGTH, toNoteText } from './note-store.ts';

/** `maintainer`: of a review of the pull request that a person had the agent follow. */
type Wish = { text: string; from: 'person' | 'maintainer' };
type RepeatedWish = Wish & { before: { run: string; text: string } };

const MIN_WISH_LENGTH = 8;
/** A run that was told more repeats itself; the last ones count. */
const MAX_WISHES = 40;

const sentencesIn = (text: string): string[] =>
  text
    .split(/(?<=[.!?。！？；;])\s+|(?<=[。！？；])|\n+/u)
    .map((one) => toNoteText(one))
    .filter((one) => one.length >= MIN_WISH_LENGTH && one.length <= MAX_NOTE_LENGTH);

/** Red checks are no wish, and what a sibling of a campaign was told is not its own. */
const wishesOf = ({ agent: { lessons = [], operatorWords = [] } }: Run): Wish[] =>
  [
    ...lessons.flatMap(({ from, text, taught }) =>
      from === 'checks' || taught
        ? []
        : [{ text, from: from === 'review' ? ('maintainer' as const) : ('person' as const) }],
    ),
    ...operatorWords.map(({ words }) => ({ text: words, from: 'person' as const })),
  ].flatMap(({ text, from }) => sentencesIn(text).map((one) => ({ text: one, from })));

/** How much a run was asked for; it grows with every wish. */
export const countWishes = ({ agent: { lessons = [], operatorWords = [] } }: Run): number =>
  lessons.length + operatorWords.length;

const COMMON_WORDS = new Set(
  'a an and are as at be by can do does for from have here i in into is it its just me my of on or our please should so that the their them then there these they this to us we with you your'.split(
    ' ',
  ),
);
const HAN = /\p{Script=Han}/u;

/** Words without their plural, and pairs of Chinese signs. */
const termsOf = (text: string): Set<string> => {
  const terms = new Set<string>();
  for (const [word] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    if (HAN.test(word)) {
      const signs = [...word];
      for (let i = 0; i + 1 < signs.length; i += 1) terms.add(`${signs[i]}${signs[i + 1]}`);
    } else if (!COMMON_WORDS.has(word)) terms.add(word.length > 3 ? word.replace(/s$/, '') : word);
  }
  return terms;
};

const MIN_COMMON_TERMS = 2;
const MIN_SHARE = 2 / 3;
const MAX_RATIO = 3;

/** Two of three words of the shorter one stand in the longer one. */
export const isAlike = (one: string, other: string): boolean => {
  const [a, b] = [termsOf(one), termsOf(other)];
  const common = [...a].filter((term) => b.has(term)).length;
  const [few, many] = [Math.min(a.size, b.size), Math.max(a.size, b.size)];
  return common >= MIN_COMMON_TERMS && common / few >= MIN_SHARE && many / few <= MAX_RATIO;
};

/** The newest wish of a run that an earlier run of its repository heard, too, and that is no note. */
export const findRepeatedWish = (
  run: Run,
  earlier: readonly Run[],
  known: readonly string[],
): RepeatedWish | null => {
  for (const wish of wishesOf(run).slice(-MAX_WISHES).reverse()) {
    if (known.some((text) => isAlike(text, wish.text))) continue;
    for (const other of earlier) {
      // guard: E21-second-time
      if (other.id === run.id) continue;
      const same = wishesOf(other)
        .slice(-MAX_WISHES)
        .find(({ text }) => isAlike(text, wish.text));
      if (same) return { ...wish, before: { run: other.id, text: same.text } };
    }
  }
  return null;
};
