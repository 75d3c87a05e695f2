/** Finds rules about the size of a change: one thing at a time, small, a number of lines. */
import { SIZE_WORDS } from './rule-words.ts';
import { REQUEST_WORDS, isInstructionSentence, type FoundRule, type RulePassage } from './rule-passage.ts';

const LINE_LIMIT = /\b(\d{2,5})\b(?: (?:additional|added|changed|new|total))?(?: \w+)? (?:lines|LOC)\b/i;
const AT_MOST =
  /\b(?:or (?:less|fewer)|below|under|less than|fewer than|at most|up to|no more than|not? (?:more|exceed\w*) than|exceed\w*|limit\w*|max\w*|larger than|smaller than|more than)\b/i;

const CHANGE = String.raw`(?:pull[- ]?requests?|PRs?|MRs?|merge requests?|patch(?:es)?|contributions?|(?:your|the|each|every|focused|unrelated) changes?|diffs?|changesets?)`;
const NARROW = String.raw`(?:small(?:er|est)?|focus(?:ed)?|narrow|minimal|minimum|atomic|self-contained|limit(?:ed)?|scope|one thing|single)`;
const SMALL_CHANGE = new RegExp(
  String.raw`\b${CHANGE}\b[^.;]{0,40}\b${NARROW}\b|\b${NARROW}\b[^.;]{0,30}\b${CHANGE}\b|\b(?:one|a single) (?:thing|fix|patch|feature|change|issue)\b[^.;]{0,20}\b(?:per|in|for each)\b`,
  'i',
);
const MANY =
  /\b(?:unrelated|multiple|several|too many|two|many|unfocused|different|features and fixes|various)\b[^.;]{0,40}\b(?:changes?|things?|issues|features?|fix(?:es)?|PRs|pull[- ]requests|patches)\b/i;
const APART =
  /(?:\b(?:not|never|avoid|refrain|without|instead|separate\w*|split\w*|own|apart|clos\w+|reject\w*|hard|open two)\b|n't\b)/i;
const DIRECTS =
  /(?:^|[,:;(]|\band\b|\bor\b|\bto\b)\W*(?:\w+ )?(?:keep|make|limit|restrict|do|submit|avoid|refrain|only|one|consider|prefer|ensure|try|focus|split|minimi[sz]e|don't|do not)\b|\b(?:please|should|must|need|prefer\w*|never|will be)\b/i;
const OTHERWISE =
  /\bestimat\w*\b|\bstill use a single\b|\bthings to keep in mind\b|\bmore than\b[^.;]{0,30}\bfit in\b|\bcommits?\b(?![^.;]*\b(?:pull|PRs?))|\btoo small\b|\bmatter how\b|\bwelcome\b|\bfor (?:small|minor|tiny|trivial)\b|\b(?:small|minor|trivial|tiny) (?:changes|fixes|contributions|PRs|pull requests)\b[^.;]{0,30}\b(?:can|may|need not|do not|don't|are fine|directly|such as|like)\b|\b(?:tests?|functions?|methods?|files?|issues?|discuss\w*|examples?|lines?|comments?|benchmark\w*|reproduc\w*|versions?|dependenc\w*|API)\b(?![^.;]*\bper\b)(?![^.;]*\b(?:unrelated|review)\b)|\?$|\bsingle[- ]commit\b|\brebas\w+|\bcombin\w+ (?:\w+ ){0,4}into (?:a single|one)\b|\bwhen (?:referenc|quot|show)ing\b|\b(?:concise|short|brief|clear) (?:title|description|summary)\b(?![^.;]*\bone\b)|\b(?:title|description|summary) (?:concise|short|brief)\b/i;
/** What holds for small ones asks nobody to be small. */
const OF_SMALL_ONES =
  /^\W*(?:(?:an?|the|very|your) )?(?:small|tiny|minor|trivial|simple) (?:pull[- ]?requests?|PRs?|MRs?|patch(?:es)?|changes|fixes|contributions?) (?:never|always|needs?|requires?|must|should|shall|may|can|do not|does not|don't|are exempt|are not)\b(?!.*\bprefer)/i;
const IT = new RegExp(String.raw`\b(?:keep|make) (?:it|them|things) (?:\w+ ){0,2}${NARROW}\b`, 'i');
const inWords = (plain: string, around: string): boolean => {
  if (plain.length > 240 || OTHERWISE.test(plain) || !DIRECTS.test(plain)) return false;
  const sent =
    new RegExp(String.raw`\b${CHANGE}\b`, 'i').test(plain) || /pull[- ]?request|\bPRs?\b/i.test(around);
  return sent && (SMALL_CHANGE.test(plain) || IT.test(plain) || (MANY.test(plain) && APART.test(plain)));
};

export const sizeRule = ({ plain, path, forAgents, heading, lead }: RulePassage): FoundRule | null => {
  const lines = LINE_LIMIT.exec(plain)?.[1];
  if (
    lines !== undefined &&
    AT_MOST.test(plain) &&
    !/\bcopyright\b/i.test(plain) &&
    /\b(?:pull[- ]?requests?|PRs?|contributions?|changes|insertions|diffs?|patch)\b/i.test(plain) &&
    !/\b(?:functions?|files?|columns?|characters|test coverage)\b[^.;]{0,20}\blines/i.test(plain)
  )
    return { kind: 'size', value: lines };
  if (/\b(?:PR|pull[- ]request)s? (?:description|discussion|title|summary|body|comment)/i.test(plain))
    return null;
  if (/\blabels?\b|\bamounts? of\b/i.test(plain) || OF_SMALL_ONES.test(plain)) return null;
  // Of the commits, of which there may be several.
  if (
    /^\W*(?:the |all |your |each |every |individual )?commits? (?:in|of|within) (?:your|the|an?|each)\b/i.test(
      plain,
    )
  )
    return null;
  if (/\bfor (?:small|minor|tiny|trivial)\b/i.test(plain)) return null;
  if (/\b(?:try|please|better) (?:to )?combin\w*\b/i.test(plain)) return null;
  if (inWords(plain, `${heading} ${lead}`)) return { kind: 'size', value: 'one_change' };
  if (
    !SIZE_WORDS.oneChange.test(plain) ||
    (/\bcommits?\b/i.test(
      plain.replace(/\bunrelated commits\b|^\W*commit\b|\ba single commit which\b/gi, ' '),
    ) &&
      !/\b(?:pull|PRs?)\b/i.test(plain))
  )
    return null;
  if (
    /\?$/.test(plain) ||
    (forAgents && !/\bPRs?\b|pull[- ]?request/i.test(plain)) ||
    /ISSUE_TEMPLATE/i.test(path)
  )
    return null;
  return REQUEST_WORDS.test(plain) ||
    isInstructionSentence(
      plain,
      'keep|make|limit|submit|send|create|open|split|break|use|one|only|separate|small|avoid|focus|a single|no|each|every|don.t|large|pull requests? per|PR per',
    ) ||
    /\b(?:easier|hard|longer|faster|quick\w*|better|should|welcome|appreciated|i tried|atomic|prefer\w*|submit|try|push|important|as possible)\b/i.test(
      plain,
    )
    ? { kind: 'size', value: 'one_change' }
    : null;
};
