/** Decides whether a repository refuses AI changes: flatly, in part, or in words for a person. */
import {
  aiRequirements,
  besidesCode,
  CODE_NOUN,
  MEDIA_WORDS,
  NEED_NOT,
  PRODUCT_PART,
} from './ai-requirements.ts';
import { mayRefuseInOtherLanguage, nonEnglishAiRefusal, permitsInOtherLanguage } from './ai-languages.ts';
import {
  AI_CONTRIBUTION,
  CHECKBOX_LINE,
  DENIES,
  GENERATED_WORDS,
  MODEL_WORDS,
  CONTRIBUTION_WORDS,
  anyPattern,
  namesModel,
  removeQuotations,
  unquoteModels,
} from './ai-words.ts';
import { findRefusal } from './ai-refusals.ts';
import { NEAR_BANS, REFUSAL_WORDS, withoutPermissions } from './rule-words.ts';
import { WHOLLY_AI_CHANGES, type RuleKind } from '#model/contract';
import type { FoundRule, RuleReader, RulePassage } from './rule-passage.ts';

const NOT = String.raw`(?:not|n't|never|no longer)`;
const OF_OURS = String.raw`(?:(?:this|the|our|your|any|all|its|a|GitHub) )*(?:projects?|repo(?:sitory|sitories)?|codebase|code|contribut\w*|PRs?|pull[- ]?requests?|patch(?:es)?|commits?|issues?|comments?|changes?|submissions?|tree|here)\b`;
/** What follows where `No AI` refuses. */
const AT_ALL = String.raw`(?=\W*$|[.,;:!)("'/–—]| [-–—(/|&]|[- ](?:${GENERATED_WORDS}|${CONTRIBUTION_WORDS}|${MEDIA_WORDS}|generat\w*|agents?|bots?|assist\w*|use|coding|products?|policy|help|tooling|stuff|suggestions?|completions?|or|and|nor|is|are|may|will|can|must|should|has|have|please|thanks?|here|whatsoever|allowed|permitted|accepted|welcome|involve\w*)\b| (?:(?:of|for|in|at|under|on) (?:any|no|whatever)|of what\w*|under|ever|anywhere|anymore|at all|without|period|full stop|when|while|whatever|no matter|regardless)\b| (?:in|for|on|to|from|by|with|at|during) (?:\w+ ){0,2}?${OF_OURS})`;
const NO_MODEL = String.raw`\b(?:no|zero) (?:\w+ ){0,2}${MODEL_WORDS}\b`;
const UNUSED = String.raw`(?: (?:\w+ ){0,2}(?:(?:is|are|was) (?:needed|required|necessary)|(?:has|have|had|was|were) (?:been )?(?:used|involved)))`;
const BANS = anyPattern(
  String.raw`\b(?:not|never) (?:going to|willing to|able to|be able to|to) (?:accept|merge|take|review|consider)\b`,
  String.raw`\b(?:is|are|be|will|were)\b ?(?:\w+ )??${NOT} (?:be )?(?:\w+ly )?(?:accept(?:ed|able)?|allowed|permitted|tolerated|welcome|wanted|merged|considered|desired)\b`,
  String.raw`\b(?:decided|chosen|chose|(?:policy|rule|position) is) to (?:prohibit|ban|forbid|decline|reject|refuse)\b`,
  String.raw`\b(?:not|no longer)(?: \w+ly)? (?:accepting|allowing|merging|taking|welcoming|permitting|considering)\b`,
  String.raw`\b(?:aren't|isn't|won't be) (?:accept(?:ed|able)|allowed|permitted|tolerated|welcome|wanted|merged|considered)\b`,
  String.raw`\b(?:we|projects?|maintainers?|team|repository|repo|i|and|currently)\b[^.;]{0,40}?\b(?:(?:do|does|will|can|shall) not|cannot|can't|don't|doesn't|won't|no longer)(?: \w+ly)? (?:accept|allow|permit|want|merge|tolerate|welcome|take|consider|review)\b`,
  String.raw`^\W*(?!the\b|an?\b|it\b|this\b|that\b|they\b)(?:[\w.+-]+|[\w.+-]+ (?:project|team|community|repository)) (?:(?:do|does|will|can) not|cannot|can't|doesn't|won't)(?: \w+ly)? (?:accept|allow|permit|merge|tolerate|welcome|want)\b`,
  String.raw`(?<!(?:\bnot|n't|\bnever|\bto)(?: (?!only\b)\w+ly)? )\b(?:prohibit(?:ed|s)?|forbidden|forbids?|bann?(?:ed|s)?|disallow(?:ed|s)?|unwelcome|unacceptable)\b`,
  String.raw`\b(?:cannot|can't|(?:can|may|must|shall|should) not) be (?:\w+ )?(?:merged|accepted|used|included|contributed|submitted|committed|taken|considered)\b`,
  String.raw`\bwill(?: \w+ly)? be (?:\w+ly )?(?:closed|rejected|declined|refused|banned|removed|deleted|ignored|reverted|discarded|binned|thrown away)\b`,
  String.raw`\b(?:are|is|get|gets) (?:\w+ly |locked and |therefore |thus |hence |always )?(?:closed|rejected|declined|refused)\b`,
  String.raw`\b(?:do not|don't|never|(?:must|should|may|can|shall) not|mustn't|shouldn't|cannot|refrain from|avoid|stop)(?: (?:please|ever|be|to))? (?:submit|us|open|send|contribut|post|creat|generat|contain|includ|incorporat|rely|employ|writ|fil|mak)\w*`,
  String.raw`\bno (?:\w+ ){0,2}(?:code|contributions?|PRs?|patches|content|changes|commits?)\b[^.;]{0,30}\b${GENERATED_WORDS}\b[^.;]{0,12}\b${MODEL_WORDS}\b`,
  String.raw`${NO_MODEL}${AT_ALL}(?!${UNUSED})`,
  String.raw`\bzero[- ]tolerance\b`,
  String.raw`\b(?:nobody|no one) (?:may|can|should|is (?:allowed|permitted) to) (?:submit|us|open|send|contribut|post|creat)\w*`,
  String.raw`\b(?:reject|decline|refuse)s? (?:all |any )?`,
  REFUSAL_WORDS.flatly.source,
  String.raw`\bmust be (?:\w+ )?(?:written|authored|made|created) (?:\w+ )?by (?:a )?(?:humans?|people|persons?)\b`,
);
const NO_AI =
  /\b(?:no[- ](?:gen(?:erative)?[- ]?)?(?:AI|LLMs?)|anti[- ](?:AI|LLM)|AI[- ]free)\b (?:\w+ )?(?:polic(?:y|ies)|projects?|zones?|rules?|codebases?|repositor(?:y|ies)|repos?)\b/i;
