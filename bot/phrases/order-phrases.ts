/** Finds an order in what somebody wrote: its repository, and its goal as it was spelled (C4). Pure. */
import { findIntent, isOrderOfRun, isNeverOrLater, withoutEndMarks, withoutPoliteness } from './clauses.ts';
import type { KnownRun, PhraseScene } from './find-meant-runs.ts';
import type { LanguagePhrases } from './phrase-rules.ts';
import { MAX_PHRASE_LENGTH, normalizePhrase } from './normalize-phrase.ts';

export type PhrasedOrder = { kind: 'new'; repo: string; goal: string };

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

const MIN_HAN_OF_GOAL = 3;
/** `remove the docs run` says no work in docs: one word is no goal. */
const isGoalOfWords = (goal: string): boolean =>
  /\S\s+\S/.test(goal.trim()) || (goal.match(/\p{Script=Han}/gu)?.length ?? 0) >= MIN_HAN_OF_GOAL;

/** A goal keeps the words before and after the name of its repository. */
const goalAround = (
  { after, before, whole }: NamedRepository,
  phrases: LanguagePhrases,
  isGoal: (part: string) => boolean,
): string | undefined => {
  const goal = [after, before].find(
    (part) => part.length >= MIN_GOAL_CHARACTERS && isGoalOfWords(part) && isGoal(part),
  );
  const startsBefore = phrases.goal.test(before) && !phrases.goal.test(after);
  return goal !== undefined && startsBefore && after.length >= MIN_GOAL_CHARACTERS ? whole : goal;
};

/** Reads text that is known to be an order; everything beside the repository is the goal. */
export const parseKnownOrder = (
  text: string,
  said: string,
  phrases: LanguagePhrases,
  { runs }: PhraseScene,
): PhrasedOrder | null => {
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

export const findFreshOrder = (
  text: string,
  said: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): PhrasedOrder | null => {
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
export const findExplicitOrder = (
  text: string,
  said: string,
  phrases: LanguagePhrases,
  { runs, replied }: PhraseScene,
): PhrasedOrder | null => {
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
  if (isNeverOrLater(asked, phrases) || phrases.not.test(asked) || findIntent(phrases.orders, asked) !== null)
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
export const findShortOrder = (
  text: string,
  said: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): PhrasedOrder | null => {
  const found = scene.replied ? null : findAskedWork(said, phrases);
  const order = found && parseKnownOrder(text, found.asked, phrases, scene);
  if (!order) return null;
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
export const originalSpelling = (words: string, text: string): string => {
  const at = text.toLowerCase().lastIndexOf(words);
  if (at >= 0) return text.slice(at, at + words.length).trim();
  const tail = words.split(' ').slice(-1)[0] ?? '';
  const head = words.split(' ')[0] ?? '';
  const from = text.toLowerCase().indexOf(head);
  const to = text.toLowerCase().lastIndexOf(tail);
  return from >= 0 && to >= from ? text.slice(from, to + tail.length).trim() : words;
};
