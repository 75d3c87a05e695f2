/** Finds rules about commits, titles and branches. */
import { TYPE_NAMES } from '#model/pull';
import { namesModel } from './ai-words.ts';
import { REQUEST_WORDS, type FoundRule, type RuleReader, type RulePassage } from './rule-passage.ts';

const DCO =
  /\bsigned-off-by\b|\bDCO\b|developer(?:'s|s')? certificate of origin|\bcommit (?:-\w+ )*(?:-s\b|-[^\Ws]*s\w* |--sign-?off)|\bsign(?:ed|ing)?[- ]off\b[^.;]{0,40}\bcommits?\b|\bcommits?\b[^.;]{0,40}\b(?:be )?signed[- ]off\b|--sign-?off\b|\bsign[- ]off (?:on )?your (?:work|patch|contribution)/i;
const NO_DCO =
  /(?:\b(?:no|not|never)\b|n't\b|\bwithout\b(?![^.;]*\b(?:cannot|not|reject\w*|closed|fail\w*)\b))(?: \S+){0,4} (?:a |an |any |the )?(?:DCO|sign-?off|developer certificate)|\b(?:DCO|sign-?off|certificate of origin)\b(?: \S+){0,3} (?:not|n't|un)(?: be)? ?(?:required|needed|necessary|used|use)|signed-off-by\b.{0,50}\b(?:not|n't) (?:use|require|need)|(?:\bnot|n't|\bno(?: longer)?) (?:need|have) to sign[- ]off\b/i;
const REVIEWS =
  /\bsign(?:s|ed|ing)?[- ]off\b[^.;]{0,30}\b(?:from|by (?:a |two |one |at least)|pull request|PR|reviewers?|maintainers?|approv\w+)\b/i;

