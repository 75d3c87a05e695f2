/** Finds rules about the size of a change: one thing at a time, small, a number of lines. */
import { REQUEST_WORDS, isInstructionSentence, type FoundRule, type RulePassage } from './rule-passage.ts';

const ONE_WORDS = String.raw`(?:a single|one(?! of| or)|1|single|only one)`;
const THING = String.raw`(?:\S+ )?(?:\S+ )?(?:changes?|features?|fix(?:es)?|bugs?|things?|concerns?|issues?|topics?|purposes?|components?|templates?|problems?|improvements?|logical changes?|tasks?|subjects?|units?|rules?|idea)`;
const SIZE: readonly RegExp[] = [
  /\b(?:pull[- ]?requests?|PRs?)\b[^.;]{0,20}\b(?:limited|narrow|small) scope\b/i,
  new RegExp(
    String.raw`\b${ONE_WORDS}\b (?:\*\*)?${THING}\b[^.;]{0,30}\b(?:per|for each|in each|in a(?: single)?|each|at a time in)\b[^.;]{0,12}\b(?:pull[- ]?request|PR|MR|merge request)\b`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:pull[- ]?requests?|PRs?|MRs?|contributions?)\b[^.;]{0,40}\b(?:address|relat|concern|target|tackle|touch|handle|introduc|contain|focus|do|cover|be|deal|include|implement|solve|have|limited|fix|scoped|about)\w*\b[^.;]{0,30}\b${ONE_WORDS}\b (?:\*\*)?${THING}\b`,
    'i',
  ),
  /\b(?:separate|individual|different|own|distinct|split|multiple|several|independent)\b[^.;]{0,20}\b(?:pull[- ]?requests?|PRs|PR)\b[^.;]{0,30}\b(?:for )?(?:each|every|per|unrelated|feature|change|into)|\b(?:split|break|divide)\b[^.;]{0,60}\b(?:into|in) (?:\w+ ){0,3}(?:pull[- ]?requests?|PRs)\b/i,
  /\b(?:keep|make|limit|try to keep)\b[^.;]{0,30}\b(?:pull[- ]?requests?|PRs?|MRs?|contributions?)\b[^.;]{0,30}\b(?:small|focus\w*|short|minimal|atomic|concise|self[- ]contained|manageable|scope\w*)/i,
  /\b(?:keep|limit|restrict)\b[^.;]{0,10}\b(?:each|every|your|a|the) (?:pull[- ]?request|PR|patch)\b[^.;]{0,12}\bto one\b|\b(?:pull[- ]?requests?|PRs?)\b[^.;]{0,20}\bonly\b[^.;]{0,20}\brelated changes\b|\b(?:each|every) patch\b[^.;]{0,20}\bone thing\b/i,
  /\b(?:large|huge|big|giant|massive|long)\b (?:pull[- ]?requests?|PRs)\b[^.;]{0,60}\b(?:split|break|smaller|avoid|clos\w+|hard|longer)\b|\b(?:not|never|avoid)\b[^.;]{0,15}\b(?:huge|large|giant|massive) (?:pull[- ]?requests?|PRs)\b|\bunrelated\b[^.;]{0,50}\bsplit\b/i,
  /\b(?:no|not|avoid|without)\b[^.;]{0,20}\b(?:unrelated|drive-by)\b[^.;]{0,40}\b(?:pull[- ]?request|PR)\b|\bkeep (?:the |your )?(?:diffs?|changes) (?:as )?(?:minimal|small|focused)\b|\bsingle purpose\b/i,
  /\bsmall(?:er)? (?:pull[- ]?requests?|PRs)\b[^.;]{0,30}\b(?:easier|faster|better|preferred|over)\b|\b(?:limit|restrict|confine)\b[^.;]{0,30}\b(?:pull[- ]?requests?|PRs?)\b[^.;]{0,20}\b(?:a single|one)\b|\bbreak(?:-| )?up\b[^.;]{0,30}\b(?:PRs|pull[- ]requests)\b/i,
  /\b(?:mix|combin|bundl|lump)\w*\b[^.;]{0,50}\b(?:in|into) (?:a single|one|the same) (?:pull[- ]?request|PR)\b/i,
  /\b(?:keep|make)\b[^.;]{0,15}\byour changes?\b[^.;]{0,15}\b(?:small|focused|minimal|self-contained)\b/i,
  /\b(?:pull[- ]?requests?|PRs?)\b[^.;]{0,20}\b(?:should|must)\b (?:\w+ ){0,2}(?:as )?(?:small|focused|atomic|minimal|short|self[- ]contained)\b/i,
  /\b(?:small|focused|atomic)(?:,? (?:and )?\w+){0,2} (?:pull[- ]?requests?|PRs)\b/i,
  /\bone (?:pull[- ]?request|PR) per (?:\w+ )?(?:feature|change|fix|bug|issue|topic|concern|component)\b/i,
  /\bsingle atomic change\b/i,
  /\b(?:two|multiple|several|unrelated)\b[^.;]{0,20}\bchanges\b[^.;]{0,40}\b(?:two|separate|multiple|different)\b[^.;]{0,10}\b(?:pull[- ]requests|PRs|patches)\b/i,
  /\bone (?:bug|thing|fix|issue) at a time\b/i,
  /^\W*(?:\w+ )?(?:pull[- ]?request|PR) per (?:\w+ )?(?:feature|change|fix|bug|issue|topic|concern)\b/i,
  /\b(?:contain|includ|mak)\w*\b[^.;]{0,10}\bas few changes as\b/i,
  /\b(?:should|must|please)\b[^.;]{0,10}\b(?:remain|stay|be|keep)\b[^.;]{0,10}\bfocused in scope\b/i,
  /\bkeep\b[^.;]{0,12}\b(?:pull[- ]?requests?|PRs?)\b[^.;]{0,60}\bseparate from\b/i,
  /\bone (?:\w+ )?(?:change|fix|feature|bug|issue|topic) per (?:branch|pull[- ]?request|PR|patch)\b/i,
  /\b(?:patch(?:es)?|changes?|pull[- ]?requests?|PRs?)\b[^.;]{0,50}\bfor each(?= (?:bug|feature|change|fix|issue|topic|concern|branch)\b|[,.;]|$)|\bfor each\b[^.;]{0,60}\b(?:separate|own) (?:pull[- ]?request|PR|branch)\b/i,
  /\b(?:(?:the|your|each) change|diff|patch|pull[- ]?request|PR)\b[^.;]{0,20}\b(?:is|are|be|as) (?:kept )?(?:as )?(?:minimal|small|focused|short) as possible\b/i,
  /\b(?:pull[- ]?requests?|PRs?)\b[^.;]{0,60}\b(?:resolves?|fix(?:es)?|address(?:es)?) (?:just |only )?(?:one|a single)\b(?! o[fr])/i,
  /\b(?:do not|don't|never|avoid)\b[^.;]{0,12}\b(?:mix|combin|bundl|lump)\w*\b[^.;]{0,12}\bmore than one\b[^.;]{0,20}\b(?:changes?|features?|fix(?:es)?)\b/i,
  /\b(?:do not|don't|avoid|not)\b[^.;]{0,20}\b(?:mix|combin|bundl|lump|includ)\w*\b[^.;]{0,40}\b(?:unrelated|multiple|several|different|many)\b[^.;]{0,40}\b(?:pull[- ]?request|PR|MR|change)/i,
  /\b(?:do not|don't|never|avoid)\b[^.;]{0,30}\b(?:pull[- ]?requests?|PRs?)\b[^.;]{0,20}\b(?:address|fix|solv|touch|cover|contain|tackl|handl)\w*\b[^.;]{0,12}\b(?:multiple|several|many|unrelated)\b/i,
];
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
    /\b(?:pull[- ]?requests?|PRs?|contributions?|changes|insertions|diffs?|patch)\b/i.test(plain) &&
    !/\b(?:functions?|files?|columns?|characters|test coverage)\b[^.;]{0,20}\blines/i.test(plain)
  )
    return { kind: 'size', value: lines };
  if (/\b(?:PR|pull[- ]request)s? (?:description|discussion|title|summary|body|comment)/i.test(plain))
    return null;
  if (/\blabels?\b|\bamounts? of\b/i.test(plain)) return null;
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
    !SIZE.some((p) => p.test(plain)) ||
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
