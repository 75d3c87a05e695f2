/** Makes titles, branches and commit messages in the repository's format (E14, F9). */
import {
  applyRule,
  slugifyTitle,
  CHANGE_TYPE_NAMES,
  workOfTitle,
  workType,
  type WorkType,
} from '#model/pull';
import { type Contract, fitsTitleFormat, inTitleFormat, type TitleFormat } from '#model/contract';
import type { Feedback } from '#model/feedback';
import type { FileChange } from '#model/change';
import { baseName, isCi, isTest } from '#model/paths';
import { type Order, BranchName } from '#model/order';
import type { ChangeType, ReportedChange } from '#model/agent';
import { withoutClosingNotes } from '#model/requirements';
import { withTrailers } from '#model/trailers';
import { clipText, inertPlain, neutralisePersonalText, neutraliseText, textSignals } from '#text-safety';
import { isDoc, selectSubject, selectSupportedSentences, type ClaimGrounds } from './supported-claims.ts';

const WORK: Readonly<Record<ChangeType, WorkType>> = {
  fix: 'fix',
  feature: 'feat',
  docs: 'docs',
  test: 'test',
  refactor: 'refactor',
  perf: 'refactor',
  style: 'refactor',
  build: 'chore',
  ci: 'chore',
  dependencies: 'chore',
  other: 'chore',
};

/** `fix/keep-the-last-delay-r7` */
const ownBranch = (title: string, work: WorkType, run: string): string => {
  const plain = title.replace(/^(\w+)(?:\([^()]*\))?!?: /, (prefix, type: string) =>
    CHANGE_TYPE_NAMES.includes(type.toLowerCase()) ? '' : prefix,
  );
  // The name begins with the kind already: `fix/fix-the-parser` says it twice.
  const words = plain.replace(TWICE[work] ?? /^(?!)/, '') || plain;
  const named = slugifyTitle(words, 40) === '' ? null : applyRule('<type>/<slug>', words, run, work);
  return named ?? `${work === 'chore' ? 'feature' : work}/agentpr-${run}`;
};

/** E14: the ordered branch, else the repository's rule, else one that says what it is. */
export const branchFor = (
  order: Order,
  contract: Contract | null,
  runId: string,
  {
    paths,
    said,
    title,
  }: {
    paths: readonly string[];
    said: ChangeType | null;
    title: string | null;
  } = { paths: [], said: null, title: null },
): string => {
  const name = slugifyTitle(runId, 60) || 'run';
  const ordered = order.branch;
  if (ordered !== null && BranchName.safeParse(ordered).success) return ordered;
  const type = paths.length === 0 ? workType(order.goal) : WORK[typeOf(paths, order.goal, said)];
  const ruled = contract?.branchRule ? applyRule(contract.branchRule, order.goal, name, type) : null;
  const titled = order.title ?? title ?? firstSentence(order.goal);
  const work = workOfTitle(titled, paths.length === 0 ? undefined : type);
  return ruled ?? ownBranch(titled, work === 'breaking' ? 'feat' : work, name);
};

/** E14: another name after a refusal; slashes clash with existing branches. */
export const alternativeBranch = (branch: string): string => {
  const flat = branch
    .replaceAll('/', '-')
    .slice(0, 190)
    .replace(/(?<![-.])[-.]+$/, '');
  const name = `${flat}-2`;
  return BranchName.safeParse(name).success ? name : `agentpr-${slugifyTitle(branch, 60) || 'run'}-2`;
};

export const CONVENTIONAL_SUBJECT =
  /^(?:feat|fix|docs|style|refactor|perf|test|build|ci|chore|revert)(?:\([^()\r\n]+\))?!?: \S/;
export const COMPONENT_SUBJECT =
  /^(?:[\w.*@/+-]+(?:(?:,|, | & )[\w.*@/+-]+)*(?:\([^()\r\n]+\))?!?: \S|\[[^\][\r\n]{1,60}\] \S)/;

