/** Finds the branch that changes go to. */
import type { ContributionRule } from '#model/contract';
import { findAllMatches } from '#model/values';
import { wordPatterns } from '#tools/words';
import type { FoundRule, RulePassage } from './rule-passage.ts';

const BRANCH_WORDS = wordPatterns('discovery/rules', 'branches', [
  ...['isWord', 'usual', 'surely', 'perhaps', 'sent', 'called', 'basedOn', 'otherwise', 'allElse'],
  ...['forOthers', 'noName', 'onesOwn', 'notOfChanges', 'ofChanges', 'never', 'notThis', 'thisBranch'],
  ...['isNamed', 'isBranch', 'developedOn', 'ofProject', 'ofVersion', 'fromThenOn', 'clauseBefore'],
  ...['isTold', 'refused', 'runThere', 'versioned', 'orElse', 'ofPulls', 'aBranch', 'borders'],
] as const);
/** Files, branches that people make for a change, and words that are no names are no base. */
export const isBaseBranchCandidate = (name: string): boolean =>
  !BRANCH_WORDS.noName.test(name) && !BRANCH_WORDS.onesOwn.test(name);
/** `docs` is a folder where the repository has one, unless the sentence calls it a branch. */
export const isNameInTree = (
  { value = '', quote }: Pick<ContributionRule, 'value' | 'quote'>,
  paths: readonly string[],
): boolean =>
  !BRANCH_WORDS.usual.test(value) &&
  !BRANCH_WORDS.isWord.test(quote) &&
  paths.some((path) => path === value || path.startsWith(`${value}/`));

const LEADING_NAME = /^[\s>*+-]*[/`"'*_]{0,3}([A-Za-z][\w.-]{1,40})[/`"'*_]{0,3}\s*(?::|–|—| - )/;
const thisBranch = ({ quote, before }: RulePassage): string[] => {
  const developed = BRANCH_WORDS.developedOn.exec(quote)?.[1];
  if (developed !== undefined) return [developed];
  const at = BRANCH_WORDS.thisBranch.exec(quote)?.index;
  if (at === undefined) return [];
  const said = [quote.slice(0, at), before];
  const found = said.flatMap((text) =>
    [BRANCH_WORDS.isNamed, BRANCH_WORDS.isBranch, LEADING_NAME].flatMap((p) => p.exec(text)?.[1] ?? []),
  );
  return found.filter(isBaseBranchCandidate).slice(0, 1);
};

const stripMarkdown = (quote: string): string =>
  quote
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/[*]{1,3}|__/g, '')
    .replace(/(?<![\w`/])_([\w.-]{1,40})_(?![\w`/])/g, '$1')
    .replace(/``/g, '`')
    .replace(/`\+([\w./-]{1,60})\+`/g, '`$1`')
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ');

const isOfVersion = (said: string, at: number): boolean => {
  const clause = said.slice(0, at).split(BRANCH_WORDS.clauseBefore).at(-1) ?? '';
  const parts = clause.split(BRANCH_WORDS.fromThenOn).join(' ').split(', ');
  const told = parts.slice(0, -1).findLastIndex((part) => BRANCH_WORDS.isTold.test(part));
  return BRANCH_WORDS.ofVersion.test(parts.slice(told + 1).join(', '));
};
const isNegated = (said: string, { index, 0: { length } }: RegExpMatchArray & { index: number }): boolean => {
  const before = said.slice(Math.max(0, index - 40), index);
  // Two refusals say where changes go: `PRs that do not target dev are closed`.
  return (
    BRANCH_WORDS.runThere.test(before) ||
    isOfVersion(said, index) ||
    BRANCH_WORDS.notThis.test(before) !==
      BRANCH_WORDS.refused.test(said.slice(index + length, index + length + 80))
  );
};
const namesIn = (said: string, pattern: RegExp): string[] =>
  findAllMatches(said, pattern).flatMap((m) => {
    const [, quoted, called, bare] = m;
    const name = (called ?? bare ?? '').replace(/(?<![.])[.]+$/, '');
    const negated = isNegated(said, m);
    const none = quoted === undefined ? BRANCH_WORDS.noName : BRANCH_WORDS.onesOwn;
    const described =
      bare === 'main' &&
      BRANCH_WORDS.ofProject.test(said.slice(m.index + m[0].length, m.index + m[0].length + 20));
    return name === '' || negated || described || none.test(name) ? [] : [name];
  });
