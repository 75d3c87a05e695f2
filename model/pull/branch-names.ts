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
  if (
    /\b(?:fix|bug|wrong|broken|(?<!\b(?:line|page) )breaks|crash(?:es|ed)?|panics?|leaks?|fails?|regression)\b/.test(
      goal.toLowerCase(),
    )
  )
    return 'fix';
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
export const keepsRule = (branch: string, rule: string): boolean => {
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
export const applyRule = (
  rule: string,
  goal: string,
  runId: string,
  type = workType(goal),
): string | null => {
  const [first = '', ...rest] = rule.split('/');
  const words = slugifyTitle(goal, 40);
  const issue = /(?:#|\b[A-Z]{2,}-)(\d+)\b/.exec(goal)?.[0].replace('#', '');
  const name = [pickType(first, type), ...rest]
    .join('/')
    .replaceAll('<type>', type)
    .replaceAll('<slug>', [words, slugifyTitle(runId, 40)].filter(Boolean).join('-'))
    .replaceAll('<issue>', issue ?? '<issue>');
  return BranchName.safeParse(name).success && keepsRule(name, rule) ? name : null;
};
