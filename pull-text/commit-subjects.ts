/** Makes titles, branches and commit messages in the repository's format (E14, F9). */
import {
  branchNameByRule,
  slugifyTitle,
  CHANGE_TYPE_NAMES,
  workOfTitle,
  workType,
  type WorkType,
} from '#model/pull';
import { type Contract, matchesTitleFormat, applyTitleFormat, type TitleFormat } from '#model/contract';
import type { Feedback } from '#model/feedback';
import type { FileChange } from '#model/change';
import { baseName, isCi, isTest } from '#model/paths';
import { type Order, BranchName } from '#model/order';
import type { ChangeType, ReportedChange } from '#model/agent';
import { withoutClosingNotes } from '#model/requirements';
import { withTrailers } from '#model/trailers';
import {
  clipText,
  neutralisePlainText,
  neutralisePersonalText,
  neutraliseText,
  findTextSignals,
} from '#text-safety';
import { firstSentence, isImperative, isTask, toTaskStatement } from './order-sentences.ts';
import { isTitle, isWithoutBlanks, MAX_SUBJECT_LENGTH, composeOrderTitle } from './order-titles.ts';
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

const withoutTypeLabel = (title: string): string =>
  title.replace(/^(\w+)(?:\([^()]*\))?!?: (?=\S)/, (prefix, type: string) =>
    CHANGE_TYPE_NAMES.includes(type.toLowerCase()) ? '' : prefix,
  );

/** `fix/keep-the-last-delay-r7`; without a kind that is known, `use-size-t-for-lengths-r7`. */
const ownBranch = (title: string, work: WorkType, run: string, kind: string | null): string => {
  const plain = withoutTypeLabel(title);
  // The name begins with the kind already: `fix/fix-the-parser` and `fix/fix-parser-…` say it twice.
  const bare = plain.startsWith(`${work}(`) ? plain.replace(/^\w+\([^()]*\) /, '') : plain;
  const words = bare.replace(TWICE[work] ?? /^(?!)/, '') || plain;
  const named =
    slugifyTitle(words, 40) === ''
      ? null
      : branchNameByRule(kind === null ? '<slug>' : `${kind}/<slug>`, words, run, work);
  return named ?? `${work === 'chore' ? 'feature' : work}/agentpr-${run}`;
};

