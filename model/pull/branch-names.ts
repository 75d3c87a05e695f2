/** Applies branch rules of repositories, written as patterns such as `fix|feature/<slug>`. */
import { BranchName } from '#model/order';

export type WorkType = 'fix' | 'feat' | 'docs' | 'test' | 'refactor' | 'chore';

const TYPE_NAMES: Readonly<Record<WorkType, readonly string[]>> = {
  fix: ['fix', 'bugfix', 'hotfix', 'bug', 'patch'],
  feat: ['feat', 'feature', 'features', 'enhancement'],
  docs: ['docs', 'doc', 'documentation'],
  test: ['test', 'tests'],
  refactor: ['refactor', 'cleanup', 'perf', 'style'],
  chore: ['chore', 'build', 'ci', 'task', 'misc', 'maintenance', 'release', 'support', 'topic'],
};
export const CHANGE_TYPE_NAMES = Object.values(TYPE_NAMES).flat();

const TELLS_FAULT =
  /\b(?:fix|bug|wrong|broken|(?<!\b(?:line|page) )breaks|crash(?:es|ed)?|panics?|leaks?|fails?|regression)\b/i;
const BEGINS_WITH_FAULT =
  /^(?:(?!\b(?:which|this)\b)[^.;\n]){0,200}\b(?:incorrect(?:ly)?|hangs|forgets|loses)\b/i;

/** `Raise an error` asks for one that is missing; `raise the limit` does not. */
const ASKS_FOR_FIX =
  /^(?:\S{1,60}: )?(?:raise|throw|return) (?:[\w-]{1,20} ){0,3}\w{0,40}(?:error|exception)\b/i;

export const workType = (goal: string): WorkType => {
  const first = goal.trim().split(/\s+/).slice(0, 4).join(' ').toLowerCase();
  if (/\b(?:docs?|document|documentation|readme|typos?|changelog)\b/.test(first)) return 'docs';
  if (
    /^(?:fix|repair|correct|prevent|handle|stop|avoid|escape|guard|respect|preserve|treat|reject|restore|do not |don't )/.test(
      first,
    )
  )
    return 'fix';
  if (/\btests?\b/.test(first)) return 'test';
  if (/^(?:add|support|implement|introduce|allow|create)/.test(first)) return 'feat';
  if (/^(?:refactor|rename|clean|simplify|extract|move|replace)/.test(first)) return 'refactor';
  if ([ASKS_FOR_FIX, TELLS_FAULT, BEGINS_WITH_FAULT].some((says) => says.test(goal.trim()))) return 'fix';
  return 'chore';
};

/** `fix(api): …` and its like say the kind of change; a component, as in `parser: …`, does not. */
const findTypeInTitle = (title: string): WorkType | 'breaking' | null => {
  const [, type = '', breaks] = /^(\w+)(?:\([^)]*\))?(!)?:/.exec(title) ?? [];
  if (breaks === '!') return 'breaking';
  const types = Object.keys(TYPE_NAMES) as WorkType[];
  return types.find((one) => TYPE_NAMES[one].includes(type.toLowerCase())) ?? null;
};

export const workOfTitle = (title: string, otherwise = workType(title)): WorkType | 'breaking' =>
  findTypeInTitle(title) ?? otherwise;

/** Keeps whole words, except for a single longer one. */
export const slugifyTitle = (text: string, limit: number): string => {
  const all = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (all.length <= limit) return all;
  const cut = all.slice(0, limit);
  const isWhole = all.charAt(limit) === '-';
  return isWhole || !cut.includes('-') ? cut.replace(/-$/, '') : cut.slice(0, cut.lastIndexOf('-'));
};

const toWordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));
const CLAUSE_OPENERS = toWordSet(
  'so that which who whose when whenever where while if unless until because since whether',
);
const PHRASE_OPENERS = new Set([
  ...CLAUSE_OPENERS,
  ...toWordSet(
    'and or but nor as than after before for from in into of on onto over per to under with without via by at about between during not instead regardless being',
  ),
]);
const FUNCTION_WORDS = new Set([
  ...PHRASE_OPENERS,
  ...toWordSet('a an the is are was were be been being does do no it its their this these those'),
]);

const EXCEPTS_BY_BUT = toWordSet('all any anyone anything everything none nothing');

type Phrase = { words: string[]; beginsClause: boolean };

/** A name holds fewer. */
const MAX_NAME_WORDS = 40;