const listBranchNames = (said: string, pattern: RegExp): string[] =>
  findAllMatches(said, pattern)
    .filter((m) => !isNegated(said, m))
    .map((m) => m.slice(1).find((name) => name !== undefined) ?? '')
    .filter((n) => n !== '' && isBaseBranchCandidate(n));

/** A remark behind the sentence takes nothing from it: `Target main; a maintainer may cherry-pick.` */
const clausesOf = (text: string): string[] => text.split(/;|(?<!\b(?:e\.g|i\.e))\.(?=\s\W*[A-Z])/);
const findNamedBranches = (one: RulePassage): string[] => {
  if (one.plain !== '' && one.heading.endsWith(one.plain)) return [];
  const [plain, quote] = [clausesOf(one.plain), clausesOf(one.quote)];
  if (plain.length !== quote.length) return branchesInClause(one);
  return plain.flatMap((part, at) => branchesInClause({ ...one, plain: part, quote: quote[at] ?? '' }));
};
const branchesInClause = ({ plain, quote, before, heading, lead }: RulePassage): string[] => {
  if (
    BRANCH_WORDS.never.test(plain) ||
    (BRANCH_WORDS.notOfChanges.test(plain) && !BRANCH_WORDS.ofChanges.test(plain))
  )
    return [];
  const said = stripMarkdown(quote).split(BRANCH_WORDS.orElse).join(' ');
  const sent =
    BRANCH_WORDS.sent.test(plain) ||
    BRANCH_WORDS.sent.test(lead) ||
    BRANCH_WORDS.ofPulls.test(`${before} ${heading}`);
  const surely = [
    ...namesIn(said, BRANCH_WORDS.surely),
    ...listBranchNames(said, BRANCH_WORDS.called),
    ...listBranchNames(said, BRANCH_WORDS.basedOn),
  ];
  if (!sent && !BRANCH_WORDS.aBranch.test(plain)) return [];
  const all =
    surely.length > 0 || !BRANCH_WORDS.sent.test(plain) ? surely : namesIn(said, BRANCH_WORDS.perhaps);
  return sent
    ? [
        ...all,
        ...listBranchNames(said, BRANCH_WORDS.otherwise),
        ...(all.length > 0 ? listBranchNames(said, BRANCH_WORDS.forOthers) : []),
      ]
    : all;
};

type Work = NonNullable<FoundRule['appliesTo']>;
const WORKS = ['breaking', 'docs', 'feat', 'fix'] as const satisfies readonly Work[];
const WORK_WORDS = wordPatterns('discovery/rules', 'work', WORKS);
/** `fixes go to A, features to B`: each branch belongs to the kind named last before it. */
const workBefore = (said: string): Work | undefined => {
  let [best, at]: [Work | undefined, number] = [undefined, -1];
  for (const work of WORKS)
    for (const found of findAllMatches(said, WORK_WORDS[work]))
      if (found.index > at) [best, at] = [work, found.index];
  return best;
};

export const findBaseBranchRules = (one: RulePassage): FoundRule[] => {
  const said = stripMarkdown(one.quote);
  const versioned = findAllMatches(said, BRANCH_WORDS.versioned).map((m) => m[1] ?? '');
  return [...new Set([...findNamedBranches(one), ...versioned, ...thisBranch(one)])].map((value) =>
    toBaseBranchRule(said, value),
  );
};

export const toBaseBranchRule = (said: string, value: string): FoundRule => {
  const before = said.slice(0, Math.max(0, said.indexOf(value)));
  const parts = before.split(BRANCH_WORDS.borders);
  const appliesTo = workBefore(parts.at(-1) ?? '') ?? workBefore(parts.at(-2) ?? '');
  const isGeneral = BRANCH_WORDS.allElse.test(before);
  return { kind: 'base_branch', value, ...(appliesTo === undefined || isGeneral ? {} : { appliesTo }) };
};
