/** Combines grammar and classifier; the likeliest readings are offered if unsure (C4). */
import { findMeantRuns, type MeantRuns, type PhraseScene } from './find-meant-runs.ts';
import {
  splitClauses,
  findIntent,
  isOrderOfRun,
  findClauseOrders,
  isNeverOrLater,
  splitSpared,
  type Sparing,
  withoutEndMarks,
  withoutPoliteness,
} from './clauses.ts';
import { classifyPhrase, type GuessResult } from './classify.ts';
import type { ClassifiedIntent } from './classifier-intents.ts';
import type { ChangeIntent, LanguagePhrases, PhraseIntent } from './phrase-rules.ts';
import { isEngineAlone, readDirectPhrase, withoutEndOfPause } from './direct-phrases.ts';
import { findExplicitOrder, parseKnownOrder, findShortOrder } from './order-phrases.ts';
import { normalizePhrase, toPlainWords } from './normalize-phrase.ts';
import { readPhrase, spareRuns, type PhraseReading } from './read-phrase.ts';

export type UnderstoodPhrase =
  | { kind: 'sure'; reading: PhraseReading }
  /** `later` where the order names a time or a condition, for which nothing waits. */
  | { kind: 'unsure'; readings: readonly PhraseReading[]; later?: true; isSmallTalk?: true };

/** Likelihood at which the classifier decides alone, and at which it overrides the grammar. */
const SURE_ALONE = 0.5;
const SURE_AGAINST = 0.9;
/** No change is proposed above this likelihood of a negation or mere question. */
const MAX_DOUBT_OF_GRAMMAR = 0.3;
const MAX_DOUBT_OF_GUESS = 0.1;
const MIN_OFFERED = 0.02;
/** Minimum when the text most likely asks for nothing. */
const MIN_OFFERED_UNASKED = 0.2;
const STOP_ALL: PhraseReading = {
  kind: 'command',
  intent: 'pause',
  about: { kind: 'all', ids: [] },
  words: null,
};
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
/** Negations may be part of these intents' own text. */
const WITH_OWN_WORDS: readonly ClassifiedIntent[] = ['new', 'fix', 'deny'];
export const wouldChange = (reading: PhraseReading): boolean =>
  reading.kind === 'command'
    ? [...CHANGES, 'fix'].some((one) => one === reading.intent)
    : reading.kind !== 'nothing';

type ReadPhrase = { text: string; said: string; read: PhraseReading };

const understandPlainly = async (
  { text, said, read }: ReadPhrase,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): Promise<UnderstoodPhrase | null> => {
  // Long texts and mere symbols are left to the grammar.
  if (text.trim().length > MAX_CHARACTERS || !/\p{L}/u.test(said)) return { kind: 'sure', reading: read };
  const explicit = findExplicitOrder(text, said, phrases, scene);
  const direct = readDirectPhrase(said, phrases, scene);
  const isForRun =
    direct?.kind === 'engine' && direct.about.ids.length > 0 && isEngineAlone(explicit?.goal ?? '');
  if (explicit && !isForRun)
    return read.kind === 'command' && read.intent === 'fix'
      ? { kind: 'unsure', readings: [explicit, read] }
      : { kind: 'sure', reading: explicit };
  const isForReply = direct?.kind === 'engine' && scene.replied?.to === 'call';
  if (direct && (scene.replied === null || isForReply))
    return { kind: 'sure', reading: direct.kind === 'stop' ? STOP_ALL : direct };
  const plain = toPlainWords(text, phrases, scene.runs);
  const sparing = scene.replied ? null : splitSpared(plain, phrases, scene);
  if (sparing) return understandSparing(sparing, plain, phrases, scene);
  const several = severalOrders(plain, phrases, scene);
  if (several.length > 0) return { kind: 'unsure', readings: several };
  if (read.kind === 'nothing' || wouldChange(read)) {
    const short = findShortOrder(text, said, phrases, scene);
    if (short) return { kind: 'sure', reading: short };
  }
  return null;
};