/** `commit -S` signs with a key, `-s` signs off. */
const WITH_KEY = /(?<=\s)-[a-rt-zA-RT-Z]{0,6}S(?![\w-])/g;
const findDcoRule = ({ plain, quote }: RulePassage): FoundRule | null => {
  const words = `${plain} ${/`[^`]*`/.exec(quote)?.[0] ?? ''}`.replace(WITH_KEY, ' ');
  if (!DCO.test(words) || NO_DCO.test(plain)) return null;
  if (REVIEWS.test(plain) && !/signed-off-by|DCO|commit/i.test(plain)) return null;
  // An order that agents may not sign off is one for people.
  return namesModel(plain) && /\b(?:not|never)\b|n't\b/i.test(plain) ? null : { kind: 'dco' };
};

const CONVENTIONAL =
  /\bconventional[- ]?commits?\b|\bconventionalcommits\b|\bconventional[- ]changelog\b|\b(?:us(?:e|ing)|run|with|by|follow\w*|via) (?:the )?`?(?:commitizen|commitlint)\b|\bsemantic (?:commits?|pull requests?|PR titles?|commit messages?)\b|\bangular(?:'s|JS)?(?: git)? (?:commit|convention)\b|\b(?:fix|feat):(?: ?(?:\.{3}|…))?[`"']? or [`"']?(?:fix|feat)(?:\([^)]{0,30}\))?:/i;
const TYPED =
  /[`"'(<]?(?:<type>|(?<![\w-])(?<!\b(?:an?|the|its|of|this) )type\b|feat|fix)(?:\((?:<?[\w-]+>?|\w+)\)|\[[^\]]*\])?!?\s?:\s?(?:<|\[|`|"|'|\w)/i;
const LISTED =
  /(?:\b(?:prefix\w*|starts?|begins?|one of|types?)\b[^.;]{0,60}|^\W*)[`"']?feat(?:ure)?[`"']?:?[`"']?(?:,| \|| or|\/) ?[`"']?(?:fix|docs|chore|build|ci)\b/i;
const CONVENTION_FILE = /\b(?:must|should|follow\w*)\b[^.;]{0,60}\([^\s()]*commit-convention[^\s()]*\)/i;
const NOT_CONVENTIONAL =
  /(?:feat|fix)(?:\(\w+\))?:[^.;]{0,80}\b(?:discouraged|unwanted|not (?:used|needed|wanted))\b|(?:\b(?:not|no|never|without|instead of|rather than|avoid)\b|n't\b)[^.;]{0,50}(?:\bconventional[- ]?commits?\b|(?<!bug[- ])`?\b(?:feat|fix|chore)`?:(?!\s*$)|\bsemantic commits?\b)/i;
const NOT_NEEDED =
  /(?:\bnot\b|n't\b)[^.;]{0,20}\b(?:required|needed|necessary|mandatory|enforce\w*|strictly)\b|(?:\bnot|n't|\bno(?: longer)?) (?:need|have) to (?:follow|use|adhere|write|stick)\b|\boptional/i;

const SUBJECT_PART = String.raw`(?:[\w /|-]*\b)?(?:components?|packages?|pkg|area|modules?|subsystems?|subsys|topic|crates?|directory|dir|prefix|path|section|part|service|file|library|lib|driver|class|plugin|feature|scope)s?(?:[\w /|,.-]*)`;
const COMPONENT: readonly RegExp[] = [
  new RegExp(String.raw`[<\[{(]\s?${SUBJECT_PART}[>\]})]\s?(?:\([^)]*\))?:\s?(?:\S|$)`, 'i'),
  new RegExp(String.raw`[\`"'“]${SUBJECT_PART}\s?: ?(?:<|\[)?(?:\w|\s){3,40}`, 'i'),
  new RegExp(
    String.raw`\b(?:prefix|annotat|tag)\w*\b[^.;]{0,40}\b(?:with|by)\b[^.;]{0,40}\b(?:packages?|components?|area|modules?|subsystems?|crates?|director(?:y|ies)|scope|name of the)\b`,
    'i',
  ),
  new RegExp(
    String.raw`\bprefix\b[^.;]{0,30}\b(?:identif|indicat|nam|describ)\w*\b[^.;]{0,20}\b(?:sub[- ]?system|component|area|module|package)s?\b`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:start|begin)\w*\b[^.;]{0,40}\b(?:with|by)\b(?! \w+ing\b)[^.;]{0,40}\b(?:package|component|area|module|subsystem|crate|topic|directory|path|parser)(?:'s|s)?(?: name)?\b`,
    'i',
  ),
  /\bname of (?:your|the|each) (?:\w+ )?(?:parser|component|module|package|driver|subsystem|area|crate|plugin|file|director(?:y|ies))\b[^.;]{0,20}\bas (?:the|a) prefix\b/i,
  /\b(?:full |file |directory )?(?:path|directory|parser|package|module|component|subsystem) (?:name )?prefix\b/i,
];
const ABOUT_COMMIT =
  /\b(?:commit (?:messages?|titles?|subjects?|summar\w+|logs?)|(?<!pre-)commits?(?!-\w)|PR titles?|pull[- ]?request titles?|titles?|subject(?: line)?(?! (?:module|matter|area|to)\b)|first line|summary line|headline|patch(?:es)?)\b/i;

const OTHER =
  /\bimperative\b|\b[A-Z]{2,}-\d+: |\bpresent tense\b|chris\.beams|cbea\.ms|tbaggery|\bseven rules\b|\bcapital(?:i[sz]ed?| letter)|\b(?:start|prefix|begin)\w*\b[^.;]{0,40}\b(?:issue|ticket|jira|bug) (?:number|id|key)\b|(?:^[-*+\s]*|[`"'“:] ?)\[[\w/-]+\] [\w<]|\b(?:starts?|begins?) with [`"'“]\[|\b[A-Z]{2,6}:(?:,| )[^.;]{0,30}\b[A-Z]{2,6}:|\bsquare brackets\b|\bprefixed with (?:one of )?(?:the|these|those|an?)\b|\bprefixed (?:with|by) (?:either )?[`"'“]|\bmatch(?:es)? (?:our|the) (?:commit )?template\b|\bgitmoji\b|\b(?:tagged|labell?ed|marked) with (?:one of )?(?:the |these )?[^.;]{0,20}\b[A-Z]{2,6}\b,? (?:or )?[A-Z]{2,6}\b|\b[A-Z]{2,8}-\d+: \w|\bcommit\.template\b|\bconvention for commit messages?\b|\b(?:contain|include)s? the (?:key|number|id) of the\b/;

/** Words about something else that has a prefix: fragments, changesets, the body of a message. */
const OTHER_OBJECT =
  /\b(?:prefix\w*|format|start\w*|begin\w*)\b[^.;]{0,20}\b(?:changesets?|changelog entr\w+|fragments?|news)\b|\b(?:changesets?|fragments?) (?:messages?|files?|names?)\b|\*\.[\w*.-]+\.(?:rst|md|txt)|^\W*(?:the )?(?:main |long )?(?:description|message)? ?\(?the body\b|^\W*the body\b/i;

/** `Title your PR …`: a verb of its own, where others say how a title is written. */
const TITLES =
  /\b(?:title|name|call|entitle)\b (?:your|the|each|every|all|any|a) (?:\w+ )?(?:PRs?|pull[- ]?requests?|MRs?|merge requests?|commits?|patch(?:es)?)\b/i;
const BOXED = /^\W*\[[ x]?\]/i;

const commitStyle = (one: RulePassage): FoundRule[] => {
  const { plain, quote, heading, lead, before, code } = one;
  if (OTHER_OBJECT.test(plain) || OTHER_OBJECT.test(quote)) return [];
  const out: FoundRule[] = [];
  const words = plain
    .replace(/https?:\/\/\S*conventional\S*/gi, 'conventional commits')
    .replace(/\bscope (?:is )?optional\b/gi, 'scope');
  const here =
    ABOUT_COMMIT.test(words) || TITLES.test(words) || ABOUT_COMMIT.test(heading) || ABOUT_COMMIT.test(before);
  const negated = NOT_CONVENTIONAL.test(words) && !NOT_NEEDED.test(words);
  if (negated) out.push({ kind: 'commit_style', value: 'not_conventional' });
  const shown = `${quote} ${ABOUT_COMMIT.test(words) || /\b(?:format|pattern|form|like|follow|style)\b/i.test(words) ? (code.split('\n')[0] ?? '') : ''}`;
  const typed =
    here &&
    TYPED.test(shown) &&
    !/\blabels?\b/i.test(words) &&
    /<type>|\btype\b\(?|feat(?:\([^)]*\))?:|\[type\]/i.test(shown);
  const linked = /\bconventionalcommits|conventional-changelog/i.test(quote);
  if (
    !negated &&
    !NOT_NEEDED.test(words) &&
    (CONVENTIONAL.test(words) ||
      linked ||
      typed ||
      (here && LISTED.test(words)) ||
      CONVENTION_FILE.test(quote))
  )
    return [{ kind: 'commit_style', value: 'conventional' }];
  const forTitles =
    !/\btrailers?\b/i.test(words) && !/(?:^|\s)git \w|https?:/.test(shown.slice(quote.length));
  if (
    here &&
    forTitles &&
    !/\b(?:feat|fix|refactor|chore|docs)\(\w+\):/.test(shown) &&
    COMPONENT.some((p) => p.test(shown)) &&
    !/<type>|\btype\b\s?[(:<[]/i.test(shown)
  )
    out.push({ kind: 'commit_style', value: 'component' });
  if (
    out.length === 0 &&
    (ABOUT_COMMIT.test(words) ||
      TITLES.test(words) ||
      ABOUT_COMMIT.test(`${lead} ${heading.split(' / ').at(-1) ?? ''}`)) &&
    !/\bissue titles?\b/i.test(words) &&
    OTHER.test(quote) &&
    (REQUEST_WORDS.test(`${lead} ${words}`) ||
      TITLES.test(words) ||
      BOXED.test(quote) ||
      /^\W*(?:use|write|format|ensure|limit|start|begin|put|prefix|keep|capital\w*)\b|\bfollows?\b/i.test(
        words,
      ))
  )
    out.push({ kind: 'commit_style', value: 'other' });
  return out;
};

const ALL_TYPES = Object.values(TYPE_NAMES).flat();
const ABOUT_BRANCH =
  /\bbranch(?:es)?\b.*\b(?:nam(?:e|es|ed|ing)|prefix(?:ed|es)?|start(?:s|ing)?|begin(?:s|ning)?|called|format|pattern|convention|follow(?:s|ing)?)\b|\b(?:name|prefix|call)\b.*\bbranch(?:es)?\b/i;
const MADE_BRANCH =
  /\b(?:create|make|use|start|checkout|check out|new|feature)\b[^.;]{0,40}\bbranch(?:es)?\b|\bbranch from\b/i;
const NOT_A_NAME =
  /^(?:https?:|origin\/|upstream\/|pull\/|\$|and\/or$|refs\/|\.|docs?\/[\w-]+\.)|\.(?:md|txt|js|ts|py|ya?ml|json|html)$/i;
const ISSUE = /issue|ticket|jira|number|\bid\b|#|\d{2,}/i;

const findNameCandidates = (quote: string): string[] => {
  const inCode = [...quote.matchAll(/`([^`]+)`|["“]([^"”]+)["”]/g)].map((m) => m[1] ?? m[2] ?? '');
  const bare = quote.replace(/`[^`]*`|https?:\S+/g, ' ').match(/[\w<{[-]+\/[^\s,;:()`"”]*/g) ?? [];
  return [...inCode.map((c) => c.trim().split(/\s+/).at(-1) ?? ''), ...bare]
    .map((c) => c.replace(/(?<!["'.)])["'.)]+$/, (m) => (/^\.{3}/.test(m) ? m : '')))
    .filter((c) => /^[^/]+\/[^/]*/.test(c) && !NOT_A_NAME.test(c))
    .filter((c) => !c.endsWith('/') || ALL_TYPES.includes(c.slice(0, -1).toLowerCase()));
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
  const types = firsts.filter((f) => ALL_TYPES.includes(f.toLowerCase()));
  const kept = types.length > 0 ? types : firsts.slice(0, 1);
  return kept.length === 0 ? null : `${kept.join('|')}/${rest}`;
};

const hasBranchExamples = (plain: string, names: readonly string[]): boolean =>
  MADE_BRANCH.test(plain) &&
  names.length > 1 &&
  names.every((n) => ALL_TYPES.includes(n.slice(0, n.indexOf('/')).toLowerCase()));

const FOREIGN = /\bname of the remote\b|\bexceptions?\b|\bgit fetch\b|\bupstream project\b/i;
export const branchPattern = ({
  plain,
  quote,
  code = '',
}: {
  plain: string;
  quote: string;
  code?: string;
}): string | null => {
  const names = findNameCandidates(quote);
  if (FOREIGN.test(plain)) return null;
  if (/\bbranch(?:es)?\b/i.test(plain) && shapeIn(code) !== null) return shapeIn(code);
  if (names.length === 0 && NUMBERED_ISSUE.test(plain)) return '<issue>-<slug>';
  return ABOUT_BRANCH.test(plain) || hasBranchExamples(plain, names) ? patternOf(names) : null;
};

const NUMBERED_ISSUE =
  /\bbranch(?:es)?\b[^.;]{0,20}\bnamed after\b[^.;]{0,12}\b(?:issue|ticket)\b|\bbranch(?:es)?\b[^.;]{0,60}\b(?:prefix(?:ed)?|start\w*|begin\w*)\b[^.;]{0,30}\b(?:with|by)\b[^.;]{0,50}\b(?:issue|ticket|jira|bug)s?\b[^.;]{0,12}\b(?:number|id|key)|\bprefix\w*\b[^.;]{0,60}\bbranch(?:es)?\b[^.;]{0,30}\bwith\b[^.;]{0,60}\b(?:issue|ticket|jira|bug)s?\b[^.;]{0,12}\b(?:number|id|key)|\bbranch(?: name)?s?\b[^.;]{0,40}\b(?:be|is|can be)\b[^.;]{0,30}\b(?:issue|ticket|jira|bug) (?:number|id|key) plus\b/i;
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

const OF_BRANCHES = /\bbranch(?:es)?[- ](?:nam\w+|conventions?)\b|\bnam(?:ing|es?)\b[^/]{0,20}\bbranch/i;
const branchName = ({ plain, quote, heading, code }: RulePassage): FoundRule | null => {
  const words = OF_BRANCHES.test(heading) ? `branch names: ${plain}` : plain;
  const pattern = branchPattern({ plain: words, quote, code });
  if (pattern === null) return null;
  const shown = findNameCandidates(quote).slice(0, 4).join(' or ');
  return { kind: 'branch_name', value: shown === '' ? pattern : shown };
};

const CHANGE_ID = /\bchange-id\b/i;
const changeId = ({ plain, quote }: RulePassage): FoundRule | null =>
  CHANGE_ID.test(`${plain} ${quote}`) &&
  REQUEST_WORDS.test(plain) &&
  !/\b(?:not|never|no|without)\b|n't\b|\boptional/i.test(plain)
    ? { kind: 'trailer', value: 'change_id' }
    : null;

export const commitRules: RuleReader = (one) => {
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
