/** Parses free text with a fixed grammar, so that equal texts always mean the same (C4). Pure. */
import { findMeantRuns, type MeantRuns, type PhraseScene, type AnsweredMessage } from './find-meant-runs.ts';
import {
  splitClauses,
  findIntent,
  hasRunAsObject,
  isOrderOfRun,
  findClauseOrders,
  isNeverOrLater,
  splitSpared,
  type Sparing,
  withoutEndMarks,
  withoutPoliteness,
  withoutSpared,
} from './clauses.ts';
import type { DirectReading } from './direct-phrases.ts';
import { findFreshOrder, originalSpelling, type PhrasedOrder } from './order-phrases.ts';
import type { PhraseIntent, LanguagePhrases } from './phrase-rules.ts';
import { MAX_PHRASE_LENGTH, toPlainWords } from './normalize-phrase.ts';

export type PhraseReading =
  | { kind: 'command'; intent: PhraseIntent; about: MeantRuns; words: string | null }
  | PhrasedOrder
  | { kind: 'language'; language: 'en' | 'zh' }
  | { kind: 'wish'; run: string; words: string }
  | Exclude<DirectReading, { kind: 'stop' }>
  | { kind: 'nothing' };

const NO_PHRASE: PhraseReading = { kind: 'nothing' };

export const readPhrase = (text: string, phrases: LanguagePhrases, scene: PhraseScene): PhraseReading => {
  const trimmed = text.trim();
  const { replied } = scene;
  const said = toPlainWords(trimmed.slice(0, MAX_PHRASE_LENGTH), phrases, scene.runs);
  if (said === '' && replied === null) return NO_PHRASE;
  const answer = replied && readAnswer(trimmed, said, phrases, scene, replied);
  if (answer) return answer;
  if (trimmed.length > MAX_PHRASE_LENGTH)
    return replied && replied.to !== 'progress' ? toWish(replied, trimmed) : NO_PHRASE;
  const sparing = replied ? null : splitSpared(said, phrases, scene);
  if (sparing)
    return spareRuns(readPhrase(sparing.kept, phrases, scene), sparing, phrases, scene) ?? NO_PHRASE;
  return (
    readRequest(trimmed, said, phrases, scene) ??
    (replied ? readOtherReply(trimmed, said, phrases, replied) : NO_PHRASE)
  );
};

export const spareRuns = (
  reading: PhraseReading,
  sparing: Sparing,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): PhraseReading | null => {
  if (reading.kind !== 'command' || !phrases.orders.some(([intent]) => intent === reading.intent))
    return null;
  const about = withoutSpared({ ...sparing, about: reading.about }, phrases, scene);
  return about && { ...reading, about };
};

const readAnswer = (
  text: string,
  said: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
  replied: AnsweredMessage,
): PhraseReading | null => {
  const it: MeantRuns = { kind: 'this', ids: [replied.id] };
  const clauses = splitClauses(said, phrases).filter((clause) => !phrases.filler.test(clause));
  if (clauses.length === 0) return NO_PHRASE;
  const isNot = (clause: string): boolean => phrases.not.test(clause);
  if (phrases.content.test(withoutEndMarks(said)))
    return replied.to === 'card' ? { kind: 'command', intent: 'approve', about: it, words: null } : NO_PHRASE;
  const readYesOrNo = (clause: string): 'yes' | 'no' | null => {
    if (phrases.content.test(clause)) return 'yes';
    if (phrases.no.test(clause)) return 'no';
    if (phrases.yes.test(clause)) return 'yes';
    const order =
      isNot(clause) || !isOrderOfRun(clause, phrases, scene) ? null : findIntent(phrases.orders, clause);
    return order === 'deny' ? 'no' : order === 'approve' && !isNeverOrLater(said, phrases) ? 'yes' : null;
  };
  const answers = clauses.map(readYesOrNo);
  const countAnswers = (one: 'yes' | 'no'): number => answers.filter((answer) => answer === one).length;
  if (replied.to === 'card') {
    if (countAnswers('no') > 0 && countAnswers('no') * 2 >= clauses.length)
      return { kind: 'command', intent: 'deny', about: it, words: text };
    // `yes, but rename it` approves of nothing yet.
    const isReserved = clauses.some((clause, at) => answers[at] === null && reserves(clause, phrases));
    if (countAnswers('yes') > 0 && isReserved) return toWish(replied, text);
    if (countAnswers('yes') > 0 && countAnswers('no') === 0 && countAnswers('yes') * 2 >= clauses.length)
      return { kind: 'command', intent: 'approve', about: it, words: null };
    return null;
  }
  if (replied.to === 'call' && clauses.every((clause) => phrases.no.test(clause))) return NO_PHRASE;
  if (countAnswers('yes') < clauses.length) return null;
  return replied.to === 'progress' ? NO_PHRASE : { kind: 'command', intent: 'retry', about: it, words: null };
};

