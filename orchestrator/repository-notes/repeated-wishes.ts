/** Finds a wish that people had in an earlier run of the repository, too (E21). */
import { setImmediate } from 'node:timers/promises';
import { redactSecrets, showInvisible } from '#text-safety';
import type { Run } from '../kernel/run/run.ts';
import { MAX_NOTE_LENGTH, toOneLine } from './note-store.ts';

/** `maintainer`: of a review of the pull request that a person had the agent follow. */
type Message = { text: string; from: 'person' | 'maintainer' };
type Wish = Message & {
  /** The whole text that it was said in. */
  message: string;
  terms: ReadonlySet<string>;
};
type RepeatedWish = Message & { before: { run: string; text: string } };

const MIN_WISH_LENGTH = 8;
/** A run that was told more repeats itself; the last ones count. */
const MAX_WISHES = 40;
/** Of a longer text its end is read (characters). */
const MAX_WISH_LENGTH = 2_000;
/** A key that began before that end is shorter (characters). */
const MAX_WORDS_LENGTH = 20_000;

const sentencesIn = (text: string): string[] => {
  const sentences = text.slice(-MAX_WISH_LENGTH).split(/(?<=[.!?。！？；;])\s+|(?<=[。！？；])|\n+/u);
  // Of the first one the beginning is missing.
  if (text.length > MAX_WISH_LENGTH) sentences.shift();
  return sentences
    .map((one) => toOneLine(one))
    .filter((one) => one.length >= MIN_WISH_LENGTH && one.length <= MAX_NOTE_LENGTH);
};

/** Red checks are no wish, and what a sibling of a campaign was told is not its own. */
const messagesOf = ({ agent: { lessons = [], operatorWords = [] } }: Run): Message[] => [
  ...lessons.flatMap(({ from, text, taught }) =>
    from === 'checks' || taught
      ? []
      : [{ text, from: from === 'review' ? ('maintainer' as const) : ('person' as const) }],
  ),
  ...operatorWords.map(({ words }) => ({ text: words, from: 'person' as const })),
];

const wishesOf = (run: Run): Wish[] =>
  messagesOf(run)
    .slice(-MAX_WISHES)
    .flatMap(({ text: message, from }) =>
      sentencesIn(showInvisible(message.slice(-MAX_WORDS_LENGTH))).map((text) => ({ text, from, message })),
    )
    .slice(-MAX_WISHES)
    .map((wish) => ({ ...wish, terms: termsOf(wish.text) }));

/** Security (C5): a secret is known in the whole text only, and a wish with one is not offered. */
const hasSecret = ({ text, message }: Wish): boolean =>
  !sentencesIn(redactSecrets(showInvisible(message.slice(-MAX_WORDS_LENGTH)))).includes(text);

/** How much a run was asked for; it grows with every wish. */
export const countPersonRequests = ({ agent: { lessons = [], operatorWords = [] } }: Run): number =>
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
const isAlike = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  if (few.size < MIN_COMMON_TERMS || many.size / few.size > MAX_RATIO) return false;
  const common = [...few].filter((term) => many.has(term)).length;
  return common >= MIN_COMMON_TERMS && common / few.size >= MIN_SHARE;
};

/**
 * The newest wish of a run that an earlier run of its repository heard, too, and that is no note.
 * Each run is read once, and others have their turn between two of them (L9).
 */
export const findRepeatedRequest = async (
  run: Run,
  earlier: readonly Run[],
  known: readonly string[],
): Promise<RepeatedWish | null> => {
  const notes = known.map(termsOf);
  let wishes = wishesOf(run)
    .reverse()
    .filter(({ terms }) => !notes.some((note) => isAlike(note, terms)));
  let found: RepeatedWish | null = null;
  for (const other of earlier) {
    if (wishes.length === 0) break;
    // guard: E21-second-time
    if (other.id === run.id) continue;
    const pair = findPair(wishes, wishesOf(other));
    if (pair && !hasSecret(pair.wish) && !hasSecret(pair.same)) {
      const { text, from } = pair.wish;
      found = { text, from, before: { run: other.id, text: pair.same.text } };
      // A newer one would be found instead.
      wishes = wishes.slice(0, wishes.indexOf(pair.wish));
    }
    await setImmediate();
  }
  return found;
};

const findPair = (wishes: readonly Wish[], heard: readonly Wish[]): { wish: Wish; same: Wish } | null => {
  for (const wish of wishes) {
    const same = heard.find(({ terms }) => isAlike(terms, wish.terms));
    if (same) return { wish, same };
  }
  return null;
};