/** It may speak of what the project does, too. */
const IS_AI_FREE =
  /\b(?:project|codebase|repo(?:sitory)?) (?:is|stays|remains) (?:\w{1,20} )?(?:(?:AI|LLM)[- ]free|human[- ]only)\b|\b(?:is|are) an? (?:strictly )?humans?[- ]only (?:project|codebase|repo(?:sitory)?)\b/i;
const BY_PEOPLE = anyPattern(
  String.raw`\b(?:only|exclusively)\b[^.;]{0,60}\b(?:human[- ](?:written|authored|made)|(?:written|authored|made|created) by (?:a )?(?:humans?|people|persons?))\b`,
  String.raw`\bhuman[- ](?:written|authored|made)\b[^.;]{0,40}\bonly\b`,
  String.raw`\b(?:all|every|any)\b[^.;]{0,20}\b(?:contributions?|code|changes?|patch(?:es)?|PRs?|pull[- ]?requests?)\b[^.;]{0,12}\b(?:must|has to|have to) be (?:human[- ](?:written|authored|made)|(?:written|authored|made) by (?:a )?(?:humans?|people|persons?))`,
);
export const NEGATIVE_WORDS =
  /\b(?:not|no|never|none|neither|nor|without|cannot|refus\w*|reject\w*|declin\w*|clos(?:e|es|ed|ing)|ban(?:s|ned)?|block(?:s|ed)?|delet\w*|discard\w*|ignor\w*|forbid\w*|prohibit\w*|disallow\w*|unwelcome|spam|slop)\b|n't\b|\/dev\/null/i;
const NEGATIVE = anyPattern(NEGATIVE_WORDS.source, REFUSAL_WORDS.flatly.source);
const CONTRIBUTES =
  /\b(?:contribut\w*|pull[- ]?requests?|prs?|patch(?:es)?|merge requests?|submi\w*|commits?|generat(?!ive)\w*|written|wrote|not to write (?:\w+ )?code|code (?:from|by|of))\b/i;
const BY_NETWORKS = /\b(?:generated|written|produced|created)\b[^.;]{0,40}\bneural net/i;
/** A ban on careless or undisclosed changes is no ban on everybody; one "without comment" is. */
const CURTLY =
  /(?<=\b(?:clos|reject|declin|refus|delet|discard|remov|revert|ignor|block|dismiss|lock|ban)\w{0,5}\b[^.;]{0,30})\bwithout (?:(?:any|further|prior) )*(?:comments?|review|notice|warnings?|discussions?|explanations?|questions?|asking)\b(?! by\b)|\bwithout (?:any )?(?:exceptions?|recourse|hesitation)\b/gi;
