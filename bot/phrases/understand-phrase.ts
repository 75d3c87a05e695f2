/**
 * C4: what somebody wants, by two readers: the grammar, which knows forms of speech and who is
 * meant, and the classifier, which has seen how people put things. Where they agree, or one of them
 * alone is sure, that is it; otherwise the likeliest readings are offered. What changes something
 * is only ever a proposal, and none of it is proposed to whoever says no, or only asks.
 */
import { findMeantRuns, type MeantRuns, type PhraseScene } from './find-meant-runs.ts';
import { classifyPhrase, type GuessResult } from './classify.ts';
import type { Guess } from './guesses.ts';
import type { ChangeIntent, LanguagePhrases } from './phrase-rules.ts';
import { orderIn, readPhrase, normalizePhrase, type PhraseReading } from './read-phrase.ts';

/** `unsure`: the likeliest readings first; nobody has to type anew. */
export type UnderstoodPhrase =
  | { kind: 'sure'; reading: PhraseReading }
  | { kind: 'unsure'; readings: readonly PhraseReading[] };

/** The likelihood from which the classifier alone decides, and from which it does against the grammar. */
const SURE_ALONE = 0.5;
const SURE_AGAINST = 0.9;
/** From this likelihood of a no or a mere question on, no change is proposed. */
const MAX_DOUBT_OF_GRAMMAR = 0.3;
const MAX_DOUBT_OF_GUESS = 0.1;
/** Less likely readings are not offered, unless there would be none. */
const MIN_OFFERED = 0.02;
/** The same, where most likely nothing is wanted. */
const MIN_OFFERED_UNASKED = 0.2;
const NOBODY: MeantRuns = { kind: 'none', ids: [] };
const MAX_OFFERED = 3;

const CHANGES = [
  'retry',
  'resume',
  'pause',
  'cancel',
  'skip',
  'update',
  'deny',
  'done',
] as const satisfies readonly ChangeIntent[];
/** A no, or a question, in words for an agent is part of what they say; to deny is to say no. */
const WITH_OWN_WORDS: readonly Guess[] = ['new', 'fix', 'deny'];
const changes = (reading: PhraseReading): boolean =>
  reading.kind === 'command'
    ? [...CHANGES, 'fix'].some((one) => one === reading.intent)
    : reading.kind !== 'nothing';

export const understandPhrase = async (
  text: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): Promise<UnderstoodPhrase> => {
  const read = readPhrase(text, phrases, scene);
  const said = normalizePhrase(text, phrases);
  // A text, and signs, mean what the grammar says, if anything.
  if (text.trim().length > MAX_CHARACTERS || !/\p{L}/u.test(said)) return { kind: 'sure', reading: read };
  const guessed = await classifyPhrase(said, scene.runs);
  const likelihoodOf = (wanted: Guess): number =>
    guessed.find(({ guess }) => guess === wanted)?.likelihood ?? 0;
  const doubt = likelihoodOf('none') + likelihoodOf('chat');
  if (scene.replied) return { kind: 'sure', reading: answerHeld(read, doubt, likelihoodOf('chat')) };
  const hasDoubt = phrases.doubt.test(said);
  const readingOf = ({ guess }: GuessResult): PhraseReading | null => {
    const reading = readingFor(guess, text, said, phrases, scene);
    const mayChange = doubt < MAX_DOUBT_OF_GUESS && (!hasDoubt || WITH_OWN_WORDS.includes(guess));
    // guard: C4-doubt-offers-nothing
    return reading && changes(reading) && !mayChange ? null : reading;
  };
  const [top] = guessed;
  const alone = top && top.likelihood >= SURE_ALONE ? readingOf(top) : null;
  // Nobody signs or refuses in words alone: the card that waits is shown.
  if (read.kind === 'nothing' && (phrases.yes.test(said) || phrases.no.test(said)))
    return { kind: 'sure', reading: { kind: 'command', intent: 'approve', about: NOBODY, words: null } };
  if (read.kind === 'nothing')
    return alone
      ? { kind: 'sure', reading: alone }
      : { kind: 'unsure', readings: offered(guessed, readingOf) };
  const isQuestion = phrases.question.test(said) && top !== undefined && top.guess !== intentOf(read);
  // guard: C4-doubted-change
  if (changes(read) && (doubt > MAX_DOUBT_OF_GRAMMAR || isQuestion))
    return { kind: 'unsure', readings: offered(guessed, readingOf) };
  if (!top || !alone || intentOf(read) === intentOf(alone)) return { kind: 'sure', reading: read };
  if (top.likelihood >= SURE_AGAINST) return { kind: 'sure', reading: alone };
  // Each is sure of something else.
  const others = offered(guessed, readingOf).filter(
    (one) => ![alone, read].map(intentOf).includes(intentOf(one)),
  );
  return { kind: 'unsure', readings: [alone, read, ...others].slice(0, MAX_OFFERED) };
};

/**
 * The answer to a message of ours: it is the grammar's to read, since it knows what was asked. To
 * think about it is no wish for the agent, and a no is no command.
 */
const answerHeld = (read: PhraseReading, doubt: number, chat: number): PhraseReading => {
  const isHeld =
    read.kind === 'wish'
      ? chat > SURE_ALONE
      : changes(read) && intentOf(read) !== 'deny' && doubt > MAX_DOUBT_OF_GRAMMAR;
  return isHeld ? { kind: 'nothing' } : read;
};

/** More than this is a text, no request. */
const MAX_CHARACTERS = 300;

const intentOf = (reading: PhraseReading): string =>
  reading.kind === 'command' ? reading.intent : reading.kind === 'language' ? reading.language : reading.kind;

const offered = (
  guessed: readonly GuessResult[],
  readingOf: (guessed: GuessResult) => PhraseReading | null,
): PhraseReading[] => {
  const isUnasked = guessed[0]?.guess === 'none' || guessed[0]?.guess === 'chat';
  const least = isUnasked ? MIN_OFFERED_UNASKED : MIN_OFFERED;
  const likely = guessed.filter(({ likelihood }) => likelihood >= least);
  return likely.flatMap((one) => readingOf(one) ?? []).slice(0, MAX_OFFERED);
};

/** Null for what says that nothing is wanted. */
const readingFor = (
  guess: Guess,
  text: string,
  said: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): PhraseReading | null => {
  if (guess === 'none' || guess === 'chat') return null;
  if (guess === 'language_en' || guess === 'language_zh')
    return { kind: 'language', language: guess === 'language_en' ? 'en' : 'zh' };
  if (guess === 'new') {
    const order = orderIn(text, said, phrases, scene);
    if (order) return order;
  }
  const which = findMeantRuns(said, phrases, scene);
  return { kind: 'command', intent: guess, about: which, words: guess === 'fix' ? text : null };
};
