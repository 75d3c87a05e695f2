/** Finds the branch that changes go to. */
import type { ContributionRule } from '#model/contract';
import { matchesOf } from '#model/values';
import type { FoundRule, RulePassage } from './rule-passage.ts';

const USUAL = String.raw`(?:main|master|develop(?:ment)?|dev|trunk|stable|devel|staging|unstable|canary|beta|edge|integration|experimental|next(?! \w+ (?:branch|release|version))|v?\d+\.(?:\d+\.)*(?:x\b|X\b|\d+)|v\d[\w.]*)`;
const FILLER = String.raw`(?:(?:the|our|its|this|latest|current|upstream|up-to-date|branch(?: named| called)?|git|remote|default|repository'?s?|project'?s|next (?:minor|major) (?:version )?branch,? e\.g\.,?) ){0,3}(?:[\w.-]+(?:\/[\w.-]+)?'s )?`;
const OPENS = String.raw`([\`"'“”])(?:origin\/|upstream\/|[\w-]+:(?=\w))?`;
/** A quoted name may be anything; a bare one is a usual name or stands before `branch`. */
const mentionPattern = (before: string, bare: string): RegExp =>
  new RegExp(
    String.raw`\b(?:${before}) ${FILLER}(?:${OPENS}([A-Za-z0-9][\w./-]{0,40}?)[\`"'“”](?= (?:\w+ )?branch)|[\`"'“”]?(?:origin\/|upstream\/|[\w-]+:(?=\w))?(${USUAL}|[A-Za-z]\w*[-/.\d][\w./-]{0,30}(?= (?:git |development )?branch\b))[\`"'“”]?${bare})`,
    'gi',
  );
const NAME_END = String.raw`(?![\w-]|\.\w|\/)`;
const ENDS_ALL = String.raw`(?= (?:git |development )?branch\b|[,.;:)](?:\s|$)| (?:and|or|not|instead|rather|only|first|unless|with|as|for|on)\b|$)`;
const STRONG = mentionPattern(
  String.raw`against|rebase (?:your|the) (?:pull[- ]?requests?|PRs?|commits) (?:on|onto|to|on top of)|(?:pull[- ]?requests?|PRs?) on|targets?|targeted (?:at|to)|targeting|onto|base branch (?:is|to|should be|must be|of)|(?:target|destination|base)(?: of (?:the|your|all|each|every) (?:pull requests?|PRs?))? (?:branch )?(?:is|should be|must be)|(?:create|make|start|cut|check ?out) (?:a|your|the) (?:\w+ ){0,3}branch(?: for (?:\w+ ){1,3})? ?\(?(?:from|off)|base branch:|target branch:(?: always)?|directed (?:at|to)|based (?:on|off|off of|against|of|from)|(?:based |start |started )from|base (?:on|off)|base (?:your \w+|it|them|both \w+ and (?:\w+ )?\w+|all \w+(?: \w+)?) (?:on|off|of)|set (?:the|your) base (?:branch )?to|up[- ]to[- ]date with|default branch (?:for \w+ )?is|based (?:this|my|your|the) \w+(?: \w+)? (?:on|off|of)|as (?:a|the) base,? use|branch(?:es|ed)? (?:off|from|off of|off from|out from)|branch of`,
  NAME_END,
);
const WEAK = mentionPattern(
  String.raw`(?:\b(?:pull[- ]?requests?|PRs?|MRs?|merge[- ]requests?|patch(?:es)?|contributions?|submi\w+|sent|send|fixes|features?|enhancements?|merged?|merging|commits?|code|changes|they|it|go|goes)\b[^.;]{0,60}?\b(?:to|into)|(?:development|work|everything) (?:happens|takes place|is done) (?:on|in))`,
  ENDS_ALL,
);
const SENT =
  /\b(?:request to merge|as (?:your|the) base|pull[- ]?requests?|PRs?|MRs?|merge[- ]requests?|patch(?:es)?|contributions?|submi\w+|fixes|features|enhancements?|start from|development (?:happens|takes place|is done)|(?:create|creating|make|new|your|topic|feature|start) (?:\w+ ){0,3}branch|happens|continues|changes (?:should|must|have to|need to|are to|shall) (?:go|be (?:made|sent|proposed|opened)))\b/i;
