/** Finds what a repository requires of AI-assisted changes, short of refusing them. */
import { isAboutAi, AGENT_NOUN, findBarredLabels, NEGATION_PATTERN, trailerRules } from './ai-marks.ts';
import {
  CHECKBOX_LINE,
  BY_AGENTS,
  DENIES,
  GENERATED_WORDS,
  GENERATED_FILES_PATTERN,
  MODEL_WORDS,
  anyPattern,
  namesModel,
} from './ai-words.ts';
import { humanWords, GENERATED_TEXT_PATTERN, withoutTexts } from './human-words.ts';
import { REQUEST_WORDS, type FoundRule, type RulePassage } from './rule-passage.ts';

export const CODE_NOUN =
  /\b(?:code|contributions?|contribut(?:e|ing)|pull[- ]?requests?|PRs?|MRs?|patch(?:es)?|commits?|changes?|submissions?|merge[- ]requests?|features?(?! requests?)|fix(?:es)?)\b/i;
const GENERATED_CODE = anyPattern(String.raw`\b${GENERATED_WORDS}\b`);
export const MEDIA_WORDS = String.raw`(?:media|images?|photo(?:graph)?s?|art|artwork|pictures?|videos?|audio|music|assets?|graphics|illustrations?|logos?|icons?|sprites?|textures?|translations?)`;
const OF_MEDIA = anyPattern(
  String.raw`\b${MODEL_WORDS}(?:[- ]${GENERATED_WORDS})?(?: \w+)? ${MEDIA_WORDS}\b`,
  String.raw`\b${MEDIA_WORDS}\b[^.;]{0,40}\b(?:${GENERATED_WORDS}|generat\w+)\b[^.;]{0,20}\b${MODEL_WORDS}`,
);
const PUBLIC_WORDS_NOUN =
  /\b(?:descriptions?|comments?|repl(?:y|ies|ying)|respon(?:se|ses|d|ding)|posts?|posting|messages?|discussions?|communicat\w*|answers?|prose|write-?ups?|conversations?|correspond\w*|interact\w*|speak|talk)\b/i;
const REVIEWS = /\breview(?:s|ing|ers?)?\b/i;
const ISSUES =
  /\b(?:issues?|bug reports?|security reports?|vulnerabilit\w+|feature requests?|reports?|tickets?)\b/i;
const UNSUPERVISED =
  /\b(?:unsupervised|autonomous(?:ly)?(?:[- ]looking)?|fully[- ]automat\w+|without (?:any |a )?human(?: \w+)?|unattended|via automated (?:bots?|agents?|accounts?)|bot-like|no humans? in the loop|pretend\w* to be (?:an? )?(?:humans?|people|persons?))\b/i;