const CONDITIONAL =
  /\b(?:whether or not|unless|without|with no|as (?:co-?)?authors?|copyright of|if|when|except|until|unreviewed|undisclosed|unverified|untested|low[- ](?:quality|effort)|blindly|you (?:(?:do not|don't)(?! (?:open|submit|send|contribute|post|file)\b)|have not|haven't|cannot|can't)|(?:must|should) be (?:disclosed|labell?ed|marked|reviewed)|alone|only (?:if|when)|more than (?:\w+ )?\w+|at (?:a|the same) time|per (?:day|week|month)|where|reserve the right|may be|might be|concerns?|suspect\w*|in bulk|without context|slop|for (?:open|existing|accepted|approved) issues|only for issues|same (?:standards?|rules|bar|quality)|held to|bad ones?|(?:not|n.t) (?:been|yet) (?:marked|approved|accepted|assigned|discussed)|large(?! language)|huge|massive|mass|bulk|spam\w*|drive-by|low[- ]effort|poor(?:ly)?|sloppy|lazy|unsolicited|obvious(?:ly)?|clearly|verbatim|raw|unedited|careless\w*|copy-?past\w*|excessive|repeated|rely|relying|copyrighted|confidential|secrets?|private|proprietary|sensitive|credentials?|(?:PRs?|pull[- ]requests?|contributions?|code|changes|submissions?|tests?|agents?|assistants?|LLMs?) (?:that|which) (?:only|just|merely|simply|do not|don't|does not|lack|fail|are not|aren't|have not|haven't|contain|show|appear|look|seem|ignore|violate|break|you))\b/i;
const WELCOMES =
  /\b(?:is|are)(?! not\b|n't) (?:(?!not\b|no\b)\w+ )?(?:welcome|allowed|fine|ok(?:ay)?|encouraged|permitted|acceptable|accepted)\b/i;
const NO_AI_AT_ALL = anyPattern(
  String.raw`\b(?:no|zero|neither|none)\b (?:\S+ ){0,2}?${MODEL_WORDS}`,
  String.raw`\b(?:nobody|no one) is (?:allowed|permitted) to\b`,
);

/** A general permission of model-assisted code limits a refusal beside it. */
const PERMITS = anyPattern(
  String.raw`\b(?:use|usage|using|${MODEL_WORDS}(?:[- ]${GENERATED_WORDS})?)\b[^.;]{0,60}\b(?:is|are) (?:\w+ly )?(?:fine|welcomed?|allowed|ok(?:ay)?|acceptable|permitted|encouraged|accepted)\b`,
  String.raw`\b(?:text and )?code (?:is|are) (?:the only )?acceptable ${MODEL_WORDS}[- ]${GENERATED_WORDS} content`,
  String.raw`\bwe (?:\w+ ){0,2}(?:allow|welcome|embrace|permit|accept|encourage)\b[^.;]{0,40}\b${MODEL_WORDS}`,
  String.raw`\b(?:you|contributors?|people|everyone) (?:may|can|are (?:free|allowed|welcome) to) (?:\w+ )?use (?:\S+ ){0,4}\b(?:${MODEL_WORDS}|whatever tools)`,
  String.raw`\b(?:pull[- ]requests?|prs?|contributions?)\b[^.;]{0,40}\b${MODEL_WORDS}[^.;]{0,20}\b(?:can|may|are (?:welcome|accepted|allowed))\b`,
);
const PERMITS_LITTLE =
  /\b(?:not|no|none|cannot|neither|nor|prohibit\w*|forbid\w*|reject\w*|ban(?:s|ned)?|never|only|solely|exclusively|unless|except|research\w*|debug\w*|translat\w*|grammar|spell\w*|autocomplet\w*|brainstorm\w*|learn\w*|accessib\w*|assistive|maintainers? (?:may|can|are)|small)\b|n't\b/i;
const LITTLE_USES =
  /\b(?:research\w*|debug\w*|translat\w*|grammar|spell\w*|auto-?complet\w*|brainstorm\w*|learn\w*|accessib\w*|advice)\b/i;
const PERMITS_UNDER =
  /\b(?:fine|welcome|allowed|ok(?:ay)?|acceptable|permitted|accepted|encouraged)\b[^.;]{0,30}\b(?:as long as|provided|if you|so long as)\b/i;

/** Permits what a flat refusal beside it would refuse: assistance, or disclosure. */
export const permitsCode = ({ plain, quote }: RulePassage): boolean =>
  !CHECKBOX_LINE.test(quote) &&
  namesModel(plain) &&
  ((PERMITS.test(plain) && !PERMITS_LITTLE.test(plain)) ||
    (PERMITS_UNDER.test(plain) && !/\b(?:not|never)\b|n't\b/i.test(plain) && !LITTLE_USES.test(plain)) ||
    /\buse of (?:\S+ )?(?:AI|LLMs?)\b[^.;]{0,40}\b(?:contributions?|code|pull requests?)\b[^.;]{0,40}\bdisclosed\b/i.test(
      plain,
    ));

const FREE_TO_USE =
  /\b(?:may|can|free to|welcome to|allowed to|fine to|ok(?:ay)? to)\b (?:\w+ ){0,2}?us(?:e|ing)\b/i;
const TAKEN_BY_NAME = anyPattern(
  String.raw`\b(?:allow|welcome|embrace|permit|accept|encourage)s?\b[^.;]{0,80}\b${MODEL_WORDS}`,
);
const FREE_OF_RULES =
  /\bno (?:objections?|polic(?:y|ies)|rules?)\b|(?:\bnot|n't) (?:\w+ )?(?:against|opposed to)\b/i;
const UNDECIDED =
  /\bif (?:no|none|not)\b[^.;]{0,20}\b(?:AI|LLMs?)\b|\bno (?:AI|LLMs?)\b (?:\w+ ){0,2}(?:involved|used|involvement|assistance (?:was )?used)|\bneither (?:\w+ )?(?:encourage|endorse|recommend|prohibit|forbid|allow)/i;
const OPTIONAL = /\b(?:is|are) (?:entirely |purely )?(?:optional|voluntary)\b/i;
/** What is welcome or optional there: models, their use, or what the sentence before named. */
const OF_USE =
  /\b(?:us(?:e|es|ed|ing|age)|tools?|assist\w*|generat\w*|disclos\w*)\b|^\W*(?:it|this|that|they|these|both|such)\b/i;
/** Says that models may be used, or that nothing is asked, with no word that limits it. */
export const mayPermitUse = (plain: string): boolean =>
  permitsInOtherLanguage(plain) ||
  FREE_OF_RULES.test(plain) ||
  ((namesModel(plain) || OF_USE.test(plain)) &&
    ([NEED_NOT, UNDECIDED, OPTIONAL].some((one) => one.test(plain)) ||
      (!PERMITS_LITTLE.test(plain) &&
        [WELCOMES, PERMITS, FREE_TO_USE, TAKEN_BY_NAME].some((one) => one.test(plain)))));

const ACCEPTED = String.raw`(?:accept|permit|allow|welcom|tolerat|merg|approv)\w*`;
const AND_MORE = String.raw`(?:,| or| nor| and|, or|, nor|, and) (?:\w+ ){0,2}?`;
/** The project's own use of models, or its choice not to ban. */
const NO_RULE = anyPattern(
  String.raw`\bno\b[^.;]{0,20}\b${MODEL_WORDS}\b(?:(?!, (?:and|but|so) )[^.;]){0,40}\b(?:is|are|was|were) (?:ever )?(?!${ACCEPTED}${AND_MORE})(?:used|sent|executed|run|shown|stored|shipped|bundled|called|made|required)\b(?!${AND_MORE}${ACCEPTED})`,
  String.raw`\bno (?:\w+ ){0,2}(?:data|images?|files?|texts?|code|telemetry|information|audio|recordings?|photos?|videos?|messages|documents?|secrets?|keys?|queries|logs|prompts?) (?:is|are) (?:ever )?(?:sent|uploaded|shared|transferred)\b[^.;,]{0,20}?\b(?:models?|AI|LLMs?|servers?|cloud)\b`,
  String.raw`\bnot\b[^.;]{0,16}\b(?:oppos\w+|against|anti)\b[^.;]{0,12}\b(?:AI|LLM)`,
  String.raw`\b(?:rule|ban|policy|prohibition)s? that (?:cannot|can't|could not) be (?:enforced|policed|checked)\b`,
  String.raw`\b(?:rather than|instead of|short of)\b[^.;,]{0,30}\b(?:ban|prohibit|forbid)`,
  String.raw`\bwe (?:\w+ )?(?:can|may|could|might|will) (?:\w+ )?stop using ${MODEL_WORDS}`,
);
const withoutOwnUse = (plain: string): string => plain.split(NO_RULE).join(' ');
const NOT_US = /^\W*(?:[Bb]ut )?(?:[Ww]e|[Tt]his project) (?:do|does)(?: not|n't)\W*(?:$|[A-Z])/;
const OWN_WORK = String.raw`(?:project|repo(?:sitory)?|codebase)`;
const MAKING = String.raw`(?:(?:in|for|during|to) )?(?:the )?(?:(?:mak|writ|develop|creat|build|cod)(?:e|ing)?|development|creation|implementation|design)`;
const ALL_OF = String.raw`(?:(?:of|the|any|all|our|part|parts|source|code|in) ){0,4}`;
/** Says how the project is made: work of a model would make it untrue, so a person decides. */
const MADE_WITHOUT = anyPattern(
  String.raw`\bno\b[^.;]{0,20}\b${MODEL_WORDS}\b[^.;]{0,40}\b(?:is|are|was|were) (?:ever )?(?:used|involved) (?:in|for|on|by|anywhere in) (?:the |any of )?(?:this |our )?${OWN_WORK}\b`,
  String.raw`\bno\b[^.;]{0,20}\b${MODEL_WORDS}\b[^.;]{0,40}\b(?:is|are|was|were) (?:ever )?(?:used|involved) ${MAKING} ${ALL_OF}(?:this|our|the) (?:${OWN_WORK}|code|software|library|programs?|app(?:lication)?|package|tool)\b`,
  String.raw`\bno ${MODEL_WORDS}[- ]${GENERATED_WORDS} (?:code|contributions?|content|patch(?:es)?) (?:is|are|was|were) (?:ever )?(?:used|included|shipped)\b`,
);
export const findsNoModelClaim = ({ plain }: Pick<RulePassage, 'plain'>): boolean =>
  namesModel(plain) && MADE_WITHOUT.test(plain);
/** Refuses careless work alone, so nobody who reads what is sent is meant. `AI code is low-quality` says it of all. */
const CARELESS =
  /\b(?:unreviewed|untested|unverified|low[- ](?:quality|effort)|careless)(?:,? (?:and |or )?[\w-]{1,30})? (?:AI|LLM|machine)|\b(?:blindly|carelessly)\b|\bthat you (?:did not|didn't) look\b/i;
const ofCareless = (plain: string): boolean =>
  CARELESS.test(plain) && !/\b(?:any|all|no) (?:AI|LLM)/i.test(plain);
const RUNS = /\b(?:run(?:s|ning)?|execut\w*|eval\w*|sandbox\w*)\b/i;
const SENT = /\b(?:contribut\w*|pull[- ]?requests?|PRs?|patch(?:es)?|submi\w*|merg\w*|accept\w*|commits?)\b/i;
const PERSON_BANNED =
  /\b(?:get(?:s|ting)?|avoid being|risk(?:s|ing)?(?: being)?|end up) (?:banned|blocked)\b/gi;
const isRefusal = (plain: string): boolean =>
  !(RUNS.test(plain) && !SENT.test(plain)) &&
  (AI_CONTRIBUTION.test(plain) ||
    new RegExp(String.raw`^no ${MODEL_WORDS}\b|\bno ${MODEL_WORDS}(?:[- ]|(?=[,.!]|\W*$))`, 'i').test(
      plain,
    )) &&
  BANS.test(plain.replace(PERSON_BANNED, ' ')) &&
  !UNDECIDED.test(plain);
const CONDITION_FILLERS: readonly (readonly [RegExp, string])[] = [
  [CURTLY, ''],
  [
    /\b(?:because|due to|given (?:the|that)|owing to|out of|on account of|for \w+ reasons)\b[^.;]*?(?=, (?:we|it|they|the|this|any|no|all|contributions?|AI|LLM)|[.;]|$)/gi,
    '',
  ],
  [
    /\b(?:including|such as|e\.g)\b[^.;]*?(?= [-–—] |[)]|\b(?:if|unless|when|without|except)\b|\b(?:is|are|will|may not|must|cannot)\b|[.;]|$)/gi,
    '',
  ],
  [
    /\bif (?:you do(?! not|n't)|we (?:find|detect|notice|discover)|found|detected|discovered|caught|identified)\b[^.;,]*/gi,
    '',
  ],
  [/\b(?:may|might|will) (?:also )?be (?:banned|blocked|reported|subject)\b/gi, ''],
  [/\brepeat(?:ed)? (?:offend|violat)\w*/gi, ''],
  [/\b((?:no|neither)\b[^.;]{0,40}?) may be\b/gi, '$1'],
  [/\bwithout (?:the )?(?:use|help|assistance|aid) of\b/gi, ''],
  [/\bslop (?:and|or)\b/gi, ''],
  [
    /\b(?:that|which) (?:contain|include|incorporate)s? (?=(?:\w+ ){0,2}(?:generated|written|made|created|produced|AI|LLM))/gi,
    'with ',
  ],
  [/\bwhen (?:you )?(?:contribut|submit|mak|open|creat|writ|prepar)\w*/gi, ''],
];
const PARTIAL_AI_USE = anyPattern(
  String.raw`\b${GENERATED_WORDS} (?:\w+ ){1,2}(?:that|which) (?!(?:is|are|was|were|has|have) )`,
  String.raw`\bus(?:e|ing)\b[^.;]{0,30}\b${MODEL_WORDS}\b[^.;]{0,20} to (?:generate|write|create|produce|make|inflate|modify|edit|change|touch) (?![^.;]*\b(?:project|repository|repo|codebase|code|contribut\w*|pull[- ]?requests?|PRs?|patch(?:es)?|changes?|commits?|submissions?|content|anything|everything|features?|fix(?:es)?|issues?)\b)`,
);
/** Words of a plain refusal. Any other word may change the meaning, so a person reads it. */
const PLAIN_WORDS = anyPattern(
  String.raw`^(?:a|an|any|all|the|this|that|these|those|it|its|we|our|us|i|you|your|they|and|or|nor|by|of|to|in|on|for|with|from|via|at|as|so|such|not|no|is|are|was|were|be|been|being|am|do|does|did|don't|doesn't|won't|isn't|aren't|cannot|can't|can|will|would|may|must|shall|should|has|have|had|if|which|who|whom|whose|here|there|now|currently|time|please|only|also|both|either|neither|any\w+|ever|never|longer|yet|absolutely|strictly|expressly|explicitly|generally|completely|entirely|totally|kind|form|type|sort|part|parts|whole|way|means|manner|other|similar|like|including|include|\w+s?ed|\w+ing|made|written|wrote|write|built|done|make|use|uses|user?|usage|let|ask|want|take|put|open|opens|send|submit|post|create|generate|contain|contribute|contributes|accept|allow|permit|merge|welcome|ban|bans|forbid|forbids|forbidden|prohibit|prohibits|reject|rejects|decline|refuse|disallow|tolerate|close|zero|tolerance|policy|rule|project|projects|repository|repo|codebase|team|maintainers?|contributors?|people|humans?|person|author|authors|code|contributions?|prs?|pull|merge|requests?|patch|patches|commits?|changes?|content|contents|submissions?|issues?|comments?|discussions?|documentation|docs|tests?|text|texts|work|output|outputs|material|features?|fixes|files?|assets?|artwork|art|images?|media|help|assistance|aid|support|tools?|tooling|assistants?|agents?|agentic|bots?|chatbots?|models?|language|large|natural|processing|generative|artificial|intelligence|probabilistic|machine|learning|ai|a\.i|llms?|gpts?|chatgpt|copilot|github|claude|codex|gemini|cursor|windsurf|slop|vibe|gen|genai|source|welcome|acceptable|unacceptable|unwelcome|imperative|time|regardless|amount|size|extent|contribution's|well|software|program|more|than|into|out|one|some)$`,
);
const MOST_OTHER_WORDS = 5;
const countOtherWords = (text: string): number =>
  text
    .split(/[^\p{L}.']+/u)
    .map((w) => w.replace(/^[.']+|(?<![.'])[.']+$/g, '').toLowerCase())
    .filter((w) => w !== '' && !PLAIN_WORDS.test(w)).length;
const isPlain = (text: string): boolean => countOtherWords(text) <= MOST_OTHER_WORDS;
export const hasPlainWordsOnly = (text: string): boolean => countOtherWords(text) === 0;

const NEGATED_VERB = String.raw`(?:(?:must|may|can|should|shall|do|does|are|is|will)(?: not|n't| never)|cannot|never)(?: (?:allowed|permitted))?(?: to)?`;
const WORK_OF_MODEL = String.raw`(?:\b${MODEL_WORDS}[- ]${GENERATED_WORDS}\b|\b${CONTRIBUTION_WORDS} ${GENERATED_WORDS} (?:by|with|using) (?:an? |the )?${MODEL_WORDS}\b)`;
const TRAIT_VERBS =
  'contain|include|exceed|touch|repeat|disable|introduce|depend|call|rely|modify|edit|change|break|add|remove|skip|import|log|replace|use|have|bypass|span|mix|alter|delete';
/** Forbids code of models one trait, as `must not contain TODOs`; it does not refuse the code. */
const OF_TRAIT = new RegExp(
  String.raw`${WORK_OF_MODEL}[^.;,]{0,30}?\b${NEGATED_VERB} (?:${TRAIT_VERBS})\b`,
  'i',
);
const NO_NOUN =
  '(?:is|are|was|were|be|must|may|will|can|cannot|should|shall|do|does|has|have|never|not|in|on|at|for|from|to|as|that|which|without)';
const MADE_NOUN = new RegExp(
  String.raw`\b${MODEL_WORDS}[- ]${GENERATED_WORDS} ((?:(?!${NO_NOUN}\b)\w[\w-]{0,29} ){1,3}?)(?=${NO_NOUN}\b|n't)|\b${MODEL_WORDS}[- ]${GENERATED_WORDS} ((?:(?!${NO_NOUN}\b)\w[\w-]{0,29} ){0,2}\w[\w-]{0,29})[.!]?$`,
  'i',
);
const WHAT_IS_SENT =
  /\b(?:code|contribut\w*|prs?|pull|requests?|mrs?|merge|patch(?:es)?|content|submi\w*|changes?|commits?|issues?|slop|text|texts|work|works|output|material|features?|fix(?:es)?|stuff|things?|anything|software|artifacts?|files?|documentation|docs|tests?|comments?|reports?|reviews?|media|images?|art\w*|assets?|or|and|of|pieces?|project\w*|modules?|functions?|additions?|edits?|ports?|packages?|entries|text)\b/i;
const madeNoun = (plain: string): string | undefined => {
  const [, inside, last] = MADE_NOUN.exec(plain) ?? [];
  return inside ?? last;
};
/** `AI-generated titles`: no kind of contribution, so the product makes or gets them. */
const isOfOtherNoun = (plain: string): boolean => {
  const noun = madeNoun(plain);
  return noun !== undefined && !WHAT_IS_SENT.test(noun);
};
const OF_USE_WITHIN = new RegExp(
  String.raw`\bus(?:e|ing|age)\b(?: of)? ${MODEL_WORDS}\S* (?:in|within|inside|during) (?:unit |the |our |integration )*(?:tests?|fixtures?|examples?|CI|production|prompts?)\b|\bus(?:e|ing)\b[^.;]{0,20}\b${MODEL_WORDS} (?:output|text|responses?) as (?!(?:a|an|part|the|your|is)\b)`,
  'i',
);
const RUN_BY_A_PART = new RegExp(
  String.raw`\b(?:run|executed|evaluated|used|merged|committed|applied) by (?:the|our) ${PRODUCT_PART}\b`,
  'i',
);
const REFUSED_BY_A_PART = new RegExp(
  String.raw`\b(?:accepted|rejected|refused|blocked|dropped|filtered) by (?:the|our) ${PRODUCT_PART}\b`,
  'i',
);
const SENT_BY_PEOPLE =
  /\b(?:contribut\w*|prs?|pull[- ]requests?|mrs?|merge requests?|patch(?:es)?|submi\w*|changes?|commits?)\b/i;
/** Whoever else refuses may stand for the project: a foundation, its lawyers, its checks. */
const isOfParts = (plain: string): boolean =>
  !SENT_BY_PEOPLE.test(plain) &&
  (RUN_BY_A_PART.test(plain) || (REFUSED_BY_A_PART.test(plain) && !/\bcode\b/i.test(plain)));
const isOfProduct = (plain: string): boolean =>
  [OF_TRAIT, OF_USE_WITHIN].some((one) => one.test(plain)) || isOfOtherNoun(plain);
/** What a product of models makes or gets. */
const OF_PRODUCTS =
  /\b(?:data|titles?|names?|labels?|tags?|captions?|embeddings?|vectors?|summar(?:y|ies)|responses?|answers?|messages?|prompts?|suggestions?|ids?|identifiers?|keys?|urls?|links?|paths?|slugs?|queries|query|sql|html|json|markdown|values?|scores?|tokens?|fields?|metadata|filters?|recommendations?|transcripts?|subtitles?|thumbnails?|e?mails?|notifications?|insights?)$/i;
const TRAITS = new RegExp(
  String.raw`(?:${WORK_OF_MODEL}[^.;,]{0,30}?)?\b${NEGATED_VERB} (?:${TRAIT_VERBS})\b(?:(?! (?:and|or|so|but|because)\b)[^.;,]){0,80}`,
  'gi',
);
/** In a file for agents, how their work looks is told to them; a refusal of it is not. */
const isToldToAgents = (plain: string): boolean => {
  const rest = plain.replace(TRAITS, ' ');
  if (rest !== plain) return !NEGATIVE.test(rest);
  return OF_USE_WITHIN.test(plain) || OF_PRODUCTS.test(madeNoun(plain)?.trim() ?? '');
};

const isOutrightRefusal = (plain: string): boolean =>
  !PARTIAL_AI_USE.test(plain) &&
  isPlain(CONDITION_FILLERS.reduce((text, [which, by]) => text.replace(which, by), plain)) &&
  ![CONDITIONAL, NEAR_BANS.needsFirst, NEAR_BANS.ofPart].some((p) =>
    p.test(CONDITION_FILLERS.reduce((text, [which, by]) => text.replace(which, by), plain)),
  ) &&
  (!WELCOMES.test(plain) || NO_AI_AT_ALL.test(plain));

const DENIES_MODEL = anyPattern(
  String.raw`(?:\b(?:not|no|without|never|zero|none|nothing|neither|free of)\b|n't\b)[^.;]{0,30}?\b${MODEL_WORDS}`,
  String.raw`\b${MODEL_WORDS}[^.;]{0,30}(?:\b(?:not|never)\b|n't\b)`,
);
const OF_HOW = /\b(?:if|unless|when|where|or|disclos\w*|review\w*|understand|understood|polic(?:y|ies))\b/i;
/** Another box beside it is for work with models, so neither answer is refused. */
const hasBoxForAi = ({ before, after }: RulePassage): boolean =>
  `${before} ${after}`
    .split(/\[[ x]?\]/i)
    .slice(1)
    .some((box) => namesModel(box) && !DENIES.test(box) && !/\bpolic(?:y|ies)\b/i.test(box));
const inBox = (one: RulePassage): FoundRule[] => {
  const { plain } = one;
  if (!namesModel(plain) || !DENIES.test(plain) || hasBoxForAi(one)) return [];
  return AI_CONTRIBUTION.test(plain) || (DENIES_MODEL.test(plain) && !OF_HOW.test(plain))
    ? [{ kind: 'other', value: 'ai' }]
    : [];
};

/** `Unacceptable uses of AI` begins a list and refuses nothing itself. */
const FLAT_HEADING =
  /^\W*no\b|\bno\b[- ]|\b(?:not|never)\b|n't\b|\b(?:is|are) (?:\w+ )?(?:banned|prohibited|forbidden|unwelcome)\b/i;
const ORDERS_AGENTS =
  /^\W*(?:\w+: )?(?:please )?(?:do not|don't|never|avoid|must not|you (?:must|should|may) not|agents?\b|refuse\b)/i;
const isHeading = ({ plain, heading }: RulePassage): boolean =>
  plain !== '' && heading.split(' / ').at(-1) === plain;

const OF_NEWCOMERS = /\b(?:new|first[- ]time) (?:\S+ )?contributors?\b|\bbefore you have\b/i;
const OF_FIRST_PULL = /\bfirst (?:merged |accepted )?(?:pull[- ]request|PR|contribution|patch)\b/i;
const WITHOUT_A_PERSON =
  /\b(?:little|no|without(?: any)?)(?: or no)? (?:\w+ )?human (?:\w+ )?(?:input|involvement|oversight|intervention|review)/i;
const NOBODY = /\bno humans?\b/i;
/** Words that limit a ban to some contributors, or to changes that no person looked at. */
const LIMITS = [OF_NEWCOMERS, OF_FIRST_PULL, WITHOUT_A_PERSON, NOBODY];
const isOfSome = (text: string): boolean => LIMITS.some((one) => one.test(text));
const OF_BRANCH =
  /\b(?:for|to|into|on|against|in)\b (?:our |the )?(?:\w+ ){0,2}?[`"']?([\w./-]*[\d./-][\w./-]*|legacy|stable|maintenance|release|old)[`"']? branch(?:es)?\b/i;
const WHATEVER = /\bwhether or not\b|\bregardless of whether\b/i;
const inEnglish = (one: RulePassage): FoundRule[] | null => {
  const plain = removeQuotations(one.plain);
  if (WHATEVER.test(plain)) return null;
  if (!namesModel(plain)) return null;
  if (!isRefusal(withoutOwnUse(plain).replace(NEAR_BANS.asFeature, ' '))) return null;
  if (NEAR_BANS.ofOthers.test(plain)) return NOT_US.test(one.after) ? [] : [{ kind: 'other', value: 'ai' }];
  if (isHeading(one) && !FLAT_HEADING.test(plain)) return null;
  // A list begins: its items say what is refused, or only name some of it.
  if (/[:：]$/.test(plain) && !/\b(?:because|due to|including(?: but not limited to)?:)/i.test(plain))
    return null;
  if (one.forAgents && ORDERS_AGENTS.test(plain)) return null;
  if (one.forAgents && /\byou from (?:open|creat|submit)/i.test(plain))
    return [{ kind: 'ai_limited', value: 'pull requests opened by an agent' }];
  const branch = OF_BRANCH.exec(plain)?.[1];
  if (branch !== undefined) return [{ kind: 'ai_limited', value: `the branch ${branch}` }];
  const besides = besidesCode(one);
  if (besides) return besides;
  if (isOfParts(plain)) return [];
  if (isOfProduct(plain))
    return one.forAgents && isToldToAgents(plain) ? [] : [{ kind: 'other', value: 'ai' }];
  if (ofWhole(plain) || isOfSome(plain)) return [{ kind: 'ai_limited', value: WHOLLY_AI_CHANGES }];
  if (NO_RULE.test(plain)) return [{ kind: 'other', value: 'ai' }];
  if (isOutrightRefusal(plain)) return [{ kind: 'ai_ban' }];
  return ofCareless(plain) ? [] : [{ kind: 'other', value: 'ai' }];
};

const NO_DOUBT = anyPattern(
  String.raw`\b(?:follow\w*|compl(?:y|ying|ies)|adher\w*|violat\w*|accord\w*|respect\w*|break\w*)\b[^.;]{0,30}\b${MODEL_WORDS}\b[^.;]{0,20}\b(?:polic|guideline|rule)`,
  String.raw`(?:\bnot\b|n't\b) (?:(?!only\b)\w+ )?(?:against|prohibit|forbid|ban|disallow|opposed)`,
  String.raw`\bnot required\b|\bregardless\b|\bwhether or not\b|\bor not\b|\bno matter\b`,
);
/** Possibly a refusal in unknown words: a person reads it before anything is public. */
const inDoubt = (whole: string): boolean => {
  const plain = withoutOwnUse(removeQuotations(whole)).replace(NEAR_BANS.asFeature, ' ');
  if (NO_DOUBT.test(plain) || ofCareless(plain)) return false;
  return (
    (BY_NETWORKS.test(plain) && NEGATIVE.test(plain)) ||
    (namesModel(plain) && CONTRIBUTES.test(plain) && NEGATIVE.test(plain) && !WELCOMES.test(plain))
  );
};

/** `No AI calls`, `no AI in the parser`: says how the product is made, or what nobody needs. */
const OF_THE_PRODUCT = String.raw`(?:${UNUSED}|[- ](?:\w+ )?(?:calls?|requests?|prompts?|queries|responses?|tokens?|keys?|accounts?|subscriptions?|experience|knowledge|expertise|skills?|hardware|frameworks?|librar(?:y|ies)|dependenc(?:y|ies)|backends?)\b| (?:in|inside|within|during|on|at|for) (?:(?:the|our|an?|its|this) )?(?:\w+ )??(?:paths?|parsers?|lexers?|loops?|pipelines?|runtime|sandbox|servers?|backend|frontend|database|cache|workers?|handlers?|middleware|startup|production|test suite|unit tests|CI)\b(?! code))`;
const NO_MODEL_IN_DOUBT = anyPattern(String.raw`${NO_MODEL}(?!${OF_THE_PRODUCT})`);
const isUnwanted = (whole: string): boolean => {
  const plain = withoutOwnUse(whole);
  return (
    namesModel(plain) &&
    ([REFUSAL_WORDS.flatly, REFUSAL_WORDS.softly].some((says) => says.test(plain)) ||
      (NO_MODEL_IN_DOUBT.test(removeQuotations(plain)) && !UNDECIDED.test(plain))) &&
    !ofCareless(plain) &&
    !/\bslop\b/i.test(plain)
  );
};

const REFUSING_TITLE =
  /\b(?:not|never|n't|won't|reject\w*|unwelcome|unacceptable|forbidden|prohibited|declined?|refused?)\b|\bno (?:go|thanks)\b/i;
const REFUSED_CELL =
  /\|[^|]*(?:\b(?:no|not|never|prohibited|forbidden|banned|disallowed|rejected)\b|❌|✗|⛔|🚫)/iu;
const NO_AI_BADGE =
  /^\W*(?:100 ?% )?(?:no[- ]?(?:gen(?:erative)?[- ]?)?(?:ai|llms?)|not (?:made |written )?(?:by|with) ai|ai[- ]free|human[- ]made|made by humans?(?: only)?)\W*$/i;
const refusesByPlace = ({ plain, quote, heading, lead }: RulePassage): boolean => {
  if (NO_AI_BADGE.test(plain)) return /^\W*!?\[|^\s*<|<img/i.test(quote);
  if (!namesModel(plain) || WELCOMES.test(plain)) return false;
  if (/^\s*\|/.test(quote)) return REFUSED_CELL.test(quote);
  if (!/^\s*(?:[-*+]|\d+[.)])\s/.test(quote)) return false;
  const nearest = heading.split(' / ').at(-1) ?? '';
  return (
    (REFUSING_TITLE.test(nearest) && AI_CONTRIBUTION.test(plain) && lead === '') ||
    (CONTRIBUTES.test(lead) && NEGATIVE.test(plain) && !NO_DOUBT.test(plain))
  );
};

/** Refusals of purely AI-made work: a person says whether a signed change is that. */
const DEGREE = String.raw`(?:pure(?:ly)?|fully|wholly|entire(?:ly)?|complete(?:ly)?|sole(?:ly)?|100 ?%)`;
const OF_WHOLE = anyPattern(
  String.raw`\b${DEGREE}(?: or \w+)?[- ](?:by )?(?:${MODEL_WORDS}|${GENERATED_WORDS}|automated|vibe[- ]coded|derived)\b`,
  String.raw`\b${GENERATED_WORDS} ${DEGREE} (?:by|with|using|from)\b`,
  String.raw`\b(?:seem|appear|look)s?\b[^.;]{0,30}\b${MODEL_WORDS}[- ]${GENERATED_WORDS}\b[^.;]{0,80}\b(?:clos|flag|reject)`,
);
const IN_PART =
  /\b(?:mostly|predominantly|primarily|largely|mainly)\b|\bpart(?:s|ly|ial(?:ly)?)?\b|\bor assisted\b|\bwith (?:the )?help\b/i;
const ofWhole = (plain: string): boolean => OF_WHOLE.test(plain) && !IN_PART.test(plain);

/** Refuses fully AI-made work: such a file may welcome assistance. */
export const isOfDegree = (plain: string): boolean =>
  /\b(?:fully|wholly|entirely|completely|purely|solely|predominant\w*|primarily|mostly|largely|mainly)\b/i.test(
    plain,
  );

/** Names files that agents may not touch: a person says whether the change is about them. */
const OF_FILES = anyPattern(
  String.raw`\b(?:agents?|AIs?|LLMs?|bots?|assistants?)\b[^.;]{0,20}\b(?:are|is|must|should|may|do)(?: not|n't)\b (?:allowed to |permitted to )?(?:modify|edit|change|touch|bump|update|delete|remove|rename|alter|increment) (?:(?:the|any|our|its|this|project(?:'s)?|package|published|existing|files?|under|in) ){0,4}[\x60"']?(?:versions?|changelog|licen[cs]e|lock ?files?|vendor\w*|generated (?:files?|code)|migrations?|snapshots?|fixtures?|submodules?|workflows?|tags?|releases?|[\w.-]+\/(?!\w)|[\w-]+\.(?:json|toml|ya?ml|lock|md))(?![^.;]*\b(?:code|pull requests?|contribut\w*|anything)\b)`,
);

/** An agents' file that tells agents to stay away, with nothing that limits it. */
const BARS_AGENTS =
  /^\W*(?:(?:AI|automated|coding|LLM) )?(?:agents?|AIs?|LLMs?|bots?|you)\b[^.;,]{0,20}\b(?:must|should|may|shall|can|do|are) ?not\b(?: allowed to| permitted to)? (?:make |submit |open |create |be used for )?(?:any )?(?:contribut(?:e|ions?|ing)(?: or (?:changes?|pull requests?))?|(?:changes?|pull requests?) or contributions?)(?: (?:to|in|on) (?:this|the) (?:repository|project|repo|codebase))?\W*$|^\W*(?:please )?(?:do not|don't|never) contribute to this (?:repository|project|repo|codebase)\W*$/i;
const findAiRefusal = (one: RulePassage): FoundRule[] => {
  const { plain, quote, forAgents } = one;
  if (CHECKBOX_LINE.test(quote)) return inBox(one);
  // guard: E7-files-asked
  if (OF_FILES.test(plain)) return forAgents ? [] : [{ kind: 'other', value: 'ai' }];
  const flatly =
    NO_AI.test(plain) ||
    (BY_PEOPLE.test(plain) && new RegExp(String.raw`\b${CONTRIBUTION_WORDS}\b`, 'i').test(plain));
  if (flatly && !CONDITIONAL.test(plain)) return [{ kind: 'ai_ban' }];
  if (IS_AI_FREE.test(plain)) return [{ kind: 'other', value: 'ai' }];
  if (forAgents && BARS_AGENTS.test(plain)) return [{ kind: 'ai_ban' }];
  const english = inEnglish(one);
  if (english !== null) return english;
  if (findsNoModelClaim(one)) return [{ kind: 'other', value: 'ai' }];
  const abroad = nonEnglishAiRefusal(plain);
  if (abroad !== null)
    return [abroad === 'outright' && !forAgents ? { kind: 'ai_ban' } : { kind: 'other', value: 'ai' }];
  // guard: E7-lists-and-tables-asked
  if (refusesByPlace(one)) return [{ kind: 'other', value: 'ai' }];
  if (!forAgents && mayRefuseInOtherLanguage(plain)) return [{ kind: 'other', value: 'ai' }];
  if (forAgents) return [];
  if (!inDoubt(plain)) return isUnwanted(plain) ? [{ kind: 'other', value: 'ai' }] : [];
  const besides = besidesCode(one);
  if (besides) return besides;
  return [ofWhole(plain) ? { kind: 'ai_limited', value: WHOLLY_AI_CHANGES } : { kind: 'other', value: 'ai' }];
};

const CODE_BY =
  /\b(?:code|contributions?|patches)\b (?:that (?:is|was|were|are) )?(?:generated|written|created|produced) by\b/i;
const STANDS_BESIDE: readonly RuleKind[] = ['ai_disclosure', 'human_author'];
const CLAUSE_ENDS = /[,:;]|\b(?:and|because|since|so|therefore|hence|(?:as|for)(?= only\b))\b/i;
const OF_SIGN_OFF = /\bsign(?:ed|ing|s)?[- ]?off\b|\bDCO\b/i;
const withoutSignOff = (plain: string): string =>
  plain
    .split(CLAUSE_ENDS)
    .filter((clause) => !OF_SIGN_OFF.test(clause))
    .join(', ');

export const aiRules: RuleReader = (passage) => {
  const one = { ...passage, plain: withoutPermissions(unquoteModels(passage.plain)) };
  const asked = aiRequirements(one);
  const form = CHECKBOX_LINE.test(one.quote) ? null : findRefusal(one);
  // guard: E7-other-forms-of-bans
  if (form?.means === 'banned' && !form.askedIf?.test(one.plain)) return [{ kind: 'ai_ban' }];
  if (form) {
    const beside = asked.filter(({ kind }) => STANDS_BESIDE.includes(kind));
    const banned = findAiRefusal(one).some(({ kind }) => kind === 'ai_ban');
    return banned ? [{ kind: 'ai_ban' }] : [{ kind: 'other', value: 'ai' }, ...beside];
  }
  // Refuses the trailer or label, not the change, unless it names both.
  const both = asked.every(({ value }) => value === 'no_co_author') && CODE_BY.test(one.plain);
  if (asked.length > 0 && both) {
    const banned = findAiRefusal(one).filter(({ kind }) => kind === 'ai_ban');
    return banned.length > 0 ? banned : asked;
  }
  // Who may sign off stands beside a ban as its reason.
  if (asked.some(({ value }) => value === 'no_sign_off'))
    return [...findAiRefusal({ ...one, plain: withoutSignOff(one.plain) }), ...asked];
  if (asked.some(({ kind }) => !STANDS_BESIDE.includes(kind))) return asked;
  const refused = findAiRefusal(one);
  if (asked.length > 0) return [...refused.filter(({ kind }) => kind !== 'other'), ...asked];
  if (refused.length > 0 || one.lead === '' || !NEGATIVE.test(one.lead)) return refused;
  const whole = { ...one, plain: `${one.lead.replace(/[:：]$/, '')} ${one.plain}`, lead: '' };
  return findAiRefusal(whole).filter(
    ({ kind }) => kind !== 'other' && (kind !== 'ai_ban' || CODE_NOUN.test(one.plain)),
  );
};