export const keepsTitleRule = (title: string, rule: Contract['titleRule']): boolean =>
  rule === null || (rule === 'conventional' ? CONVENTIONAL_SUBJECT : COMPONENT_SUBJECT).test(title);

const keepsFormat = (title: string, format: TitleFormat): boolean =>
  fitsTitleFormat(title, { ...format, place: format.place ?? NO_PLACE });
const NO_PLACE = { quote: '', file: '', line: 1 };

export const firstSentence = (text: string): string => {
  const line = text.trim().split(/\r?\n/)[0] ?? '';
  const sentence = /^(.*?[^.])(?:\.(?:\s|$)|。)/.exec(line)?.[1] ?? line;
  return sentence.replace(/\s+/g, ' ').trim();
};

/** Cuts between words, and never leaves a code span open. */
const shortenText = (text: string, limit: number): string => {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 1).toWellFormed();
  const words = cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut;
  const open = (words.match(/`/g) ?? []).length % 2 === 1;
  return `${open ? words.slice(0, words.lastIndexOf('`')) : words}…`;
};

const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

type Prefix = 'fix' | 'feat' | 'docs' | 'test' | 'refactor' | 'perf' | 'style' | 'build' | 'ci' | 'chore';
const PREFIXES: Readonly<Record<ChangeType, Prefix>> = {
  fix: 'fix',
  feature: 'feat',
  docs: 'docs',
  test: 'test',
  refactor: 'refactor',
  perf: 'perf',
  style: 'style',
  build: 'build',
  ci: 'ci',
  dependencies: 'build',
  other: 'chore',
};

const TWICE: Readonly<Partial<Record<Prefix, RegExp>>> = {
  fix: /^(?:(?:bug|hot)?fix(?:es|ed|ing)?|repairs?)\b:?\s+/i,
  docs: /^docs?\b:?\s+/i,
  test: /^tests?\b:?\s+/i,
  refactor: /^refactor(?:s|ed|ing)?\b:?\s+/i,
  style: /^style\b:?\s+/i,
  chore: /^chores?\b:?\s+/i,
  feat: /^feat(?:ure)?\b:?\s+/i,
};

/** Files decide first, then the user's words, then the agent's. */
export const typeOf = (paths: readonly string[], goal: string, said: ChangeType | null): ChangeType => {
  const areAll = (is: (path: string) => boolean): boolean => paths.length > 0 && paths.every(is);
  if (areAll(isTest)) return 'test';
  if (areAll(isDoc)) return 'docs';
  if (areAll(isCi)) return 'ci';
  const asked = workType(goal);
  if (asked === 'fix') return 'fix';
  if (asked === 'feat') return 'feature';
  if (said !== null && !['docs', 'test', 'ci'].includes(said)) return said;
  return asked === 'refactor' ? 'refactor' : 'other';
};

const ROOTS =
  /^(?:src|lib|libs|source|sources|packages|pkgs?|crates|modules|internal|apps?|cmd|main|java|python|org|com|io)\//;

export const componentOf = (paths: readonly string[]): string => {
  const code = paths.filter((p) => !isTest(p) && !isDoc(p));
  const of = code.length > 0 ? code : paths;
  const [first = ''] = of;
  if (of.length > 0 && of.every(isTest)) return 'tests';
  if (of.length > 0 && of.every(isDoc)) return 'docs';
  if (of.every(isCi) && of.length > 0) return 'ci';
  const folders = of.map((p) => p.split('/').slice(0, -1));
  const shared = (folders[0] ?? []).filter((part, i) =>
    folders.every(
      (f) => f[i] === part && f.slice(0, i).join('/') === (folders[0] ?? []).slice(0, i).join('/'),
    ),
  );
  let path = `${shared.join('/')}/`;
  while (ROOTS.test(path)) path = path.replace(ROOTS, '');
  const plain = path
    .replace(/(?<!\/)\/+$/, '')
    .split('/')
    .slice(0, 2)
    .join('/');
  if (plain !== '') return plain.replace(/[^\w./-]/g, '');
  const file = (first.split('/').at(-1) ?? '').replace(/\.[^.]*$/, '').replace(/[^\w.-]/g, '');
  return of.length === 1 && file !== '' ? file : 'all';
};

type TitleShape = Pick<Contract, 'titleRule' | 'titleFormat'> | null;
type Subject = { goal: string; said: ChangeType | null; paths: readonly string[] };

const inShape = (plain: string, shape: TitleShape, { goal, said, paths }: Subject, limit: number): string => {
  const format = shape?.titleFormat;
  if (format) {
    const prefix = PREFIXES[typeOf(paths, goal, said)];
    const bare = plain.replace(/^\w+(?:\([^()]*\))?!?: (?=\S)/, '');
    const words = bare.replace(TWICE[prefix] ?? /^(?!)/, '') || bare;
    const asked = format.shape === 'conventional' ? words : bare;
    const made = keepsFormat(plain, format)
      ? plain
      : inTitleFormat(asked, format, { goal, prefix, component: componentOf(paths) });
    if (made !== null) return shortenText(made, limit);
  }
  const rule = shape?.titleRule ?? null;
  if (rule === null || keepsTitleRule(plain, rule)) return shortenText(plain, limit);
  if (rule === 'component') {
    const component = componentOf(paths);
    return shortenText(`${component}: ${lowerFirst(plain)}`, limit);
  }
  const prefix = PREFIXES[typeOf(paths, goal, said)];
  const words = plain.replace(TWICE[prefix] ?? /^(?!)/, '');
  return shortenText(`${prefix}: ${lowerFirst(words === '' ? plain : words)}`, limit);
};

/** Without blanks between words, and without an imperative that we know. */
const isWithoutBlanks = (text: string): boolean =>
  (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0) >= 4;
const isTitle = (text: string): boolean =>
  text.length >= 8 && text.length <= 72 && (isWithoutBlanks(text) || hasThreeWords(text));
const hasThreeWords = (text: string): boolean =>
  text
    .replace(/\S*#\d+|https?:\S+/g, '')
    .split(/\s+/)
    .filter((w) => /\p{L}{2}/u.test(w)).length >= 3;

/** References may not close issues, because a title becomes a commit subject. */
const neutraliseSubject = (text: string): string => {
  const [, closed, rest = ''] =
    /^(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\s+(\S*#\d+)[:,]?\s+(.*)$/i.exec(text) ?? [];
  if (closed !== undefined && isTitle(rest))
    return neutraliseSubject(`${rest.charAt(0).toUpperCase()}${rest.slice(1)} (${closed})`);
  const alive = neutralisePersonalText(text).replace(/\s+/g, ' ').trim();
  return textSignals(alive).length === 0 ? alive : neutraliseText(text).replace(/\s+/g, ' ').trim();
};

type Ordered = { order: Pick<Order, 'title' | 'goal'>; said: ReportedChange; paths: readonly string[] };

/** Titles in the imperative, by the most frequent verbs of commits. */
const VERB = String.raw`(?:accept|add|adjust|allow|apply|avoid|bump|cache|call|cap|change|check|clean|clear|close|collect|compare|compress|compute|convert|copy|correct|count|create|cut|declare|default|define|delete|deprecate|detect|disable|document|drop|enable|ensure|escape|expand|explain|export|expose|extend|extract|fetch|fill|filter|fix|fold|follow|format|generate|give|group|guard|handle|hide|hold|ignore|implement|import|improve|include|increase|increment|init|inline|install|introduce|join|keep|leave|let|limit|link|list|load|log|lower|make|mark|match|measure|mend|merge|migrate|mock|move|name|normali[sz]e|open|optimi[sz]e|parse|pass|pin|point|prefer|prepare|preserve|prevent|print|publish|put|raise|read|record|reduce|refactor|refresh|refuse|reject|release|remove|rename|repair|replace|report|require|reset|resolve|respect|restore|retry|return|reuse|revert|rewrite|rework|run|save|say|send|set|show|simplify|skip|sort|speed|split|start|stop|store|support|switch|sync|take|tell|test|throw|translate|treat|trim|try|turn|type|unify|update|upgrade|use|validate|verify|wait|warn|wrap|write)`;
const IMPERATIVE = new RegExp(String.raw`^(?:[\w.*@/+-]+(?:\([^()]*\))?!?: )?${VERB}\b`, 'i');
const isImperative = (text: string): boolean => IMPERATIVE.test(text.trim());

/** Orders besides the task: `Say so.`, `Add a line.`, `Do not touch the tests.` They are for the agent alone. */
const OBJECT = String.raw`(?:an?|the|this|that|these|those|it|its|them|all|any|no|one|so|to|not|only|in|on|for|with|if|by|each|every|your|our|their|what|how|where|why|whether|as|at|both|two)`;
const ORDERS_AGENT = new RegExp(
  String.raw`^(?:[-*+]\s|\d+[.)]\s)?(?:please\b|do not\b|don't\b|never\b|make sure\b|be sure\b|remember\b|(?:also|then|and|but|first|finally|besides),? (?=(?:add|say|tell|write|run|wait|explain|mention|do not|don't|make sure)\b)|use [\w-]+[.!?]$|(?:add|adjust|apply|avoid|check|commit|describe|document|explain|extend|follow|include|keep|leave|list|look|mention|name|open|put|read|report|run|say|see|send|show|tell|test|try|update|use|wait|write)(?: and \w{3,20})?\s${OBJECT}\b)`,
  'i',
);
/** `… says "the the". Fix it.`: the problem is told, and the order adds nothing. */
const BARE_ORDER =
  /(?<=[.!?。！？"'”]\s{1,3})(?:please |so )?(?:fix|mend|correct|repair|solve|resolve|change|remove) (?:it|that|this|them)(?: please)?[.!]?\s*$/i;
const BETWEEN_SENTENCES = /((?<=[.!?。！？])\s+(?![a-z])|\n+(?![a-z]))/;
/** Keeps what stands between the sentences that are left. */
export const selectSentences = (text: string, isKept: (sentence: string, at: number) => boolean): string => {
  // Sentences at even places, what stands between them at odd ones.
  const parts = text.trim().split(BETWEEN_SENTENCES);
  const kept = parts.flatMap((part, at) =>
    at % 2 === 1 || !isKept(part.trim(), at / 2) ? [] : [`${parts[at - 1] ?? ''}${part}`],
  );
  return kept.join('').trim();
};

/** The task itself, and what a person says of it; without what tells an agent how to work. */
export const withoutOrders = (whole: string): string => {
  const goal = withoutClosingNotes(whole).replace(BARE_ORDER, '');
  const [task = ''] = goal.trim().split(BETWEEN_SENTENCES);
  // Another beginning is no task, and a list that follows one is part of it.
  if (!isImperative(task) || task.endsWith(':') || goal.includes('```')) return goal.trim();
  return selectSentences(goal, (sentence, at) => at === 0 || !ORDERS_AGENT.test(sentence));
};