/** `Autonomous or agentic`: whoever directs an agent is meant, too. */
const AGENTIC_TOO = /\b(?:or|and|\/) ?["“']?agentic\b|\bagentic["”']? (?:or|and|\/)/i;

const TO_WRITE = anyPattern(
  String.raw`\b(?:us(?:e|ing)\b[^.;]{0,30}\b${MODEL_WORDS}\b[^.;]{0,15}|${MODEL_WORDS}\b[^.;]{0,20}\bbe used )\b(?:to|for) (?:\w+ly )?(?:generat|writ|creat|produc|compos|draft|fill|translat)\w* ([^,.;]*)`,
);
const ANY_CONTENT =
  /^\W*(?:\w+ )?(?:content|anything|everything|work|materials?|text|it|them|software|features?|logic|functions?)\b/i;
const PRODUCTS_TEXT = anyPattern(
  String.raw`\b${MODEL_WORDS}[- ]${GENERATED_WORDS} (?:\w+ )?(?:responses?|messages?|answers?|summaries)\b`,
  String.raw`\b(?:responses?|messages?|answers?|summaries) ${GENERATED_WORDS} (?:by|with) (?:an? |the |our )?${MODEL_WORDS}\b`,
);
export const PRODUCT_PART = String.raw`(?:[\w-]+ )?(?:app(?:lication)?|parser|server|product|layer|moderation|sandbox|runtime|service|gateway|worker|host|client|daemon|engine|interpreter|compiler|renderer|filter|validator|scheduler|queue|database|cache|proxy|browser|shell|program|process)s?`;
const BY_THE_PRODUCT = new RegExp(
  String.raw`\b(?:rendered|logged|shown|displayed|stored|cached|saved|persisted|printed|streamed|parsed|escaped|trusted|executed|evaluated|(?:rejected|blocked|filtered|dropped) by (?:the|our) ${PRODUCT_PART}|(?:sent|written|passed|returned) to (?:(?:the|our|an?) )?(?:analytics|servers?|clients?|browsers?|users?|logs?|database|API|telemetry|shell|disk|console|frontend|UI))\b`,
  'i',
);
/** `Text, code and images`: texts are not all that is refused. */
const BESIDE_TEXTS =
  /(?:[,/&] ?|\b(?:and|or|nor) )(?:(?!the\b|your\b|this\b|it\b)[\w-]{1,30},? ){0,2}?(?:code|pull[- ]requests|PRs|MRs|patch(?:es)?|commits|contributions|changes|submissions)\b/i;
/** `On issues and pull requests`: says where texts stand. */
const ON_WHICH =
  /\b(?:on|in|under|within|for|to) (?:(?:the|our|your|any|all|both|open|issues?|or|and|pull|merge|requests?|PRs?|MRs?|discussions?|commits?|reviews?|tickets?|threads?)\b[ ,/]{0,2}){1,8}/gi;
const SAID_TO_PEOPLE =
  /\b(?:pull[- ]?requests?|PRs?|MRs?|issues?|reviews?|reviewers?|comments?|descriptions?|reports?|discussions?|contribut\w*|submi\w*|commits?|maintainers?|post|paste|write|reply|replies|communicat\w*|questions?|threads?|project|we)\b/i;
/** Refuses something other than changes: pictures, issues, reviews, unattended agents. */
export const besidesCode = (one: RulePassage): FoundRule[] | null => {
  const { plain, heading } = one;
  // Text after a contrast names what is allowed.
  const clause =
    plain.split(/;|,? (?:but|while|whereas) |, (?=(?:the )?code (?:is|can|may)\b)/).find(namesModel) ?? plain;
  const object = withoutTexts(
    clause.replace(/\(?\b(?:other than|except(?: for)?|apart from) (?:\w+ )?code\b\)?/gi, ' '),
  ).replace(/\bnon-code (?:\w+)/gi, 'words');
  const toAiLimit = (value: string): FoundRule[] => [{ kind: 'ai_limited', value }];
  const told = TO_WRITE.exec(withoutTexts(plain))?.[1];
  if (told !== undefined && told !== '' && !CODE_NOUN.test(told) && !ANY_CONTENT.test(told)) {
    if (PUBLIC_WORDS_NOUN.test(told)) return [{ kind: 'human_words' }];
    if (ISSUES.test(told)) return toAiLimit('issues');
    return toAiLimit(
      new RegExp(String.raw`\b${MEDIA_WORDS}\b`, 'i').test(told) ? 'media' : told.trim().slice(0, 60),
    );
  }
  if (BY_AGENTS.test(plain)) return toAiLimit('pull requests opened by an agent');
  const part = GENERATED_FILES_PATTERN.exec(object);
  if (part && !CODE_NOUN.test(object.replace(part[0], ' '))) return toAiLimit(part[1] ?? '');
  if (OF_MEDIA.test(object) && !CODE_NOUN.test(object)) return toAiLimit('media');
  const thing = GENERATED_TEXT_PATTERN.exec(object)?.[0];
  const ofCode = CODE_NOUN.test(object);
  if (
    PRODUCTS_TEXT.test(object) &&
    BY_THE_PRODUCT.test(object) &&
    !ofCode &&
    !SAID_TO_PEOPLE.test(plain) &&
    !one.aboutAi &&
    !namesModel(heading)
  )
    return [];
  if (thing !== undefined && !BESIDE_TEXTS.test(object.replace(ON_WHICH, ' '))) {
    if (/review/i.test(thing)) return toAiLimit('reviews');
    return /issue|report/i.test(thing) ? toAiLimit('issues') : [{ kind: 'human_words' }];
  }
  if (AGENTIC_TOO.test(plain)) return UNSUPERVISED.test(plain) ? [{ kind: 'other', value: 'ai' }] : null;
  if (UNSUPERVISED.test(plain) && !/\bneither\b/i.test(plain)) return toAiLimit('unsupervised agents');
  const nearest = (heading.split(' / ').at(-1) ?? '').replace(/code[- ]review/i, 'review');
  const isOfCode = CODE_NOUN.test(nearest);
  // A refusal of work made by models holds under every heading.
  if (/\breview/i.test(nearest) && !isOfCode && !GENERATED_CODE.test(object)) return toAiLimit('reviews');
  if (ofCode) return null;
  if (/\b(?:report\w* (?:an? )?(?:issues?|bugs?)|(?:issue|bug) report\w*)\b/i.test(nearest) && !isOfCode)
    return toAiLimit('issues');
  if (REVIEWS.test(object) && !/\bwithout (?:\w+ )?review/i.test(object)) return toAiLimit('reviews');
  if (PUBLIC_WORDS_NOUN.test(object)) return [{ kind: 'human_words' }];
  if (ISSUES.test(object)) return toAiLimit('issues');
  return null;
};

const VIBE_CODED =
  /\bvibe[- ]cod(?:ed|ing)\b[^.;]{0,60}(?:\b(?:not|never|rejected|closed|declined|ignored)\b|n't\b)|(?:\b(?:not|never|no)\b|n't\b)[^.;]{0,30}\bvibe[- ]coded\b/i;
const vibeCoded = ({ plain }: RulePassage): FoundRule | null =>
  VIBE_CODED.test(plain) ? { kind: 'ai_limited', value: 'vibe-coded changes' } : null;

const oneAtATime = ({ plain }: RulePassage): FoundRule | null =>
  namesModel(plain) && /\bone\b[^.;]{0,50}\b(?:pull[- ]requests?|PRs?)\b[^.;]{0,20}\bat a time\b/i.test(plain)
    ? { kind: 'ai_limited', value: 'one pull request at a time' }
    : null;

const mediaOnly = ({ plain }: RulePassage): FoundRule | null =>
  OF_MEDIA.test(plain) && !CODE_NOUN.test(withoutTexts(plain)) && /\bonly\b/i.test(plain)
    ? { kind: 'ai_limited', value: 'media' }
    : null;

const neverOpens = ({ plain, forAgents }: RulePassage): FoundRule | null =>
  /\b(?:not|never) let\b[^.;]{0,30}\bagents?\b[^.;]{0,20}\b(?:open|create|submit)\b[^.;]{0,30}\b(?:PRs?|pull[- ]requests?)\b/i.test(
    plain,
  ) ||
  (forAgents &&
    /^\W*(?:you must )?(?:never|do not|don't|must not)\b[^.;]{0,40}\b(?:create|open|submit|file|make)\b[^.;]{0,15}\b(?:PRs?|pull[- ]requests?)\b[^,;]{0,30}(?:;|$)/i.test(
      plain,
    ))
    ? { kind: 'ai_limited', value: 'pull requests opened by an agent' }
    : null;

const AUTOMATION =
  /\b(?:automation|automated|bots?)\b[^.;]{0,40}\b(?:PRs?|pull[- ]requests?)\b[^.;]{0,40}\b(?:approv\w*|permission|agreed)\b/i;
const byAutomation = ({ plain }: RulePassage): FoundRule | null =>
  AUTOMATION.test(plain) && REQUEST_WORDS.test(plain)
    ? { kind: 'ai_limited', value: 'automated pull requests' }
    : null;

const findUnsupervisedLimit = ({ plain }: RulePassage): FoundRule | null =>
  UNSUPERVISED.test(plain) &&
  !AGENTIC_TOO.test(plain) &&
  (NEGATION_PATTERN.test(plain) || /\b(?:stop|turn (?:it|them|that) off)\b/i.test(plain)) &&
  !/\bneither\b/i.test(plain) &&
  (namesModel(plain) || AGENT_NOUN.test(plain) || CODE_NOUN.test(plain)) &&
  !CHECKBOX_LINE.test(plain)
    ? { kind: 'ai_limited', value: 'unsupervised agents' }
    : null;

const USE =
  /\b(?:us(?:e|ed|es|ing|age)|generat\w*|assist\w*|help(?:ed)?|written|involv\w*|contribut\w*|tools?|creat\w*|produc\w*|made)\b/i;
const TELL =
  /\b(?:disclos\w*|declar\w*|acknowledg\w*|label(?:l?ed|ling|ing)?(?<!\bto label)|transparen\w*|tell us|let us know|stat(?:e|ed)|indicat\w*|mention(?:ed)?|mark(?:ed)?|noted|(?:please|must|should|to) note|credit\w*|attribut(?:e|ed|ion)|tag(?:ged)?|identif(?:y|ied)(?! (?:bugs?|issues?|problems?|potential|patterns?|where))|say so|upfront|up[- ]front|(?:tick|check) (?:the|this) box)\b/i;
const TELL_AGAIN =
  /\b(?<!responsible )(?:disclos(?:e|ed|ure|ing)|declare[ds]?(?!\())\b|\b(?:label|mark|identify)\b[^.;]{0,60}\btool-(?:generated|assisted)\b/i;
export const NEED_NOT =
  /\b(?:recommended|encouraged|appreciated),? but not (?:required|mandatory|necessary)\b|\b(?:nobody|no one|none of you) (?:needs?|has|have) to\b|\bneed not (?:\w+ )?(?:disclos|declar|tell|stat|mention|say)\w*|(?:\b(?:not|no)\b|n't\b)[^.;]{0,20}\b(?:required?|need|necessary|have) (?:to )?(?:\w+ )?(?:disclos|declar|tell|state|mention)|\b(?:disclos\w*|declar\w*)\b[^.;]{0,30}\b(?:is|are) (?:not (?:required|needed|necessary)|optional|voluntary)|\b(?:do not|don't|never) (?:\w+ )?(?:mention|credit|attribut\w*|tag|label)/i;

const disclosureRule = (one: RulePassage): FoundRule | null => {
  const { plain, quote, template, heading } = one;
  // A sentence that says what disclosure is good for asks for nothing.
  if (
    /\b(?:attribution|disclosure|labell?ing)\b[^.;]{0,12}\b(?:helps?|allows?|enables?|makes?)\b/i.test(plain)
  )
    return null;
  if (
    /\bif you(?:'re| are) an? (?:\w+ )?(?:AI|LLM|bot|agent|language model)\b[^.;]{0,60}\b(?:identify|disclose|say so|declare|state|mention|let us know|tell us)\b/i.test(
      plain,
    )
  )
    return { kind: 'ai_disclosure' };
  if (
    one.forAgents &&
    /^\W*(?:AI )?disclosure\W*$/i.test(plain) &&
    !heading.endsWith(plain) &&
    (AGENT_NOUN.test(one.after) || namesModel(one.after))
  )
    return { kind: 'ai_disclosure' };
  // A sentence on what models cannot give argues, and asks for nothing.
  if (/\b(?:AI|LLMs?|models?|tools?)\b[^.;]{0,40}\bunable to\b|\bby (?:their|its) nature\b/i.test(plain))
    return null;
  if (/\battribut\w+\b[^.;]{0,40}\b(?:insufficient|human|person)\b/i.test(plain)) return null;
  if (NEED_NOT.test(plain) || /\btranslat|\b(?:cannot|can't|hard to)\b[^.;]{0,30}\bidentif/i.test(plain))
    return null;
  if (CHECKBOX_LINE.test(quote)) {
    const told =
      namesModel(plain) &&
      (TELL.test(plain.replace(/\backnowledge\b[^.;]*\bpolicy\b/i, '')) ||
        (template && /\b(?:used?|assisted|generated|help)\b/i.test(plain)));
    return told &&
      !DENIES.test(plain) &&
      !/\b(?:proof-?read|(?:self-)?review(?:ed)?|polic(?:y|ies)(?![^.;]*\bdisclosed))\b/i.test(plain) &&
      !needsUnderstanding(plain)
      ? { kind: 'ai_disclosure' }
      : null;
  }
  if (namesModel(plain)) {
    if (
      template &&
      /\bI (?:did not use|have not used|used|have used) (?:any )?(?:\w+ )?(?:AI|LLMs?)\b/i.test(plain)
    )
      return { kind: 'ai_disclosure' };
    if (!template && plain !== '' && heading.endsWith(plain) && !/\bdisclos/i.test(plain)) return null;
    if (/\bthat the issue\b/i.test(plain)) return null;
    if (
      template &&
      /\b(?:describe|(?:give|provide|add|include) details|specify)\b/i.test(plain) &&
      (USE.test(plain) || /\bassistance\b/i.test(plain))
    )
      return { kind: 'ai_disclosure' };
    if (TELL.test(plain) && USE.test(plain)) return { kind: 'ai_disclosure' };
    const titled = template && heading.endsWith(plain) && plain !== '';
    return titled &&
      /\b(?:disclos\w*|use|used|usage|assist\w*|tools?|generated|declaration|statement)\b/i.test(plain)
      ? { kind: 'ai_disclosure' }
      : null;
  }
  const near = namesModel(one.before) || namesModel(heading) || one.aboutAi;
  const named =
    one.aboutAi && TELL.test(plain) && /\b(?:models?|tools?|agents?)\b[^.;]{0,20}\bused?\b/i.test(plain);
  if (named && (REQUEST_WORDS.test(plain) || /\bplease\b/i.test(plain))) return { kind: 'ai_disclosure' };
  return near &&
    TELL_AGAIN.test(plain) &&
    (REQUEST_WORDS.test(plain) || /^\W*(?:\w+ly )?disclos/i.test(plain))
    ? { kind: 'ai_disclosure' }
    : null;
};

const BY_HUMAN =
  /\b(?:must|should|has to|have to|needs? to|shall)\b[^.;]{0,40}\b(?:submitted|opened|backed|owned|reviewed|approved|initiated|filed|sent)\b[^.;]{0,30}\bby (?:a |an |real |the )?(?:\w+ )?(?:humans?|persons?|people)\b/i;
const READ_BY =
  /\b(?:human|person|somebody|someone)s?\b[^.;]{0,20}\b(?:to )?(?:have|has) (?:\w+ )?(?:read|reviewed|checked|tested|understood|verified)\b/i;
const VERIFIED = /\b(?:verified|tested|reviewed|checked) (?:with|by|through) (?:a |real )?humans?\b/i;
const NO_BOTS =
  /\b(?:automated|bot[- ](?:driven|generated|created|authored|opened))\b[^.;]{0,30}\b(?:PRs?|pull[- ]requests?|contributions?|submissions?)\b[^.;]{0,40}(?:\b(?:not|never|closed|rejected|forbidden|prohibited|declined)\b|n't\b)|\b(?:bots?|automated accounts?)\b[^.;]{0,30}(?:\b(?:not|never|cannot)\b|n't\b)[^.;]{0,40}\b(?:contribut\w*|(?:open|create|submit|send)\w*[^.;]{0,12}(?:pull[- ]?requests?|prs?|patch(?:es)?))\b/i;
const UNDERSTAND =
  /\b(?:understand(?:s|ing)?|understood|comprehend(?:s|ed)?)\b[^.;]{0,60}\b(?:code|changes?|lines?|everything|contributions?|submissions?|submit\w*|it does|diff|patch|PR)\b|\b(?:code|changes?|anything|something)\b[^.;]{0,25}\byou (?:do not|don't|cannot|can't) (?:fully )?understand\b/i;
const EXPLAIN =
  /\b(?:able to|can|could|can't|cannot|can not|unable to|prepared to|ready to) (?:\w+ly )?(?:\w+ (?:or|and|nor) )?(?:explain|defend|justify|answer)\b/i;
const RESPONSIBILITY_WORDS =
  /\b(?:responsib(?:le|ility)|accountab(?:le|ility))\b[^.;]{0,50}\b(?:code|lines?|contributions?|changes?|contents?|submi\w+|everything|results?|patch(?:es)?|pull[- ]requests?|output|work|it)\b|\b(?:contributions?|changes?|code)\b[^.;]{0,60}\byour (?:own )?responsibility\b|\b(?:ownership|own) (?:of )?(?:every|all|the|each|your)\b/i;
const TAKES =
  /\b(?:take|takes|taking|assumes?|bears?|accepts?|retains?)\b (?:\w+ ){0,2}(?:ownership|responsibility|accountability)\b/i;
const UNREAD =
  /(?:\b(?:not|never)\b|n't\b)[^.;]{0,20}\b(?:submit|open|send|contribute|post|push|propose)\b[^.;]{0,70}(?:\b(?:have not|did not|do not|cannot)\b|n't\b)[^.;]{0,30}\b(?:read|review|underst|test|verif|explain)\w*/i;
const READ_ALL =
  /\b(?:review|read|check|verif|understand|vet)\w*\b[^.;]{0,50}\b(?:every|each|all|any)\b[^.;]{0,25}\b(?:lines?|changes?|code|output|content|generated|diff|suggestions?)\b/i;
const SOMEBODY = /\b(?:you|your|contributors?|authors?|humans?|persons?|individuals?|submitters?|i)\b/i;
const PERSON_STANDS =
  /\b(?:human|author|contributor|submitter|person)s?\b[^.;]{0,30}\b(?:is|are|remains?)\b[^.;]{0,20}\b(?:accountable|responsible)\b/i;
const RELIEVES =
  /\bnot (?:relieve|absolve|reduce|remove|replace|excuse)\b[^.;]{0,40}\b(?:responsib\w+|accountab\w+)/i;
const AUTHOR =
  /\b(?:contributor|author|submitter|human|person|you)s? (?:is|are|remains?|must be) (?:always |still )?(?:considered )?(?:the |an? )?(?:sole )?authors?\b|\battributed to (?:the|a) (?:human|person)\b/i;
const READS_ALL = anyPattern(
  String.raw`\b(?:must|should|have to|need to|required to|expected to)\b[^.;]{0,30}\b(?:review|read|check|verif|vet|validat)\w*\b[^.;]{0,25}\b(?:all|any|every|the)\b[^.;]{0,20}\b${MODEL_WORDS}`,
);
const needsUnderstanding = (plain: string): boolean => UNDERSTAND.test(plain) || EXPLAIN.test(plain);
const ABOUT_ISSUES = /^\W*(?:issues?|discussions?|bug reports?|security)\b/i;
const HUMAN_HAND =
  /\bhumans?\b[^.;]{0,30}\bin the loop\b|\bhuman (?:intervention|oversight|judge?ment|review|involvement)\b/i;
const aboutIssues = ({ plain, before }: RulePassage): boolean =>
  ABOUT_ISSUES.test(plain) || /\bissues and discussions\b/i.test(before);

const IN_LOOP = /\b(?:must|has to|needs? to|should|always)\b[^.;]{0,20}\bhumans? in the loop\b/i;
const OWN_CODE =
  /\byou (?:must|should|need to|have to) (?:\w+ly )?(?:be able to )?(?:understand|explain)\b[^.;]{0,30}\b(?:code|changes?|lines?|contribution|patch|PR)\b/i;
const humanAuthor = (one: RulePassage): FoundRule | null => {
  const { plain, quote, template } = one;
  if (
    BY_HUMAN.test(plain) &&
    !aboutIssues(one) &&
    !/\b(?:reviewed|approved)\b[^.;]{0,30}\bby\b(?![^.;]{0,20}human)/i.test(plain)
  )
    return { kind: 'human_author' };
  if (NO_BOTS.test(plain)) return { kind: 'human_author' };
  if (OWN_CODE.test(plain) || IN_LOOP.test(plain)) return { kind: 'human_author' };
  if (!isAboutAi(one) || aboutIssues(one) || /\b(?:unclear|hard to tell|failure to)\b/i.test(plain))
    return null;
  const bound =
    REQUEST_WORDS.test(`${one.lead} ${plain}`) ||
    /\b(?:you are|you're|i|you take|contributor|is allowed|not allowed|cannot|can't|as long as you|provided (?:that )?you|if you)\b|^\W*(?:treat|be|review|test|understand|check|verify)\b/i.test(
      plain,
    );
  if (template && CHECKBOX_LINE.test(quote))
    return (namesModel(plain) || namesModel(one.heading)) &&
      (needsUnderstanding(plain) ||
        RESPONSIBILITY_WORDS.test(plain) ||
        READ_ALL.test(plain) ||
        /\breviewed\b[^.;]{0,30}\bby (?:a|the) (?:human|person)\b/i.test(plain))
      ? { kind: 'human_author' }
      : null;
  const says =
    AUTHOR.test(plain) ||
    READS_ALL.test(plain) ||
    (/\b(?:requir|must|need|should|expect|always)\w*\b/i.test(plain) && HUMAN_HAND.test(plain)) ||
    (REQUEST_WORDS.test(plain) && (VERIFIED.test(plain) || READ_BY.test(plain))) ||
    RELIEVES.test(plain) ||
    PERSON_STANDS.test(plain) ||
    TAKES.test(plain) ||
    UNREAD.test(plain) ||
    (REQUEST_WORDS.test(plain) && READ_ALL.test(plain)) ||
    (bound && needsUnderstanding(plain)) ||
    (SOMEBODY.test(plain) &&
      RESPONSIBILITY_WORDS.test(plain) &&
      !/\bon ?to\b[^.;]{0,20}\b(?:reviewers|maintainers)\b/i.test(plain));
  return says ? { kind: 'human_author' } : null;
};

const compactRules = (...found: (FoundRule | null)[]): FoundRule[] => found.filter((f) => f !== null);

export const aiRequirements = (one: RulePassage): FoundRule[] => {
  const labels = findBarredLabels(one);
  if (labels.length > 0) return labels;
  const trailers = trailerRules(one);
  if (trailers.length > 0)
    return compactRules(
      ...trailers,
      trailers.some((t) => t.value === 'assisted_by') ? disclosureRule(one) : null,
      TAKES.test(one.plain) ? humanAuthor(one) : null,
    );
  if (CHECKBOX_LINE.test(one.quote)) return compactRules(humanAuthor(one), disclosureRule(one));
  return compactRules(
    neverOpens(one),
    oneAtATime(one),
    vibeCoded(one),
    byAutomation(one),
    mediaOnly(one),
    findUnsupervisedLimit(one),
    humanWords(one),
    humanAuthor(one),
    disclosureRule(one),
  );
};