const CALLED =
  /\b(?:against|targets?|targeting|targeted at|to|into|branch) (?:the |our )?(?:branch(?: called| named)? )[`"'“]([A-Za-z0-9][\w./-]{0,40})[`"'”]|\b(?:against|targets?|targeting|targeted at) (?:the |our )?[`"'“](?:[\w-]+:)?([A-Za-z0-9][\w./-]{0,40})[`"'”]/gi;
const BASED =
  /\bfrom (?:a|the) (?:base|relevant|appropriate) branch,? \(?e\.?g\.?,? [`"']?(main|master|develop|dev)\b|\bbase branch \(e\.?g\.?,? [`"']([\w./-]{2,40})[`"']|[`"']([\w./-]{2,40})[`"'] (?:git )?(?:as (?:the |your |its )?(?:base|target)|base branch)\b|\bwith ([\w./-]{2,40}) base branch\b|\b(?:with|use|set|choose|select|pick|keep) [`"']?([\w./-]{2,40})[`"']? as (?:the |your )?(?:\w+ )?base branch\b/gi;
const ALL_ELSE = String.raw`(?:otherwise|(?:any|every)thing else|all (?:else|others?)|(?:all|any) other \w+|the rest)`;
const OTHERWISE = new RegExp(
  String.raw`\b${ALL_ELSE},? (?:the target is |(?:should |must )?(?:targets?|uses?|go(?:es)? (?:in)?to) |against |(?:in)?to )?(?:the )?(?:[\`"'“]([A-Za-z0-9][\w./-]{0,40})[\`"'”]|(${USUAL})\b)`,
  'gi',
);
const FOR_OTHERS = new RegExp(
  String.raw`(?:\b(?:and|or)|,) (?:the )?[\`"'“]?(${USUAL})[\`"'”]?(?: branch)? for (?:\w+ ){0,2}(?:features?|fix(?:es)?|changes|everything|others?|docs|documentation|releases)\b`,
  'gi',
);
const NO_NAME =
  /^(?:gh-pages|maintenance|maintained|corresponding|proper|active|respective|backport|supported|a|an|the|new|your|this|that|same|correct|right|appropriate|default|relevant|feature|separate|topic|upstream|origin|dedicated|own|other|each|base|target|current|latest|specific|it|any|release|which|another|local|remote|working|primary|git|existing|pull|prs?|mrs?|bugfix|short-lived|personal|named|source|fork|forked|branch|one|no|all|and|or|both|different|individual|descriptive|well-named|single|minor|major|recent|older|previous|stable\w+|protected|my|our|its|their|of|for|to|from|in|on|with|main\/master|master\/main|\d+|.*(?:new|my|your|awesome|amazing|cool|name|feature)[-_/].*|.*[-_/](?:name|feature|branch|topic|fix)|(?!(?:releases?|stable|maint(?:enance)?|support|dev|develop|version)\/)\w+\/\w+[-\w]*)$/i;

const ONES_OWN =
  /^(?:.*\.(?:md|rst|txt|td|json|ya?ml|toml|lock)|.*(?:new|my|your|awesome|amazing|cool|name|feature)[-_/].*|.*[-_/](?:name|feature|branch|topic|fix)|pull|gh-pages|feature|branch|(?!(?:releases?|stable|maint(?:enance)?|support|dev|develop|version)\/)[\w-]+\/(?!x$)[a-z][\w-]*)$/i;

/** Files, branches that people make for a change, and words that are no names are no base. */
export const isBranchName = (name: string): boolean => !NO_NAME.test(name) && !ONES_OWN.test(name);
const IS_USUAL = new RegExp(`^${USUAL}$`, 'i');
const SAYS_BRANCH = /branch|zweig|\brama\b|\bramo\b|ветк|gałą|分支|ブランチ|브랜치/i;
/** `docs` is a folder where the repository has one, unless the sentence calls it a branch. */
export const isNameInTree = (
  { value = '', quote }: Pick<ContributionRule, 'value' | 'quote'>,
  paths: readonly string[],
): boolean =>
  !IS_USUAL.test(value) &&
  !SAYS_BRANCH.test(quote) &&
  paths.some((path) => path === value || path.startsWith(`${value}/`));

const NOT_OF_CHANGES =
  /\b(?:rebas\w*|fetch|pull (?:from|in|the latest)|sync\w*|keep\w*|up[- ]to[- ]date|checkout|check out|releas\w+|push (?:directly|to|permissions?)|pushed|switch\w*|directly|deploy\w*|never|do not|don't|tests? (?:fail|run)|compar\w+|diff|bench\w*|working (?:directory|tree|copy)|back-?port\w*|cherry|maintainers?|nightly|protected|tagged|hosted|conflicts?|badge|install|download|hook|upgrade|delete|once|after|when|merging)\b/i;
const SURELY =
  /\b(?:first and|against|target|rebase (?:your|the) (?:pull[- ]?requests?|PRs?|commits)|as (?:the |your )?(?:\w+ )?base branch|must be based|PRs? to|pull[- ]requests? to|(?:open|creat|submit|send|make|rais|issue|file)\w*\b[^.;]*\b(?:PRs?|pull[- ]?requests?|patch(?:es)?)|branch (?:off|from)|based (?:this|my))\b/i;
const NEVER =
  /^\W*(?:breaking|rebase(?! (?:your|the) (?:pull[- ]?requests?|PRs?|commits)))\b|^\W*(?:once|after|when)\b[^.;]*\bmerged\b|\bruns? on every\b|\bas a maintainer\b|(?<!\bexcept\b[^.;]{0,20})\bback-?ports?\b(?![^.;]*\b(?:first|and are)\b)|\b(?:push|ci|workflow)\b[^.;]{0,20}\b(?:trigger|run)|\bmaintainers? (?:will|may|can|then)\b|\bwill (?:\w+ )?be (?:\w+ )?(?:merged|rebased)\b|^\W*to (?:synchroni[sz]e|sync)\b|\bforward-?port|\bbenchmark\w*\b|\bevents? (?:to|on)\b|\btriggered\b|\bupdat\w* (?:your|the) (?:\w+ )?branch\b|\brelease branch\b|\b(?:jump|move|increment|bump)\w* to [`"']*\d|\b(?:PRs?|pull[- ]requests?) (?:in|on|to) the [\w./-]*[`_-][\w./`-]* repo(?:sitory)?\b(?! (?:against|on)\b)|\b(?:do not|don't) (?:open|send|submit) (?:\w+ )?(?:pull|PR)/i;
const NOT_THIS = /(?:\b(?:not|never|rather than|instead of|than)\b|n't\b)[^.;,]{0,24}$/i;

const THIS_BRANCH =
  /\b(?:pull[- ]?requests?|PRs?|MRs?|patches|contributions)\b[^.;]{0,40}\b(?:targets?|against|to|on|onto|into)\b (?:this|that) branch\b|\b(?:pull[- ]?requests?|PRs?|MRs?)\b[^.;]{0,30}\bagainst it\b|\bthis is where (?:your|all|the) (?:pull[- ]?requests?|PRs?|changes) should (?:go|target)\b|\bbase your (?:work|changes|branch|pull[- ]?requests?|PRs?) on (?:it|this|that)\b/i;
const LEADING_NAME = /^[\s>*+-]*[/`"'*_]{0,3}([A-Za-z][\w.-]{1,40})[/`"'*_]{0,3}\s*(?::|–|—| - )/;
const IS_NAMED = /\bbranch(?:es)? (?:is|are|called|named) (?:the |our )?[`"'*]{1,3}([\w./-]{2,40})[`"'*]/i;
const NAMED_BRANCH = /[`"'*]{1,3}([\w./-]{2,40})[`"'*]{1,3} branch\b/i;
const DEVELOPED_ON =
  /^\W*(?:the |our )?[`"'*]{1,3}([\w./-]{2,40})[`"'*]{1,3}(?: branch)? is (?:our|the) (?:main |active |current |primary |default |central )?(?:development|integration) branch\b/i;
const thisBranch = ({ quote, before }: RulePassage): string[] => {
  const developed = DEVELOPED_ON.exec(quote)?.[1];
  if (developed !== undefined) return [developed];
  const at = THIS_BRANCH.exec(quote)?.index;
  if (at === undefined) return [];
  const said = [quote.slice(0, at), before];
  const found = said.flatMap((text) =>
    [IS_NAMED, NAMED_BRANCH, LEADING_NAME].flatMap((p) => p.exec(text)?.[1] ?? []),
  );
  return found.filter(isBranchName).slice(0, 1);
};

const stripMarkdown = (quote: string): string =>
  quote
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/[*]{1,3}|__/g, '')
    .replace(/``/g, '`')
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ');

const OF_PROJECT = /^[`"']?\s(?:development|repo|project|codebase)/i;
/** Branches of old versions and of security fixes: nothing says that the change is either. */
const OF_A_VERSION =
  /\b(?:security|vulnerabilit\w+)\b|\b(?:for|in|on|of|to|affects?|concerns?) (?:the )?(?:version |release )?v?\d+(?:\.(?:\d+|x))+\b|\bolder? (?:versions?|releases?)\b/i;
/** A version from which something holds is none that the sentence is about. */
const FROM_THEN_ON =
  /\b(?:as of|since|(?:starting|beginning) (?:with|from|in)) (?:the )?(?:version |release )?v?\d[\w.]*/gi;
const CLAUSE_BEFORE =
  /;|, (?=(?:and |or )?(?:all|any|every|other|features?|fix|bug|new)\b|$)|, (?:and|but|so|then) (?=(?:please |all |your |any ){0,2}(?:open|send|submit|target|base|make|create|pull|PRs?|changes)\b|$)|\b(?:while|whereas|otherwise)\b/i;
/** `In 2.0 we renamed the branch, please open …`: told before, unlike `For 2.0, please open …`. */
const IS_TOLD = /^(?!\W*(?:if|when|where|for)\b).*\b(?:we|it|they|there) \w/i;
const isOfVersion = (said: string, at: number): boolean => {
  const clause = said.slice(0, at).split(CLAUSE_BEFORE).at(-1) ?? '';
  const parts = clause.replace(FROM_THEN_ON, ' ').split(', ');
  const told = parts.slice(0, -1).findLastIndex((part) => IS_TOLD.test(part));
  return OF_A_VERSION.test(parts.slice(told + 1).join(', '));
};
const UNDER_CONDITION = String.raw`(?! (?:if|when|unless|until|while|before|after|that|which|who|on|with|for|lacking|as long|without (?!(?:any )?(?:further )?(?:review|comment|notice|warning|discussion|exception)))\b)`;
const NOT_TAKEN = String.raw`(?:be |being |been )?(?:\w+ly )?(?:accepted|merged|allowed|permitted|considered|reviewed|looked at|read|opened|made|wanted|welcomed?|supported|taken|used|sent|submitted|created|desired|possible)\b${UNDER_CONDITION}`;
const REFUSED = new RegExp(
  String.raw`^[\`"'”*]{0,3}(?: branch)?,? (?:(?:are|is|will|would|may|shall|can|must|get|gets|be|being|have|been|just|now|always|[a-z]{1,12}ly) ){1,4}(?:(?:closed|rejected|refused|declined|denied|ignored|deleted|forbidden|prohibited)\b${UNDER_CONDITION}|(?:not|never) ${NOT_TAKEN})|^[\`"'”*]{0,3}(?: branch)? (?:aren't|isn't|won't|cannot|can't) ${NOT_TAKEN}`,
  'i',
);
/** Tests run against a branch, and nobody sends anything there. */
const RUN_THERE = /\b(?:runs?|ran|running|executed?|tested|checked|compared|deployed|measured) (?:\w+ly )?$/i;
const isNegated = (said: string, { index, 0: { length } }: RegExpMatchArray & { index: number }): boolean => {
  const before = said.slice(Math.max(0, index - 40), index);
  // Two refusals say where changes go: `PRs that do not target dev are closed`.
  return (
    RUN_THERE.test(before) ||
    isOfVersion(said, index) ||
    NOT_THIS.test(before) !== REFUSED.test(said.slice(index + length, index + length + 80))
  );
};
const namesIn = (said: string, pattern: RegExp): string[] =>
  matchesOf(said, pattern).flatMap((m) => {
    const [, quoted, called, bare] = m;
    const name = (called ?? bare ?? '').replace(/(?<![.])[.]+$/, '');
    const negated = isNegated(said, m);
    const none = quoted === undefined ? NO_NAME : ONES_OWN;
    const described =
      bare === 'main' && OF_PROJECT.test(said.slice(m.index + m[0].length, m.index + m[0].length + 20));
    return name === '' || negated || described || none.test(name) ? [] : [name];
  });
const listBranchNames = (said: string, pattern: RegExp): string[] =>
  matchesOf(said, pattern)
    .filter((m) => !isNegated(said, m))
    .map((m) => m.slice(1).find((name) => name !== undefined) ?? '')
    .filter((n) => n !== '' && isBranchName(n));

/** A remark behind the sentence takes nothing from it: `Target main; a maintainer may cherry-pick.` */
const clausesOf = (text: string): string[] => text.split(/;|(?<!\b(?:e\.g|i\.e))\.(?=\s\W*[A-Z])/);
const findNamedBranches = (one: RulePassage): string[] => {
  if (one.plain !== '' && one.heading.endsWith(one.plain)) return [];
  const [plain, quote] = [clausesOf(one.plain), clausesOf(one.quote)];
  if (plain.length !== quote.length) return branchesInClause(one);
  return plain.flatMap((part, at) => branchesInClause({ ...one, plain: part, quote: quote[at] ?? '' }));
};
const branchesInClause = ({ plain, quote, before, heading, lead }: RulePassage): string[] => {
  if (NEVER.test(plain) || (NOT_OF_CHANGES.test(plain) && !SURELY.test(plain))) return [];
  const said = stripMarkdown(quote).replace(/\(or [^)]{0,80}\bif\b[^)]{0,80}\)/gi, ' ');
  const sent =
    SENT.test(plain) || SENT.test(lead) || /pull[- ]?request|\bPRs?\b/i.test(`${before} ${heading}`);
  const surely = [
    ...namesIn(said, STRONG),
    ...listBranchNames(said, CALLED),
    ...listBranchNames(said, BASED),
  ];
  if (!sent && !/\bbranch\b/i.test(plain)) return [];
  const all = surely.length > 0 || !SENT.test(plain) ? surely : namesIn(said, WEAK);
  return sent
    ? [
        ...all,
        ...listBranchNames(said, OTHERWISE),
        ...(all.length > 0 ? listBranchNames(said, FOR_OTHERS) : []),
      ]
    : all;
};

type Work = NonNullable<FoundRule['appliesTo']>;
const KINDS_OF_WORK: readonly (readonly [Work, RegExp])[] = [
  ['breaking', /\b(?:BC[- ]break\w*|breaking|backwards?[- ]incompatible|major (?:changes?|versions?))\b/i],
  ['docs', /\b(?:documentation|docs|typos?)\b/i],
  ['feat', /\b(?:features?|enhancements?|deprecations?)\b/i],
  [
    'fix',
    /(?<!\bdocumentation |\bdocs? |\btypo )\b(?:bug ?fix(?:es)?|fix(?:es)?|bugs?|hotfix(?:es)?|patch(?:es)?)\b/i,
  ],
];
/** `fixes go to A, features to B`: each branch belongs to the kind named last before it. */
const workBefore = (said: string): Work | undefined => {
  let [best, at]: [Work | undefined, number] = [undefined, -1];
  for (const [work, pattern] of KINDS_OF_WORK)
    for (const found of matchesOf(said, new RegExp(pattern.source, 'gi')))
      if (found.index > at) [best, at] = [work, found.index];
  return best;
};
const VERSIONED =
  /\btarget(?:s|ing)? (?:the )?(?:[\w-]+ ){1,4}branch(?:,? e\.g\.,?|:| \()? ?[`"']?(v?\d+\.(?:\d+\.)*(?:x\b|X\b|\d+))/gi;

export const baseBranches = (one: RulePassage): FoundRule[] => {
  const said = stripMarkdown(one.quote);
  const versioned = matchesOf(said, VERSIONED).map((m) => m[1] ?? '');
  return [...new Set([...findNamedBranches(one), ...versioned, ...thisBranch(one)])].map((value) =>
    baseBranchNamed(said, value),
  );
};

export const baseBranchNamed = (said: string, value: string): FoundRule => {
  const before = said.slice(0, Math.max(0, said.indexOf(value)));
  const parts = before.split(/[;,]|\b(?:while|whereas|otherwise)\b/);
  const appliesTo = workBefore(parts.at(-1) ?? '') ?? workBefore(parts.at(-2) ?? '');
  const general = new RegExp(String.raw`\b${ALL_ELSE}\b`, 'i').test(before);
  return { kind: 'base_branch', value, ...(appliesTo === undefined || general ? {} : { appliesTo }) };
};