const ENDING: readonly PhraseIntent[] = ['skip', 'cancel', 'done'];
/** `skip the tests`, `all done, thanks`: words that end something, and no run. */
const endsOther = (
  reading: PhraseReading,
  text: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): boolean => {
  if (reading.kind !== 'command' || !ENDING.includes(reading.intent) || scene.replied) return false;
  if (reading.about.kind === 'named' || reading.about.ids.length > 0) return false;
  const orders = splitClauses(toPlainWords(text, phrases, scene.runs), phrases)
    .map((clause) => withoutEndMarks(withoutPoliteness(clause, phrases)))
    .filter((clause) => ENDING.includes(findIntent(phrases.orders, clause) ?? 'help'));
  const isOfRuns = orders.some((clause) => isOrderOfRun(clause, phrases, scene));
  return reading.intent === 'done' ? !isOfRuns : orders.length > 0 && !isOfRuns;
};

export const understandPhrase = async (
  text: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): Promise<UnderstoodPhrase> => {
  const understood = await understandWords(text, phrases, scene);
  const offered = understood.kind === 'sure' ? [understood.reading] : understood.readings;
  // guard: C4-ends-what-is-named
  const readings = offered.filter((reading) => !endsOther(reading, text, phrases, scene));
  return readings.length === offered.length ? understood : { kind: 'unsure', readings };
};

const understandWords = async (
  whole: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): Promise<UnderstoodPhrase> => {
  const text = withoutEndOfPause(whole);
  const read = readPhrase(text, phrases, scene);
  const said = normalizePhrase(text, phrases);
  const understood = await understandPlainly({ text, said, read }, phrases, scene);
  if (understood) return understood;
  const guessed = await classifyPhrase(said, scene.runs);
  const likelihoodOf = (wanted: ClassifiedIntent): number =>
    guessed.find(({ guess }) => guess === wanted)?.likelihood ?? 0;
  const doubt = likelihoodOf('none') + likelihoodOf('chat');
  if (scene.replied) return { kind: 'sure', reading: answerHeld(read, doubt, likelihoodOf('chat')) };
  const hasDoubt = phrases.doubt.test(said) || isNeverOrLater(said, phrases);
  const readingOf = ({ guess }: GuessResult): PhraseReading | null => {
    const reading = readingFor(guess, text, said, phrases, scene);
    const mayChange = doubt < MAX_DOUBT_OF_GUESS && (!hasDoubt || WITH_OWN_WORDS.includes(guess));
    // guard: C4-doubt-offers-nothing
    return reading && wouldChange(reading) && !mayChange ? null : reading;
  };
  const [top] = guessed;
  const alone = top && top.likelihood >= SURE_ALONE ? readingOf(top) : null;
  // A bare yes or no decides nothing: it shows the pending card.
  if (read.kind === 'nothing' && (phrases.yes.test(said) || phrases.no.test(said)))
    return { kind: 'sure', reading: { kind: 'command', intent: 'approve', about: NOBODY, words: null } };
  if (read.kind === 'nothing')
    return alone
      ? { kind: 'sure', reading: alone }
      : {
          kind: 'unsure',
          readings: selectReadings(guessed, readingOf),
          ...(waits(toPlainWords(text, phrases, scene.runs), phrases, scene) && { later: true }),
          ...(likelihoodOf('chat') > SURE_AGAINST && { isSmallTalk: true }),
        };
  const isQuestion = phrases.question.test(said) && top !== undefined && top.guess !== intentOf(read);
  // The goal of an order may tell of something, as small talk does; only a refusal speaks against it.
  const against = read.kind === 'new' ? likelihoodOf('none') : doubt;
  // guard: C4-doubted-change
  if (wouldChange(read) && (against > MAX_DOUBT_OF_GRAMMAR || isQuestion)) {
    const order = read.kind === 'new' && !hasDoubt && !isQuestion ? [read] : [];
    return {
      kind: 'unsure',
      readings: [...order, ...selectReadings(guessed, readingOf)].slice(0, MAX_OFFERED),
    };
  }
  return compareWithGuess({ said, read }, alone && top ? { reading: alone, ...top } : null, phrases, () =>
    selectReadings(guessed, readingOf),
  );
};

