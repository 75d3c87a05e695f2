/** Parses free text with a fixed grammar, so that equal texts always mean the same (C4). Pure. */
import { editDistance } from '#model/values';
import {
  findMeantRuns,
  type KnownRun,
  type MeantRuns,
  type PhraseScene,
  type AnsweredMessage,
} from './find-meant-runs.ts';
import { maskNames } from './classify.ts';
import {
  clausesOf,
  findIntent,
  ordersIn,
  ordersNothing,
  splitSpared,
  type Sparing,
  withoutEndMarks,
  withoutPoliteness,
  withoutSpared,
} from './clauses.ts';
import type { DirectReading } from './direct-phrases.ts';
import type { PhraseIntent, LanguagePhrases } from './phrase-rules.ts';

export type PhraseReading =
  | { kind: 'command'; intent: PhraseIntent; about: MeantRuns; words: string | null }
  | { kind: 'new'; repo: string; goal: string }
  | { kind: 'language'; language: 'en' | 'zh' }
  | { kind: 'wish'; run: string; words: string }
  | Exclude<DirectReading, { kind: 'stop' }>
  | { kind: 'nothing' };

const NO_PHRASE: PhraseReading = { kind: 'nothing' };
const MAX_PHRASE_LENGTH = 600;

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

export const normalizePhrase = (
  text: string,
  { variants, repairSlips }: Pick<LanguagePhrases, 'variants' | 'repairSlips'>,
): string =>
  repairSlips(
    [...text.normalize('NFKC')]
      .map((c) => variants[c] ?? c)
      .join('')
      .toLowerCase()
      .replace(/ slash /g, '/')
      .replace(/\s+/g, ' ')
      .trim(),
  );