const readPhrases = (title: string): Phrase[] => {
  const phrases: Phrase[] = [];
  let end = '';
  for (const [at, token] of title.split(/\s+/, MAX_NAME_WORDS).filter(Boolean).entries()) {
    const words = slugifyTitle(token, token.length * 4)
      .split('-')
      .filter(Boolean);
    const [first = ''] = words;
    const isExcepted = first === 'but' && EXCEPTS_BY_BUT.has(phrases.at(-1)?.words.at(-1) ?? '');
    const beginsClause = (end !== '' && end !== ',') || CLAUSE_OPENERS.has(first);
    if (phrases.length === 0 || end !== '' || (PHRASE_OPENERS.has(first) && !isExcepted))
      phrases.push({ words: [], beginsClause });
    phrases.at(-1)?.words.push(...words);
    // A component before a colon is no clause.
    end = (at === 0 ? null : /[,;:.!?]$/.exec(token)?.[0]) ?? '';
  }
  return phrases;
};

const wordsOf = (phrases: readonly Phrase[]): string[] => phrases.flatMap(({ words }) => words);
const saysEnough = (phrases: readonly Phrase[]): boolean =>
  wordsOf(phrases).filter((word) => !FUNCTION_WORDS.has(word)).length >= 2;

const MAX_TITLE_WORDS_LENGTH = 50;
const selectFitting = (phrases: readonly Phrase[]): readonly Phrase[] => {
  let fitting = phrases.length;
  while (fitting > 0 && wordsOf(phrases.slice(0, fitting)).join('-').length > MAX_TITLE_WORDS_LENGTH)
    fitting -= 1;
  const kept = phrases.slice(0, fitting);
  const clause =
    phrases[fitting]?.beginsClause === false ? kept.findLastIndex((one) => one.beginsClause) : -1;
  return clause > 0 && saysEnough(kept.slice(0, clause)) ? kept.slice(0, clause) : kept;
};

/** A branch is named by whole phrases of a title, which end on a word that says something. */
const nameOfTitle = (title: string): string => {
  const phrases = readPhrases(title);
  const fitting = selectFitting(phrases);
  const isCut = fitting.length < phrases.length;
  const words =
    fitting.length > 0 ? wordsOf(fitting) : slugifyTitle(title, MAX_TITLE_WORDS_LENGTH).split('-');
  if (isCut && words.at(-2) === 'as' && /^(?:long|soon|far)$/.test(words.at(-1) ?? '')) words.pop();
  while (isCut && words.length > 1 && FUNCTION_WORDS.has(words.at(-1) ?? '')) words.pop();
  return words.join('-');
};

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const asPattern = (part: string): string =>
  part
    .split(/(<[a-z]+>)/)
    .map((piece) =>
      piece === '<slug>'
        ? '[A-Za-z0-9][A-Za-z0-9._/-]*'
        : piece === '<type>'
          ? `(?:${CHANGE_TYPE_NAMES.join('|')})`
          : piece === '<issue>'
            ? '(?:[A-Za-z]+-)?\\d+'
            : escapePattern(piece),
    )
    .join('');

/** Alternatives of the first segment are separated by `|`. */
export const matchesBranchRule = (branch: string, rule: string): boolean => {
  const [first = '', ...rest] = rule.split('/');
  const head = first.split('|').map(asPattern).join('|');
  return new RegExp(`^(?:${head})${rest.map((part) => `/${asPattern(part)}`).join('')}$`).test(branch);
};

const pickType = (first: string, type: WorkType): string => {
  const choices = first.split('|');
  const findTypeChoice = (one: WorkType): string | undefined =>
    choices.find((c) => TYPE_NAMES[one].includes(c.toLowerCase()));
  // A change that is no fix is not called one when another word exists.
  const next: readonly WorkType[] = type === 'fix' ? [] : ['chore', 'feat'];
  return findTypeChoice(type) ?? next.map(findTypeChoice).find((c) => c !== undefined) ?? choices[0] ?? '';
};

/** Returns null when no name fits, such as a ticket number that the goal does not give. */
export const branchNameByRule = (
  rule: string,
  goal: string,
  runId: string,
  type = workType(goal),
): string | null => {
  const [first = '', ...rest] = rule.split('/');
  const name = nameOfTitle(goal);
  const issue = /(?:#|\b[A-Z]{2,}-)(\d+)\b/.exec(goal)?.[0].replace('#', '');
  const branch = [pickType(first, type), ...rest]
    .join('/')
    .replaceAll('<type>', type)
    .replaceAll('<slug>', [name, slugifyTitle(runId, 40)].filter(Boolean).join('-'))
    .replaceAll('<issue>', issue ?? '<issue>');
  return BranchName.safeParse(branch).success && matchesBranchRule(branch, rule) ? branch : null;
};