const reserves = (clause: string, phrases: LanguagePhrases): boolean =>
  phrases.but.test(clause) || isWish([withoutPoliteness(clause, phrases)], phrases);

/** Intents about the fleet; asked about one run, they become `detail`. */
const FLEET: readonly PhraseIntent[] = ['status', 'pending'];
const isHarmless = (intent: PhraseIntent | null): boolean => intent === 'merge';

/** Shows the one run that was named in place of the fleet, and the fleet where no run was. */
const toRunOrFleet = (intent: PhraseIntent, which: MeantRuns): PhraseIntent => {
  if (FLEET.includes(intent) && which.ids.length === 1 && which.kind === 'named' && which.by !== 'state')
    return 'detail';
  return intent === 'detail' && (which.kind === 'none' || which.kind === 'all') ? 'status' : intent;
};

/** A reply to a pending decision goes to the agent unless it asks to be shown something. */
const findAsk = (
  said: string,
  phrases: LanguagePhrases,
  { decides }: { decides: boolean },
): PhraseIntent | null => {
  const asksToSee = (clause: string): boolean =>
    !decides || phrases.question.test(clause) || phrases.shows.test(clause);
  for (const raw of splitClauses(said, phrases)) {
    const clause = withoutEndMarks(withoutPoliteness(raw, phrases));
    if (!asksToSee(raw) && !asksToSee(clause) && !phrases.question.test(said)) continue;
    const ask = findIntent(phrases.asks, raw) ?? findIntent(phrases.asks, clause);
    if (ask !== null) return ask;
  }
  return null;
};

const readAlone = (
  { text, said, asked }: { text: string; said: string; asked: string },
  phrases: LanguagePhrases,
  scene: PhraseScene,
): PhraseReading | null => {
  const fresh = scene.replied ? null : findFreshOrder(text, said, phrases, scene);
  if (fresh) return fresh;
  const language = (['en', 'zh'] as const).find((one) => {
    const spoken = phrases.languages[one].exec(asked);
    if (!spoken) return false;
    return !scene.replied || hasRunAsObject(asked.slice(spoken.index + spoken[0].length), phrases, scene);
  });
  return language ? { kind: 'language', language } : null;
};