export const toPlainWords = (text: string, phrases: LanguagePhrases, runs: readonly KnownRun[]): string => {
  const { vocabulary } = phrases;
  const names = new Set(
    runs.flatMap((run) => `${run.repo} ${run.id} ${run.what}`.toLowerCase().split(/[^\p{L}\p{N}]+/u)),
  );
  return normalizePhrase(text, phrases)
    .replace(/(?<![\w/.#-])[a-z]{3,}(?![\w/-])/g, (word) =>
      names.has(word) ? word : correctSpelling(word, vocabulary),
    )
    .trim();
};

const COMMON = new Set(
  'lol lot lots then them they this that there their these those with what when whom have been will well were wear here come some same shop slow show stay step shot stuff spot skin hole hold halo pans plane plans tell talk take make made like look good test tests text next need much more most many work works word words line lines file files change changed fixed code core care repo repos main page pages type types name names size side list find kind mind long last least late later early time times back pack about after also because before both but does doing done down each else even ever from give goes going gone head help into just keep know left less let line live love mean might must near never once only open other over part past play plus pull push quite rather read real really right run runs said says seem seems seen send sent set shall should since still such sure than thank thanks through today together too took tried true try turn under until upon use used very view want wants was way ways week were while whole why wish within without would year yes yet your'.split(
    ' ',
  ),
);

/** Allows one typo, or two in long words; the first letter must match. */
const correctSpelling = (word: string, vocabulary: readonly string[]): string => {
  if (COMMON.has(word) || vocabulary.some((known) => word.startsWith(known))) return word;
  if (word.length === 3)
    return vocabulary.find((known) => known.length <= 4 && isShortSlip(word, known)) ?? word;
  const near = vocabulary.filter(
    (known) =>
      known[0] === word[0] && editDistance(word, known) <= (Math.min(word.length, known.length) >= 7 ? 2 : 1),
  );
  return near.sort((a, b) => editDistance(word, a) - editDistance(word, b))[0] ?? word;
};

/** Short words allow only an omitted letter or a transposition. */
const isShortSlip = (word: string, known: string): boolean =>
  known[0] === word[0] &&
  editDistance(word, known) === 1 &&
  [...word].every((letter) => known.includes(letter));

/** `retry it`, but not `retry the request twice`, which is work for an agent. */
const isOfRun = (after: string, { object }: LanguagePhrases, { runs }: PhraseScene): boolean =>
  object.test(maskNames(after, runs));

const BY_THEMSELVES: readonly PhraseIntent[] = ['update', 'done'];
/** In a reply an order has no object, or a run; anything else is for the agent. */
const isOrderOfRun = (clause: string, phrases: LanguagePhrases, scene: PhraseScene): boolean => {
  const [intent, pattern] = phrases.orders.find(([, one]) => one.test(clause)) ?? [];
  const found = pattern?.exec(clause);
  if (intent === undefined || !found) return false;
  return (
    BY_THEMSELVES.includes(intent) || isOfRun(clause.slice(found.index + found[0].length), phrases, scene)
  );
};

const readAnswer = (
  text: string,
  said: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
  replied: AnsweredMessage,
): PhraseReading | null => {
  const it: MeantRuns = { kind: 'this', ids: [replied.id] };
  const clauses = clausesOf(said, phrases).filter((clause) => !phrases.filler.test(clause));
  if (clauses.length === 0) return NO_PHRASE;
  const isNot = (clause: string): boolean => phrases.not.test(clause);
  const readYesOrNo = (clause: string): 'yes' | 'no' | null => {
    if (phrases.no.test(clause)) return 'no';
    if (phrases.yes.test(clause)) return 'yes';
    const order =
      isNot(clause) || !isOrderOfRun(clause, phrases, scene) ? null : findIntent(phrases.orders, clause);
    return order === 'deny' ? 'no' : order === 'approve' && !ordersNothing(said, phrases) ? 'yes' : null;
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
  if (countAnswers('yes') < clauses.length) return null;
  return replied.to === 'progress' ? NO_PHRASE : { kind: 'command', intent: 'retry', about: it, words: null };
};

const reserves = (clause: string, phrases: LanguagePhrases): boolean =>
  phrases.but.test(clause) || isWish([withoutPoliteness(clause, phrases)], phrases);

/** Intents about the fleet; asked about one run, they become `detail`. */
const FLEET: readonly PhraseIntent[] = ['status', 'pending'];
const isHarmless = (intent: PhraseIntent | null): boolean => intent === 'merge';

/** What is asked of the fleet is shown of the one run that was named, and the other way round. */
const shownIntent = (intent: PhraseIntent, which: MeantRuns): PhraseIntent => {
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
  for (const raw of clausesOf(said, phrases)) {
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
  const fresh = scene.replied ? null : freshIn(text, said, phrases, scene);
  if (fresh) return fresh;
  const language = (['en', 'zh'] as const).find((one) => {
    const spoken = phrases.languages[one].exec(asked);
    if (!spoken) return false;
    return !scene.replied || isOfRun(asked.slice(spoken.index + spoken[0].length), phrases, scene);
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
  const never = ordersNothing(said, phrases);
  const clauses = clausesOf(said, phrases)
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
    intent: shownIntent(intent, which),
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
  const orders = ordersIn(said, phrases, scene);
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

const REPOSITORY =
  /(?:(?:https?:\/\/)?(?<![\w/.-])[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev)\/)?(?<![\w.-])([a-z0-9][\w.-]*\/[a-z0-9][\w.-]*)\/?(?![\w/])/;

type NamedRepository = { repo: string; after: string; before: string; whole: string };
const MIN_GOAL_CHARACTERS = 4;
const MIN_WORDS_OF_WORK = 3;

const repositoryIn = (said: string, pattern: RegExp, phrases: LanguagePhrases): NamedRepository | null => {
  const found = pattern.exec(said);
  if (!found?.[1]) return null;
  const trimPart = (part: string): string =>
    withoutPoliteness(part, phrases).replace(phrases.lead, '').replace(phrases.tail, '').trim();
  return {
    repo: found[1].replace(/(?<!\.)\.+$/, ''),
    after: trimPart(said.slice(found.index + found[0].length)),
    before: trimPart(said.slice(0, found.index)),
    whole: withoutPoliteness(said, phrases),
  };
};

/** A goal keeps the words before and after the name of its repository. */
const goalAround = (
  { after, before, whole }: NamedRepository,
  phrases: LanguagePhrases,
  isGoal: (part: string) => boolean,
): string | undefined => {
  const goal = [after, before].find((part) => part.length >= MIN_GOAL_CHARACTERS && isGoal(part));
  const startsBefore = phrases.goal.test(before) && !phrases.goal.test(after);
  return goal !== undefined && startsBefore && after.length >= MIN_GOAL_CHARACTERS ? whole : goal;
};

/** Reads text that is known to be an order; everything beside the repository is the goal. */
export const orderIn = (
  text: string,
  said: string,
  phrases: LanguagePhrases,
  { runs }: PhraseScene,
): PhraseReading | null => {
  const short = [...new Set(runs.flatMap(({ repo }) => repo.toLowerCase().split('/')[1] ?? []))];
  const known = new RegExp(
    `(?<![\\w./-])(${short.map((one) => one.replace(/[.+*]/g, String.raw`\$&`)).join('|')})(?![\\w/]|-[a-z0-9])`,
  );
  const found =
    repositoryIn(said, REPOSITORY, phrases) ?? (short.length > 0 ? repositoryIn(said, known, phrases) : null);
  if (!found) return null;
  const repo = repositoryOf(found.repo, runs);
  const goal = goalAround(found, phrases, () => true);
  return repo === null || goal === undefined
    ? null
    : { kind: 'new', repo, goal: originalSpelling(goal, text) };
};

/** `给 acme/api 开个任务：…`, `new run on acme/api: …`, and `acme/api: …` where it has no run. */
const isPlainOrder = (said: string, phrases: LanguagePhrases, { isKnown }: { isKnown: boolean }): boolean => {
  const [, head = '', told = ''] = /^(.*?[a-z0-9][\w.-]*\/[\w.-]+[^:]{0,16}): ?(\S.{7,})$/s.exec(said) ?? [];
  if (head === '' || phrases.question.test(withoutEndMarks(told)) || phrases.not.test(told)) return false;
  return /任务|\b(?:run|task)\b/.test(head) || (!isKnown && findIntent(phrases.orders, told) === null);
};

/** `acme/api needs a retry in the client`, `acme/api 的首页改成蓝色`. */
const isTopicOrder = (after: string, said: string, phrases: LanguagePhrases): boolean =>
  phrases.topic.test(after) &&
  !phrases.question.test(said) &&
  !phrases.not.test(said) &&
  findIntent(phrases.orders, after) === null &&
  findIntent(phrases.asks, after) === null;

const freshIn = (
  text: string,
  said: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): PhraseReading | null => {
  const found = repositoryIn(said, REPOSITORY, phrases);
  if (!found) return null;
  const { repo, after } = found;
  const isKnown = scene.runs.some((run) => run.repo.toLowerCase() === repo);
  const isOrder = isPlainOrder(said, phrases, { isKnown });
  const isAfter = isOrder || isTopicOrder(after, said, phrases);
  const goal = goalAround(found, phrases, (part) => phrases.goal.test(part) || (isAfter && part === after));
  if (goal === undefined) return null;
  if (isKnown && after !== goal && findIntent(phrases.orders, said) !== null) return null;
  // `write tests for the invoices in …` asks for no costs.
  const saysWork = goal.split(' ').length >= MIN_WORDS_OF_WORK && !/\bme\b/.test(goal);
  if (isKnown && after !== goal && !saysWork && findIntent(phrases.asks, said) !== null) return null;
  return { kind: 'new', repo: repositoryOf(repo, scene.runs) ?? repo, goal: originalSpelling(goal, text) };
};

const EXPLICIT =
  /^(?:(?:please |pls )?(?:in|for|on|at|repo|repository)(?: the)? |在 ?|给 ?|对 ?|仓库 ?)?((?:https?:\/\/[\w.-]+\/)?[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*) ?(?:里面|里|中|上|仓库)?(: ?|, ?)(\S.{7,})$/s;
const WISH_WORDS =
  /\b(?:must|should|shall|needs? to|has to|have to|ought to|please)\b|必须|应该|应当|需要|请|要/;

/** `In owner/name: what must be so` names an order, whatever its words would mean alone. */
export const explicitOrder = (
  text: string,
  said: string,
  phrases: LanguagePhrases,
  { runs, replied }: PhraseScene,
): Extract<PhraseReading, { kind: 'new' }> | null => {
  if (replied) return null;
  const [, repo = '', mark = '', told = ''] = EXPLICIT.exec(said) ?? [];
  const isOrder = mark.startsWith(':') || WISH_WORDS.test(told) || phrases.goal.test(told);
  if (repo === '' || !isOrder || phrases.question.test(withoutEndMarks(told)) || phrases.never.test(said))
    return null;
  // `acme/api: retry it` is about its run.
  const isKnown = runs.some((run) => run.repo.toLowerCase() === repo);
  if (isKnown && isOrderOfRun(told.trim(), phrases, { runs, replied })) return null;
  const goal = originalSpelling(told.trim(), text);
  return { kind: 'new', repo: repositoryOf(repo, runs) ?? repo, goal };
};

const ASKS_KINDLY = /^(?:能不能|可不可以|能否|可否)?(?:请)?(?:麻烦)?(?:你)?(?:帮忙|帮我|帮个忙)?/;
const CHANGES_SOMETHING = /[修加改升删写换补添移]/;

type AskedWork = { asked: string; isAbout: boolean };
/** Null where no work is asked for, or another time, a question, a refusal or a command is said. */
const findAskedWork = (said: string, phrases: LanguagePhrases): AskedWork | null => {
  const asked = withoutPoliteness(said, phrases).replace(ASKS_KINDLY, '');
  // `polite` takes 把 and 给 away as well.
  const isAbout = /^(?:给|把|在|为)/.test(asked) || /^(?:给|把|在|为)/.test(said.replace(ASKS_KINDLY, ''));
  if (!(isAbout || phrases.goal.test(asked)) || phrases.question.test(withoutEndMarks(asked))) return null;
  if (ordersNothing(asked, phrases) || phrases.not.test(asked) || findIntent(phrases.orders, asked) !== null)
    return null;
  return { asked, isAbout };
};
const isWork = (goal: string, isAbout: boolean, phrases: LanguagePhrases): boolean =>
  phrases.goal.test(goal) || (isAbout && CHANGES_SOMETHING.test(goal));

const MIN_HAN_OF_WORK = 5;
/** `could you add a test for the parser`: an order that names no repository that is known here. */
export const findGoalAlone = (
  text: string,
  phrases: LanguagePhrases,
  { replied }: Pick<PhraseScene, 'replied'>,
): string | null => {
  // Longer texts are not read by the grammar.
  if (replied || text.length > MAX_PHRASE_LENGTH) return null;
  const found = findAskedWork(normalizePhrase(text, phrases), phrases);
  if (!found || !isWork(found.asked, found.isAbout, phrases)) return null;
  const words = found.asked.split(' ').length;
  const isLong =
    words > MIN_WORDS_OF_WORK || (found.asked.match(/\p{Script=Han}/gu)?.length ?? 0) >= MIN_HAN_OF_WORK;
  return isLong && !/\bme\b/.test(found.asked) ? originalSpelling(found.asked, text) : null;
};

/** `add a test for the parser in api`: a polite order that names a known repository shortly. */
export const shortOrder = (
  text: string,
  said: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): Extract<PhraseReading, { kind: 'new' }> | null => {
  const found = scene.replied ? null : findAskedWork(said, phrases);
  const order = found && orderIn(text, found.asked, phrases, scene);
  if (order?.kind !== 'new') return null;
  return isWork(order.goal.toLowerCase(), found?.isAbout === true, phrases) ? order : null;
};

const repositoryOf = (written: string, runs: readonly KnownRun[]): string | null => {
  const path = written.replace(/^https?:\/\/[^/]+\//, '').replace(/(?<!\/)\/+$/, '');
  if (/^[\w.-]+\/[\w.-]+$/.test(path))
    return runs.find(({ repo }) => repo.toLowerCase() === path)?.repo ?? path;
  const known = new Set(
    runs.map(({ repo }) => repo).filter((repo) => repo.toLowerCase().endsWith(`/${path}`)),
  );
  return known.size === 1 ? ([...known][0] ?? null) : null;
};

/** Returns the original spelling; normalization is for the grammar only. */
const originalSpelling = (words: string, text: string): string => {
  const at = text.toLowerCase().lastIndexOf(words);
  if (at >= 0) return text.slice(at, at + words.length).trim();
  const tail = words.split(' ').slice(-1)[0] ?? '';
  const head = words.split(' ')[0] ?? '';
  const from = text.toLowerCase().indexOf(head);
  const to = text.toLowerCase().lastIndexOf(tail);
  return from >= 0 && to >= from ? text.slice(from, to + tail.length).trim() : words;
};

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
    if (
      which.ids.length !== 1 ||
      (which.kind !== 'named' && !/^(?:it|this|that|them|the agent|agent)$/.test(who))
    )
      continue;
    return { kind: 'command', intent: 'fix', about: which, words: originalSpelling(words, text) };
  }
  return null;
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
