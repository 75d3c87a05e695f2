/** Finds rules about commits, titles and branches. */
import { CHANGE_TYPE_NAMES } from '#model/pull';
import { wordPatterns } from '#tools/words';
import { NO_SIGN_OFF } from './ai-marks.ts';
import { namesModel } from './ai-words.ts';
import { REQUEST_WORDS, type FoundRule, type RuleReader, type RulePassage } from './rule-passage.ts';

const COMMIT_WORDS = wordPatterns('discovery/rules', 'commits', [
  ...['ofSignOff', 'noOrNever', 'styleOf', 'labels', 'typeShown', 'linked', 'trailers', 'issueTitles'],
  ...['orders', 'otherStyle', 'branch', 'optionalOrNot', 'dco', 'noDco', 'reviews', 'conventional'],
  ...['listed', 'conventionFile', 'notConventional', 'notNeeded', 'component', 'aboutCommit'],
  ...['otherObject', 'titles', 'aboutBranch', 'madeBranch', 'numberedIssue', 'ofBranches', 'changeId'],
  ...['foreign'],
] as const);

/** `commit -S` signs with a key, `-s` signs off. */
const WITH_KEY = /(?<=\s)-[a-rt-zA-RT-Z]{0,6}S(?![\w-])/g;
const findDcoRule = ({ plain, quote, forAgents }: RulePassage): FoundRule | null => {
  const words = `${plain} ${/`[^`]*`/.exec(quote)?.[0] ?? ''}`.replace(WITH_KEY, ' ');
  if (!COMMIT_WORDS.dco.test(words) || COMMIT_WORDS.noDco.test(plain)) return null;
  if (COMMIT_WORDS.reviews.test(plain) && !COMMIT_WORDS.ofSignOff.test(plain)) return null;
  // An order that agents may not sign off is one for people.
  if (forAgents && NO_SIGN_OFF.test(plain)) return null;
  return namesModel(plain) && COMMIT_WORDS.noOrNever.test(plain) ? null : { kind: 'dco' };
};

const TYPED =
  /[`"'(<]?(?:<type>|(?<![\w-])(?<!\b(?:an?|the|its|of|this) )type\b|feat|fix)(?:\((?:<?[\w-]+>?|\w+)\)|\[[^\]]*\])?!?\s?:\s?(?:<|\[|`|"|'|\w)/i;

/** Capitals make these a style: `ABC-12: …`, `ENH:` or `BUG:`. */
const IN_CAPITALS = [
  /\b[A-Z]{2,}-\d+: |\b[A-Z]{2,6}:(?:,| )[^.;]{0,30}\b[A-Z]{2,6}:/,
  /\b(?:tagged|labell?ed|marked) with [^.;]{0,40}\b[A-Z]{2,6}\b,? (?:or )?[A-Z]{2,6}\b/,
];
const BOXED = /^\W*\[[ x]?\]/i;

const commitStyle = (one: RulePassage): FoundRule[] => {
  const { plain, quote, heading, lead, before, code } = one;
  if (COMMIT_WORDS.otherObject.test(plain) || COMMIT_WORDS.otherObject.test(quote)) return [];
  const out: FoundRule[] = [];
  const words = plain
    .replace(/https?:\/\/\S*conventional\S*/gi, 'conventional commits')
    .replace(/\bscope (?:is )?optional\b/gi, 'scope');
  const here =
    COMMIT_WORDS.aboutCommit.test(words) ||
    COMMIT_WORDS.titles.test(words) ||
    COMMIT_WORDS.aboutCommit.test(heading) ||
    COMMIT_WORDS.aboutCommit.test(before);
  const negated = COMMIT_WORDS.notConventional.test(words) && !COMMIT_WORDS.notNeeded.test(words);
  if (negated) out.push({ kind: 'commit_style', value: 'not_conventional' });
  const shown = `${quote} ${COMMIT_WORDS.aboutCommit.test(words) || COMMIT_WORDS.styleOf.test(words) ? (code.split('\n')[0] ?? '') : ''}`;
  const typed =
    here && TYPED.test(shown) && !COMMIT_WORDS.labels.test(words) && COMMIT_WORDS.typeShown.test(shown);
  const linked = COMMIT_WORDS.linked.test(quote);
  if (
    !negated &&
    !COMMIT_WORDS.notNeeded.test(words) &&
    (COMMIT_WORDS.conventional.test(words) ||
      linked ||
      typed ||
      (here && COMMIT_WORDS.listed.test(words)) ||
      COMMIT_WORDS.conventionFile.test(quote))
  )
    return [{ kind: 'commit_style', value: 'conventional' }];
  const forTitles =
    !COMMIT_WORDS.trailers.test(words) && !/(?:^|\s)git \w|https?:/.test(shown.slice(quote.length));
  if (
    here &&
    forTitles &&
    !/\b(?:feat|fix|refactor|chore|docs)\(\w+\):/.test(shown) &&
    COMMIT_WORDS.component.test(shown) &&
    !/<type>|\btype\b\s?[(:<[]/i.test(shown)
  )
    out.push({ kind: 'commit_style', value: 'component' });
  if (
    out.length === 0 &&
    (COMMIT_WORDS.aboutCommit.test(words) ||
      COMMIT_WORDS.titles.test(words) ||
      COMMIT_WORDS.aboutCommit.test(`${lead} ${heading.split(' / ').at(-1) ?? ''}`)) &&
    !COMMIT_WORDS.issueTitles.test(words) &&
    [COMMIT_WORDS.otherStyle, ...IN_CAPITALS].some((says) => says.test(quote)) &&
    (REQUEST_WORDS.test(`${lead} ${words}`) ||
      COMMIT_WORDS.titles.test(words) ||
      BOXED.test(quote) ||
      COMMIT_WORDS.orders.test(words))
  )
    out.push({ kind: 'commit_style', value: 'other' });
  return out;
};

const NOT_A_NAME =
  /^(?:https?:|origin\/|upstream\/|pull\/|\$|and\/or$|refs\/|\.|docs?\/[\w-]+\.)|\.(?:md|txt|js|ts|py|ya?ml|json|html)$/i;
const ISSUE = /issue|ticket|jira|number|\bid\b|#|\d{2,}/i;

const findNameCandidates = (quote: string): string[] => {
  const inCode = [...quote.matchAll(/`([^`]+)`|["“]([^"”]+)["”]/g)].map((m) =>
    (m[1] ?? m[2] ?? '').replace(/<[^<>\n]{1,40}>/g, (part) => part.replace(/\s+/g, '-')),
  );
  const bare = quote.replace(/`[^`]*`|https?:\S+/g, ' ').match(/[\w<{[-]+\/[^\s,;:()`"”]*/g) ?? [];
  return [...inCode.map((c) => c.trim().split(/\s+/).at(-1) ?? ''), ...bare]
    .map((c) => c.replace(/(?<!["'.)])["'.)]+$/, (m) => (/^\.{3}/.test(m) ? m : '')))
    .filter((c) => /^[^/]+\/[^/]*/.test(c) && !NOT_A_NAME.test(c))
    .filter((c) => !c.endsWith('/') || CHANGE_TYPE_NAMES.includes(c.slice(0, -1).toLowerCase()));
};

const isPlaceholder = (part: string): boolean => /^[<{[(]?.*[>}\])]$|^(?:type|\*)$/i.test(part);

/** `fix/<slug>`: the first segment is fixed or a type of work, the rest is free. */
const patternOf = (names: readonly string[]): string | null => {
  const split = names.map((n) => ({ first: n.slice(0, n.indexOf('/')), rest: n.slice(n.indexOf('/') + 1) }));
  const one = split[0];
  if (!one) return null;
  const rest = ISSUE.test(one.rest)
    ? /[-_/]\D/.test(one.rest.replace(/[<{[]?issue[-_ ](?:number|id)/i, 'issue'))
      ? '<issue>-<slug>'
      : '<issue>'
    : '<slug>';
  if (isPlaceholder(one.first)) return `<type>/${rest}`;
  const firsts = [...new Set(split.map((s) => s.first))].filter((f) => /^[A-Za-z][\w.-]*$/.test(f));
  const types = firsts.filter((f) => CHANGE_TYPE_NAMES.includes(f.toLowerCase()));
  const kept = types.length > 0 ? types : firsts.slice(0, 1);
  return kept.length === 0 ? null : `${kept.join('|')}/${rest}`;
};

const hasBranchExamples = (plain: string, names: readonly string[]): boolean =>
  COMMIT_WORDS.madeBranch.test(plain) &&
  names.length > 1 &&
  names.every((n) => CHANGE_TYPE_NAMES.includes(n.slice(0, n.indexOf('/')).toLowerCase()));

/** `issue-XYZ`, `gh-123-short-name`: no folder, but the number of an issue behind a word. */
const NUMBERED_BRANCH =
  /[`"“]((?:issue|gh|bug|ticket|task)[-_])(?:XYZ|[XN#]{1,6}|\d{1,6}|[<{[]?(?:issue[-_ ]?)?(?:number|id)[>}\]]?)([-_][\w<{[-][^`"”\s]*)?[`"”]/i;
/** `<issue-number>-short-name`: the number comes first. */
const NUMBER_FIRST = /[`"“][<{[](?:issue|ticket)[-_ ]?(?:number|id|no)?[>}\]]([-_/])[\w<{[-][^`"”\s]*[`"”]/i;
const findNumberedPattern = (quote: string): string | null => {
  const [, word, more] = NUMBERED_BRANCH.exec(quote) ?? [];
  if (word !== undefined) return `${word}<issue>${more === undefined ? '' : '-<slug>'}`;
  const separator = NUMBER_FIRST.exec(quote)?.[1];
  return separator === undefined ? null : `<issue>${separator}<slug>`;
};

export const findBranchPattern = ({
  plain,
  quote,
  code = '',
}: {
  plain: string;
  quote: string;
  code?: string;
}): string | null => {
  const names = findNameCandidates(quote);
  if (COMMIT_WORDS.foreign.test(plain)) return null;
  if (COMMIT_WORDS.branch.test(plain) && shapeIn(code) !== null) return shapeIn(code);
  const [, word] = (COMMIT_WORDS.branch.test(plain) && BRANCH_OF_ISSUE.exec(code)) || [];
  if (word !== undefined) return `${word}<issue>`;
  if (names.length === 0 && COMMIT_WORDS.numberedIssue.test(plain)) return '<issue>-<slug>';
  return COMMIT_WORDS.aboutBranch.test(plain) || hasBranchExamples(plain, names)
    ? (patternOf(names) ?? findNumberedPattern(quote))
    : null;
};

/** `git checkout -b <issue_number>` in a guide: the number is all of the name but a word before it. */
const BRANCH_OF_ISSUE =
  /^[^\S\n]*(?:\$ )?git (?:checkout -b|switch -c) ((?:[a-z]+[-_])?)[<{[](?:(?:issue|ticket)[-_ ]?(?:number|id|no)|n[uú]m\w+[-_ ]d[ae][-_ ](?:issue|ticket))[>}\]][^\S\n]*$/im;
const SHAPED = /^[[<{]\s?\w+(?:\s?\|\s?\w+)+\s?[\]>}]\/(.+)$/;
const shapeIn = (code: string): string | null => {
  const line = code
    .split('\n')
    .find((l) => SHAPED.test(l.trim()))
    ?.trim();
  if (line === undefined) return null;
  const types = line
    .slice(1, line.search(/[\]>}]/))
    .split('|')
    .map((t) => t.trim());
  const rest = SHAPED.exec(line)?.[1] ?? '';
  const separator = /[\]>}]([-_])[[<{]/.exec(rest)?.[1] ?? '-';
  return `${types.join('|')}/${ISSUE.test(rest) ? `<issue>${separator}<slug>` : '<slug>'}`;
};

const branchName = ({ plain, quote, heading, code }: RulePassage): FoundRule | null => {
  const words = COMMIT_WORDS.ofBranches.test(heading) ? `branch names: ${plain}` : plain;
  const pattern = findBranchPattern({ plain: words, quote, code });
  if (pattern === null) return null;
  const shown = findNameCandidates(quote).slice(0, 4).join(' or ');
  return { kind: 'branch_name', value: shown === '' ? pattern : shown };
};

const changeId = ({ plain, quote }: RulePassage): FoundRule | null =>
  COMMIT_WORDS.changeId.test(`${plain} ${quote}`) &&
  REQUEST_WORDS.test(plain) &&
  !COMMIT_WORDS.optionalOrNot.test(plain)
    ? { kind: 'trailer', value: 'change_id' }
    : null;

export const findCommitRules: RuleReader = (one) => {
  const branch = branchName(one);
  const signed = findDcoRule(one);
  const change = changeId(one);
  return [
    ...(signed ? [signed] : []),
    ...commitStyle(one),
    ...(branch ? [branch] : []),
    ...(change ? [change] : []),
  ];
};