/** E14: the ordered branch, else the repository's rule, else one that says what it is. */
export const composeBranchName = (
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
  const change = paths.length === 0 ? null : changeTypeOf(paths, order.goal, said);
  const type = change === null ? workType(order.goal) : WORK[change];
  const ruled = contract?.branchRule ? branchNameByRule(contract.branchRule, order.goal, name, type) : null;
  const titled = order.title ?? title ?? firstSentence(order.goal);
  const work = workOfTitle(titled, paths.length === 0 ? undefined : type);
  const own = work === 'breaking' ? 'feat' : work;
  return ruled ?? ownBranch(titled, own, name, branchKind(titled, own, change));
};
const branchKind = (title: string, work: WorkType, change: ChangeType | null): string | null => {
  if (work === 'refactor' && (change === 'perf' || /^perf[(:!]/.test(title))) return 'perf';
  const isUnknown = work === 'chore' && (change === null || change === 'other');
  return isUnknown && withoutTypeLabel(title) === title ? null : work;
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
  matchesTitleFormat(title, { ...format, place: format.place ?? NO_PLACE });
const NO_PLACE = { quote: '', file: '', line: 1 };

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

const NO_NOUN = String.raw`(?=\s(?!(?:for|in|of|to|from|by|at|on|with|and|or)\b))`;
const TYPE = String.raw`^[\w-]{1,30}(?:\([^()]{1,60}\))?!?: `;
type OtherVerb = { twice: RegExp; verb: string; said: RegExp };
/** The type `fix:` says “fix” already, so the title behind it takes another verb. */
const OTHER_VERBS: Readonly<Partial<Record<Prefix, OtherVerb>>> = {
  fix: {
    twice: new RegExp(`^fix(?:es|ed|ing)?${NO_NOUN}`, 'i'),
    verb: 'correct',
    said: new RegExp(`${TYPE}correct `, 'i'),
  },
  refactor: {
    twice: new RegExp(`^refactor(?:s|ed|ing)?${NO_NOUN}`, 'i'),
    verb: 'rework',
    said: new RegExp(`${TYPE}rework `, 'i'),
  },
};
/** The task as it was ordered, of a title whose verb is another one behind its type. */
export const withOrderedVerb = (title: string): string =>
  Object.entries(OTHER_VERBS).reduce((now, [type, { said }]) => now.replace(said, `${type} `), title);
const toWordsBehindType = (words: string, prefix: Prefix): string => {
  const { twice, verb = '' } = OTHER_VERBS[prefix] ?? {};
  return twice === undefined ? words : words.replace(twice, verb);
};

/** `Fixes #12` says what the change is, where nobody says more; `closes #12` does not. */
const FIXES_ISSUE = /\bfix(?:e[sd])?:? [\w./-]{0,100}#\d/i;
/** Files decide first, then the user's words, then the agent's. */
export const changeTypeOf = (paths: readonly string[], goal: string, said: ChangeType | null): ChangeType => {
  const areAll = (is: (path: string) => boolean): boolean => paths.length > 0 && paths.every(is);
  if (areAll(isTest)) return 'test';
  if (areAll(isDoc)) return 'docs';
  if (areAll(isCi)) return 'ci';
  const asked = workType(goal);
  if (asked === 'fix') return 'fix';
  if (asked === 'feat') return 'feature';
  if (said !== null && !['docs', 'test', 'ci'].includes(said)) return said;
  return asked === 'refactor' ? 'refactor' : FIXES_ISSUE.test(goal) ? 'fix' : 'other';
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
    const prefix = PREFIXES[changeTypeOf(paths, goal, said)];
    const bare = plain.replace(/^\w+(?:\([^()]*\))?!?: (?=\S)/, '');
    const asked = format.shape === 'conventional' ? toWordsBehindType(bare, prefix) : bare;
    const made = keepsFormat(plain, format)
      ? plain
      : applyTitleFormat(asked, format, { goal, prefix, component: componentOf(paths) });
    if (made !== null) return shortenText(made, limit);
  }
  const rule = shape?.titleRule ?? null;
  if (rule === null || keepsTitleRule(plain, rule)) return shortenText(plain, limit);
  if (rule === 'component') {
    const component = componentOf(paths);
    return shortenText(`${component}: ${lowerFirst(plain)}`, limit);
  }
  const typed = plain.replace(/^[A-Z]\w*(?=[(!:])/, (type) => type.toLowerCase());
  if (keepsTitleRule(typed, rule)) return shortenText(typed, limit);
  const prefix = PREFIXES[changeTypeOf(paths, goal, said)];
  return shortenText(`${prefix}: ${lowerFirst(toWordsBehindType(withoutTypeLabel(plain), prefix))}`, limit);
};

/** References may not close issues, because a title becomes a commit subject. */
const neutraliseSubject = (text: string): string => {
  const [, closed, rest = ''] =
    /^(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\s+(\S*#\d+)[:,]?\s+(.*)$/i.exec(text) ?? [];
  if (closed !== undefined && isTitle(rest))
    return neutraliseSubject(`${rest.charAt(0).toUpperCase()}${rest.slice(1)} (${closed})`);
  const alive = neutralisePersonalText(text).replace(/\s+/g, ' ').trim();
  return findTextSignals(alive).length === 0 ? alive : neutraliseText(text).replace(/\s+/g, ' ').trim();
};

type Ordered = { order: Pick<Order, 'title' | 'goal'>; said: ReportedChange; paths: readonly string[] };

const composeTitle = (
  { order, said, paths }: Ordered,
  what: string,
  shape: TitleShape,
  limit: number,
): string => {
  if (order.title !== null && order.title.trim() !== '') return order.title.replace(/\s+/g, ' ').trim();
  const asked = firstSentence(withoutClosingNotes(order.goal));
  const titled = composeOrderTitle(order.goal);
  const subject = { goal: order.goal, said: said.type, paths };
  const own = oneLine(firstSentence(what));
  // What changed comes before what was asked for, in the title and in the commit.
  const shaped =
    isTitle(own) && (isImperative(own) || isWithoutBlanks(own)) ? inShape(own, shape, subject, limit) : '';
  // guard: F9-title-of-change
  if (shaped !== '' && shaped.length <= MAX_SUBJECT_LENGTH) return shaped;
  // A user's sentence may state a problem, but a title states the solution.
  const isTold = said.what !== null && isTitle(own);
  if (isTitle(titled) && (isTask(asked) || !(isTold || isImperative(own))))
    return inShape(neutraliseSubject(titled), shape, subject, limit);
  const plain = own || neutraliseSubject(titled);
  return inShape(plain || 'Small change', shape, subject, limit);
};

type TitleInput = Omit<Ordered, 'paths'> & Omit<ClaimGrounds, 'asked'> & { summary?: string };

export const composePullTitle = (
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

const PLAIN_SPAN = /`([-\w][\w.()/-]{0,60})`/g;
/** Code spans of plain words come back: there is nothing in them that acts. */
const oneLine = (text: string): string => {
  const inert = neutralisePlainText(text.replace(/[.;]$/, '')).replace(/\s+/g, ' ').trim();
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
  const asks = firstSentence(withoutClosingNotes(order.goal));
  const cut = fix === null && !ordered && head === composeOrderTitle(order.goal) ? asks : head;
  const whole = cut !== head && cut.startsWith(head) ? `${toTaskStatement(asks)}.` : '';
  const body = [neutralisePlainText(clipText(why || whole, 1_000)).trim(), list].filter(Boolean).join('\n\n');
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

export const baseMergeMessage = (
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