/** `Fix #12: it forgets the delay` goes on with the title of the issue, which is the problem. */
const NAMES_ISSUE_FIRST = /^(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\s+\S*#\d+/i;

/** Verbs that are no nouns and no adjectives: `Store credentials are logged` does not begin with one. */
const ONLY_VERB = String.raw`(?:add|adjust|allow|apply|avoid|collect|compute|convert|create|declare|define|delete|deprecate|detect|disable|enable|ensure|expand|explain|expose|extend|extract|fix|generate|give|hide|ignore|implement|improve|include|increment|introduce|keep|let|make|mend|migrate|normali[sz]e|optimi[sz]e|prefer|prepare|preserve|prevent|publish|reduce|refactor|refuse|reject|remove|rename|repair|replace|resolve|respect|rewrite|say|simplify|tell|translate|unify|use|validate|verify)`;
const DETERMINER = String.raw`(?:an?|the|this|that|these|those|it|its|them|all|any|each|every|no|both|our|your|their)`;
/** Behind a name: `Fix for the parser is wrong`, `Use after free`. */
const BEHIND_NOUN = String.raw`(?:case|count|after|for|of|in|on|at|by|with|from|to)s?`;
const SURELY_VERB = `(?:${ONLY_VERB} (?!${BEHIND_NOUN}\\b)|${VERB} (?=${DETERMINER}\\b))`;
const OPENING_ORDER = new RegExp(`^(${VERB})(?= (?!(?:and|or)\\b))`, 'i');
const SURE_ORDER = new RegExp(`^${SURELY_VERB}`, 'i');

/** What is subordinate or explains may have verbs of its own. */
const MAIN_CLAUSE_ENDS =
  /[:;(]|,? (?:that|which|who|whose|when|whenever|where|while|if|unless|until|because|since|so|as|before|after|how|what|why|whether)\b/;
const FINITE_VERB =
  /\b(?:is|are|was|were|has|have|had|does|do|did|can|cannot|could|will|would|should|must|may|might)\b|n['’]t\b|\b(?:fail|break|crash|throw|hang|leak|lose|return|report|show|happen|work)(?:e?s)\b|\b(?:missing|broken|ignored|wrong|incorrect|lost|left)(?= (?:in|on|at|for|from|by|with|under)\b|$)/;
const hasFiniteVerb = (text: string): boolean =>
  FINITE_VERB.test(text.slice(0, Math.max(0, MAIN_CLAUSE_ENDS.exec(text)?.index ?? text.length)));

/** Says what to do, and not what is wrong. */
export const isTask = (text: string): boolean =>
  isImperative(text) &&
  !NAMES_ISSUE_FIRST.test(text) &&
  (SURE_ORDER.test(text.trim()) || !hasFiniteVerb(text));

const inThirdPerson = (verb: string): string =>
  /(?:s|x|z|ch|sh|o)$/i.test(verb) ? `${verb}es` : verb.replace(/(?<=[^aeiou])y$/i, 'ie').concat('s');
/** `Fix the parser and test it` orders two things; `to get and set it` names two. */
const JOINED_VERB = new RegExp(`(?<= and )(?<!\\bto [\\w-]{1,30},? and )(?=${SURELY_VERB})${VERB}\\b`, 'gi');
/** What may be another order: a word behind `and` or a comma that begins no noun for certain. */
const NO_ORDER = String.raw`${DETERMINER}\b|(?:to|in|on|at|for|from|by|with|without|of|instead|which|who|where|when|while|if|so|because|as|not|also|even|only|etc|e\.g)\b|[A-Z\d\`"'“(_$-]`;
const MAYBE_ORDER = new RegExp(
  String.raw`(?:(?<!\bto [\w-]{1,30},?) (?:and|or|but|then)|[,;]) (?!(?:and|or|but|then)\b)(?!${NO_ORDER})`,
);
const EXPLAINS_BY_ORDER = new RegExp(`[:(] ?${VERB}\\b`, 'i');
const stateSentence = (sentence: string): string => {
  const denied = DENIED_ORDER.exec(sentence);
  if (denied !== null)
    return `This no longer ${inThirdPerson(denied[1] ?? '')}${sentence.slice(denied[0].length)}`;
  const named = NAMED_ORDER.exec(sentence);
  if (named !== null) return `This makes ${named[1] ?? ''} ${sentence.slice(named[0].length)}`;
  const [verb] = OPENING_ORDER.exec(sentence) ?? [];
  if (verb === undefined || !isTask(sentence)) return sentence;
  if (!SURE_ORDER.test(sentence) || hasFiniteVerb(sentence) || EXPLAINS_BY_ORDER.test(sentence))
    return sentence;
  const told = sentence.slice(verb.length);
  if (MAYBE_ORDER.test(told.replace(JOINED_VERB, 'the'))) return sentence;
  return `This ${inThirdPerson(verb.toLowerCase())}${told.replace(JOINED_VERB, (one) => inThirdPerson(one))}`;
};
/** `parse_url(): reject spaces`: what the code of that name is to do. */
const NAMED_ORDER =
  /^(`[^`\n]{1,60}`|\w+(?:(?:[./-]|::?)\w+)+(?:\(\))?|[a-z]+_\w+(?:\(\))?): (?=(?:accept|complete|escape|fail|follow|handle|ignore|keep|preserve|print|raise|refuse|reject|report|respect|retry|return|show|skip|stop|support|throw|treat|wait|warn) (?!.*\b(?:and|or) (?:add|fix|update|test|document)\b))/;
const DENIED_ORDER = new RegExp(
  String.raw`^(?:do not|don't|never) (?!be\b|have\b|do\b)([a-z]{3,20})(?= )(?!.*\b(?:and|or|but)\b)`,
  'i',
);
/** An order as a statement: `Fix the parser` becomes `This fixes the parser`. What may say something else stays. */
export const stateTask = (text: string): string => {
  const first = firstSentence(text);
  if (!text.startsWith(first)) return text;
  const rest = text.slice(first.length);
  if (isTask(first) || DENIED_ORDER.test(first) || NAMED_ORDER.test(first))
    return selectSentences(rest.replace(/^[.\s]+/, ''), isFurtherOrder) === ''
      ? `${stateSentence(first)}${rest}`
      : text;
  // The problem is told first, and then what to do about it.
  return text
    .split(BETWEEN_SENTENCES)
    .map((part, at) => (at === 0 || at % 2 === 1 || ORDERS_AGENT.test(part) ? part : stateSentence(part)))
    .join('');
};
const isFurtherOrder = (sentence: string): boolean =>
  isImperative(sentence.replace(/^(?:then|also|and|next|finally|please),? /i, ''));

const composeTitle = (
  { order, said, paths }: Ordered,
  what: string,
  shape: TitleShape,
  limit: number,
): string => {
  if (order.title !== null && order.title.trim() !== '') return order.title.replace(/\s+/g, ' ').trim();
  const asked = firstSentence(withoutClosingNotes(order.goal));
  const subject = { goal: order.goal, said: said.type, paths };
  const own = oneLine(firstSentence(what));
  // What changed comes before what was asked for, in the title and in the commit.
  const shaped =
    isTitle(own) && (isImperative(own) || isWithoutBlanks(own)) ? inShape(own, shape, subject, limit) : '';
  // guard: F9-title-of-change
  if (shaped !== '' && shaped.length <= MAX_SUBJECT_LENGTH) return shaped;
  // A user's sentence may state a problem, but a title states the solution.
  if (isTitle(asked) && (isTask(asked) || !isImperative(own)))
    return inShape(neutraliseSubject(asked), shape, subject, limit);
  const plain = own || neutraliseSubject(asked);
  return inShape(plain || 'Small change', shape, subject, limit);
};

type TitleInput = Omit<Ordered, 'paths'> & Omit<ClaimGrounds, 'asked'> & { summary?: string };

export const titleFrom = (
  { order, said, summary = '', ...seen }: TitleInput,
  shape: TitleShape,
  limit: number,
): string => {
  const known = { ...seen, asked: order.goal };
  const what = selectSubject(said.what, firstSentence(summary), known);
  return composeTitle({ order, said, paths: seen.files.map((f) => f.path) }, what, shape, limit);
};

export type FixCommit = { no: number; asked: readonly Feedback[] };

const wordsOfFix = ({ asked }: FixCommit): string =>
  asked
    .map((f) =>
      f.kind === 'remarks'
        ? f.items.map(({ body }) => body).join('\n')
        : f.kind === 'review'
          ? f.body
          : f.kind === 'red'
            ? f.checks.join(' ')
            : f.kind === 'words'
              ? f.text
              : '',
    )
    .join('\n');

const VERBS: Readonly<Partial<Record<FileChange['status'], string>>> = {
  added: 'Add',
  deleted: 'Remove',
  renamed: 'Rename',
};

/** Files name the fix, never other people's words. */
const fallbackSubject = ({ asked }: FixCommit, files: readonly FileChange[]): string => {
  const red = asked.find((f) => f.kind === 'red');
  const [only] = files;
  const folder = componentOf(files.map(({ path }) => path));
  const what =
    only === undefined
      ? 'Revise the change'
      : files.length === 1
        ? `${VERBS[only.status] ?? 'Update'} ${only.path.length <= 50 ? only.path : baseName(only.path)}`
        : `Update ${files.length} files${folder === 'all' ? '' : ` of ${folder}`}`;
  const names = red?.checks.join(', ') ?? '';
  return red && what.length + names.length < MAX_SUBJECT_LENGTH - 15 ? `${what} for ${names}` : what;
};

type MessageInput = Omit<ClaimGrounds, 'asked' | 'checks'> & {
  order: Pick<Order, 'title' | 'goal'>;
  shape: TitleShape;
  said: ReportedChange;
  summary: string;
  steps?: readonly string[];
  fix: FixCommit | null;
  trailers: readonly string[];
};

const MAX_SUBJECT_LENGTH = 72;
const PLAIN_SPAN = /`([-\w][\w.()/-]{0,60})`/g;
/** Code spans of plain words come back: there is nothing in them that acts. */
const oneLine = (text: string): string => {
  const inert = inertPlain(text.replace(/[.;]$/, '')).replace(/\s+/g, ' ').trim();
  return [...text.matchAll(PLAIN_SPAN)].reduce(
    (line, [span, inner = '']) => line.replaceAll(`'${inner}'`, () => span),
    inert,
  );
};

/** Uses the agent's words disarmed and confirmed by the diff; trailers are never its own. */
export const commitMessage = (input: MessageInput): string => {
  const { order, shape, said, summary, steps = [], fix, files, patch, trailers } = input;
  const asked = fix ? wordsOfFix(fix) : '';
  const known: ClaimGrounds = { files, patch, checks: [], asked: `${order.goal}\n${asked}` };
  const own = oneLine(firstSentence(selectSubject(said.what, firstSentence(summary), known)));
  const ordered = fix === null && (order.title ?? '').trim() !== '';
  const isSubject = own !== '' && !ordered && (fix !== null || said.what !== null || isImperative(own));
  const subject = {
    goal: fix ? `fix ${asked}` : order.goal,
    said: said.type,
    paths: files.map((f) => f.path),
  };
  const head = fix
    ? inShape(isSubject ? own : oneLine(fallbackSubject(fix, files)), shape, subject, MAX_SUBJECT_LENGTH)
    : composeTitle({ order, said, paths: subject.paths }, own, shape, MAX_SUBJECT_LENGTH);
  const first = said.what === null && isSubject ? firstSentence(summary) : '';
  const rest = summary
    .trim()
    .slice(first.length)
    .replace(/^[.\s]+/, '');
  const why =
    selectSupportedSentences(said.why, known, 'reason') || selectSupportedSentences(rest, known, 'change');
  const done = steps.map((step) => selectSupportedSentences(step, known, 'change')).filter(Boolean);
  const list = done.map((step) => `- ${oneLine(clipText(step, 200))}`).join('\n');
  const body = [inertPlain(clipText(why, 1_000)).trim(), list].filter(Boolean).join('\n\n');
  const repeated = oneLine(body);
  const isSaid = (isSubject && repeated === own) || head.toLowerCase().endsWith(repeated.toLowerCase());
  const message = `${head}\n${body === '' || isSaid ? '' : `\n${body}\n`}`;
  return withTrailers(message, trailers);
};

export const revertMessage = (
  title: string,
  { commit, url }: { commit: string; url: string },
  trailers: readonly string[],
): string =>
  withTrailers(
    `${shortenText(oneLine(title), MAX_SUBJECT_LENGTH)}\n\nThis reverts commit ${commit},\nwhich merged ${url}.\n`,
    trailers,
  );

export const baseMessage = (
  ref: string,
  branch: string,
  { titleRule }: Pick<Contract, 'titleRule'>,
  trailers: readonly string[] = [],
): string =>
  withTrailers(
    titleRule === 'conventional'
      ? `chore: merge ${ref} into ${branch}\n`
      : `Merge branch '${ref}' into ${branch}\n`,
    trailers,
  );