const compareWithGuess = (
  { said, read }: Omit<ReadPhrase, 'text'>,
  top: (GuessResult & { reading: PhraseReading }) | null,
  phrases: LanguagePhrases,
  listOthers: () => PhraseReading[],
): UnderstoodPhrase => {
  const alone = top?.reading;
  // Words of the goal of an order mean nothing by themselves.
  if (!top || !alone || read.kind === 'new' || intentOf(read) === intentOf(alone))
    return { kind: 'sure', reading: read };
  // `is the change in acme/web done?` asks of a run, and orders none.
  const isAboutRun = alone.kind === 'new' && !wouldChange(read) && phrases.question.test(said);
  if (isAboutRun) return { kind: 'unsure', readings: [read, alone] };
  if (top.likelihood >= SURE_AGAINST) return { kind: 'sure', reading: alone };
  const others = listOthers().filter((one) => ![alone, read].map(intentOf).includes(intentOf(one)));
  return { kind: 'unsure', readings: [alone, read, ...others].slice(0, MAX_OFFERED) };
};

const understandSparing = async (
  sparing: Sparing,
  said: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): Promise<UnderstoodPhrase> => {
  const kept = await understandWords(sparing.kept, phrases, scene);
  const offered = kept.kind === 'sure' ? [kept.reading] : kept.readings;
  const all = offered.length > 0 ? offered : [readPhrase(sparing.kept, phrases, scene)];
  const readings = all.flatMap((reading) => spareRuns(reading, sparing, phrases, scene) ?? []);
  const [first] = readings;
  // `instead of docs` may leave docs as it is, or end it.
  return first && kept.kind === 'sure' && !phrases.doubt.test(said)
    ? { kind: 'sure', reading: first }
    : { kind: 'unsure', readings };
};

/** `cancel web, and retry docs` is not one order; each is offered for its own runs. */
const severalOrders = (said: string, phrases: LanguagePhrases, scene: PhraseScene): PhraseReading[] => {
  if (scene.replied || phrases.doubt.test(said) || isNeverOrLater(said, phrases)) return [];
  const orders = findClauseOrders(said, phrases, scene).filter(({ about: { kind } }) => kind === 'named');
  const isOne =
    new Set(orders.map(({ intent }) => intent)).size < 2 ||
    new Set(orders.map(({ about: { ids } }) => ids.join())).size < 2;
  return isOne
    ? []
    : orders
        .slice(0, MAX_OFFERED)
        .map(({ intent, about }): PhraseReading => ({ kind: 'command', intent, about, words: null }));
};

/** `retry it in an hour`: an order for another time, which nothing keeps. */
const waits = (said: string, phrases: LanguagePhrases, scene: PhraseScene): boolean =>
  phrases.later.test(said) &&
  !phrases.question.test(said) &&
  findClauseOrders(said, phrases, scene).length > 0;

/** The grammar reads replies; the classifier only rejects small talk and doubtful commands. */
const answerHeld = (read: PhraseReading, doubt: number, chat: number): PhraseReading => {
  const isHeld =
    read.kind === 'wish'
      ? chat > SURE_ALONE
      : wouldChange(read) && intentOf(read) !== 'deny' && doubt > MAX_DOUBT_OF_GRAMMAR;
  return isHeld ? { kind: 'nothing' } : read;
};

const MAX_CHARACTERS = 300;

const intentOf = (reading: PhraseReading): string =>
  reading.kind === 'command' ? reading.intent : reading.kind === 'language' ? reading.language : reading.kind;

const selectReadings = (
  guessed: readonly GuessResult[],
  readingOf: (guessed: GuessResult) => PhraseReading | null,
): PhraseReading[] => {
  const isUnasked = guessed[0]?.guess === 'none' || guessed[0]?.guess === 'chat';
  const least = isUnasked ? MIN_OFFERED_UNASKED : MIN_OFFERED;
  const likely = guessed.filter(({ likelihood }) => likelihood >= least);
  return likely.flatMap((one) => readingOf(one) ?? []).slice(0, MAX_OFFERED);
};

const readingFor = (
  guess: ClassifiedIntent,
  text: string,
  said: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): PhraseReading | null => {
  if (guess === 'none' || guess === 'chat') return null;
  if (guess === 'language_en' || guess === 'language_zh')
    return { kind: 'language', language: guess === 'language_en' ? 'en' : 'zh' };
  if (guess === 'new') {
    const order = parseKnownOrder(text, said, phrases, scene);
    if (order) return order;
  }
  const which = findMeantRuns(said, phrases, scene);
  return { kind: 'command', intent: guess, about: which, words: guess === 'fix' ? text : null };
};