const readRequest = (
  text: string,
  said: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): PhraseReading | null => {
  const asked = withoutEndMarks(withoutPoliteness(said, phrases));
  const never = isNeverOrLater(said, phrases);
  const clauses = splitClauses(said, phrases)
    .map((clause) => withoutEndMarks(withoutPoliteness(clause, phrases)))
    .filter(Boolean);
  const isNot = (clause: string): boolean => phrases.not.test(clause);
  const refused = clauses.some(
    (clause) => isNot(clause) && phrases.actions.test(clause) && findIntent(phrases.asks, clause) === null,
  );
  const { replied } = scene;
  const alone = never || refused ? null : readAlone({ text, said, asked }, phrases, scene);
  if (alone) return alone;
  const isForAgent = (clause: string): boolean =>
    !phrases.question.test(clause) &&
    findIntent(phrases.orders, clause) !== null &&
    !isOrderOfRun(clause, phrases, scene);
  if (replied && clauses.some(isForAgent)) return toWish(replied, text);
  if (replied && replied.to !== 'progress' && !never && isWish(clauses, phrases))
    return toWish(replied, text);
  const which = runsOfFirstOrder(said, phrases, scene) ?? findMeantRuns(said, phrases, scene);
  const toCommand = (intent: PhraseIntent): PhraseReading => ({
    kind: 'command',
    intent: toRunOrFleet(intent, which),
    about: which,
    words: wordsAfter(text),
  });
  const decides = replied !== null && replied.to !== 'progress';
  const [first = ''] = clauses;
  const told = never || refused ? null : findInstruction(text, asked, phrases, scene);
  const order = clauses
    .flatMap((clause) => (isNot(clause) ? [] : (findIntent(phrases.orders, clause) ?? [])))
    .find((one) => !never || isHarmless(one));
  const ask = findAsk(said, phrases, { decides });
  const isQuestion = [withoutEndMarks(said), first].some((one) => phrases.question.test(one));
  if (ask !== null && (order === undefined || (isQuestion && findIntent(phrases.asks, first) !== null)))
    return toCommand(ask);
  if (told && (order === undefined || !isAtHead(order, first, phrases))) return told;
  if (order !== undefined) return toCommand(order);
  if (never) return NO_PHRASE;
  const mentioned = refused || decides ? null : findIntent(phrases.mentions, asked);
  if (mentioned !== null) return toCommand(mentioned);
  const namesOne = which.kind === 'named' && which.ids.length === 1;
  const isBareName = !refused && !clauses.some(isNot) && isName(asked);
  // A question about a run, or just its name, asks for its state.
  if (namesOne && (isQuestion || phrases.question.test(said) || isBareName)) return toCommand('detail');
  return refused ? NO_PHRASE : null;
};
/** `docs is fine, cancel web`: the runs of the clauses that give the first order; null where one names none. */
const runsOfFirstOrder = (said: string, phrases: LanguagePhrases, scene: PhraseScene): MeantRuns | null => {
  const orders = findClauseOrders(said, phrases, scene);
  const same = orders.filter(({ intent }) => intent === orders[0]?.intent).map(({ about }) => about);
  const isNamed = same.length > 0 && same.every(({ kind, by }) => kind === 'named' && by === undefined);
  return isNamed ? { kind: 'named', ids: [...new Set(same.flatMap(({ ids }) => ids))] } : null;
};
const isWish = ([first = '', ...rest]: readonly string[], phrases: LanguagePhrases): boolean => {
  const startsWish = (clause: string): boolean =>
    phrases.goal.test(clause) &&
    findIntent(phrases.orders, clause) === null &&
    !phrases.question.test(clause);
  return (
    startsWish(first) ||
    (phrases.not.test(first) && rest.some(startsWish)) ||
    phrases.should.test([first, ...rest].join(', '))
  );
};
const isName = (asked: string): boolean =>
  /^\S+(?: \S+)?$/.test(asked) && (asked.match(/\p{Script=Han}/gu)?.length ?? 0) <= 3;
const isAtHead = (order: PhraseIntent, clause: string, { orders }: LanguagePhrases): boolean =>
  findIntent(orders, clause) === order;

const wordsAfter = (text: string): string | null =>
  /(?:[:：]\s+|\s[-–—]\s|,?\s(?:because|since|cause|cuz|with|and tell it to|and tell it|but)\s|[，,]?(?:因为|理由是|原因是))(.{4,})$/is
    .exec(text)?.[1]
    ?.trim() ?? null;

const findInstruction = (
  text: string,
  asked: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): PhraseReading | null => {
  for (const pattern of phrases.tells) {
    const { who, words } = pattern.exec(asked)?.groups ?? {};
    if (who === undefined || words === undefined || phrases.question.test(words)) continue;
    const which = findMeantRuns(who, phrases, scene);
    if (which.kind !== 'named' && !/^(?:it|this|that|them|the agent|agent)$/.test(who)) continue;
    const end = findEndBehindAddress(words, phrases, scene);
    if (which.ids.length !== 1 && !end) continue;
    if (end) return { kind: 'command', intent: end, about: which, words: null };
    return { kind: 'command', intent: 'fix', about: which, words: originalSpelling(words, text) };
  }
  return null;
};

/** `tell q1: stop` orders it of us; these are the words behind the address. */
export const findEndBehindAddress = (
  words: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): 'pause' | 'cancel' | null => {
  const asked = withoutEndMarks(withoutPoliteness(words, phrases));
  if (phrases.stop.test(asked)) return 'pause';
  const order = findIntent(phrases.orders, asked);
  const isEnd = order === 'pause' || order === 'cancel';
  return isEnd && isOrderOfRun(asked, phrases, scene) ? order : null;
};

const toWish = ({ id }: AnsweredMessage, words: string): PhraseReading => ({ kind: 'wish', run: id, words });

/** Reads other replies: a question asks for details, a wish goes to the agent. */
const readOtherReply = (
  text: string,
  said: string,
  phrases: LanguagePhrases,
  replied: AnsweredMessage,
): PhraseReading => {
  const it: MeantRuns = { kind: 'this', ids: [replied.id] };
  if (phrases.question.test(said)) return { kind: 'command', intent: 'detail', about: it, words: null };
  if (/^[\p{P}\p{S}\p{Extended_Pictographic}\s]*$/u.test(said)) return NO_PHRASE;
  return toWish(replied, text);
};
