/** What a sentence says about changes made by agents: a ban, a duty to tell, or something only a person can judge. */
import { refusalAbroad } from './ai-languages.ts';

const MODEL = String.raw`(?:AI|A\.I\.|LLMs?|GPTs?|(?:gen(?:erative)?[- ]?)AI|generative (?:tools?|models?)|ChatGPT|chatbots?|Copilot|Claude|Codex|Gemini|Devin|Windsurf|agentic|(?:large )?language models?|artificial intelligence|(?:AI|LLM|coding|autonomous)[- ]agents?|machine[- ]learning models?|(?:AI|coding) assistants?)(?! (?:features?|modules?|providers?|models?|integrations?|APIs?|engines?|endpoints?|keys?|SDKs?|plugins?)\b)`;
const MADE = String.raw`(?:gen|generated|assisted|written|authored|created|produced|made|driven|powered|developed|composed|built|drafted)`;
const THING = String.raw`(?:code|contributions?|prs?|pull[- ]requests?|patch(?:es)?|content|submissions?|changes?|commits?|issues?|slop|text|work|output|tools?|assistance|usage|merge requests?|material)`;

const joined = (...alternatives: string[]): RegExp => new RegExp(alternatives.join('|'), 'i');

/** Names changes made by, or the use of, such a model; a model as a subject of the project does not count. */
const ABOUT = joined(
  String.raw`\b${MODEL}[- ]${MADE}\b`,
  String.raw`\b${MODEL}[- ](?:${MADE}[- ])?${THING}\b`,
  String.raw`\b(?:${MADE}|generat\w*|writ\w*|us(?:e|ed|es|ing|age))\b(?: of)?(?: \S+){0,5}? (?:by |with |using |from |via |through )?(?:\S+ ){0,3}?\b${MODEL}\b`,
  String.raw`\b${THING}\b(?: (?:made|opened|submitted|sent|created))? (?:by|from|of|via) (?:\S+ ){0,2}?\b${MODEL}\b`,
  String.raw`^\W*(?:the use of )?${MODEL}(?: tools?)? (?:is|are)\b`,
  String.raw`\bmachine[- ]generated\b`,
  String.raw`\bvibe[- ]coded\b`,
);

const NOT = String.raw`(?:not|n't|never|no longer)`;
const BANS = joined(
  String.raw`\b(?:is|are|be|will|were)\b ?(?:\w+ )??${NOT} (?:be )?(?:\w+ly )?(?:accept(?:ed|able)?|allowed|permitted|tolerated|welcome|wanted|merged|considered|desired)\b`,
  String.raw`\b(?:aren't|isn't|won't be) (?:accept(?:ed|able)|allowed|permitted|tolerated|welcome|wanted|merged|considered)\b`,
  String.raw`\b(?:we|projects?|maintainers?|team|repository|repo|i|and|currently)\b[^.;]{0,40}?\b(?:(?:do|does|will|can|shall) not|cannot|can't|don't|doesn't|won't|no longer)(?: \w+ly)? (?:accept|allow|permit|want|merge|tolerate|welcome|take|consider|review)\b`,
  String.raw`(?<!\b(?:not|n't|never) )\b(?:prohibit(?:ed|s)?|forbidden|forbids?|bann?(?:ed|s)?|disallow(?:ed|s)?|unwelcome|unacceptable)\b`,
  String.raw`\b(?:cannot|can't|(?:can|may|must|shall|should) not) be (?:\w+ )?(?:merged|accepted|used|included|contributed|submitted|taken|considered)\b`,
  String.raw`\bwill(?: \w+ly)? be (?:\w+ly )?(?:closed|rejected|declined|refused|banned|removed|deleted|ignored|reverted)\b`,
  String.raw`\b(?:are|is|get|gets) (?:\w+ly )?(?:closed|rejected|declined|refused)\b`,
  String.raw`\b(?:do not|don't|never|(?:must|should|may|can|shall) not|mustn't|shouldn't|cannot|refrain from|avoid|stop)(?: (?:please|ever|be|to))? (?:submit|us|open|send|contribut|post|creat|generat|contain|includ|rely|employ|writ|fil|mak)\w*`,
  String.raw`\b(?:no|zero) (?:\w+ ){0,2}${MODEL}\b(?! (?:\w+ ){0,2}(?:is|are|was) (?:needed|required|necessary))`,
  String.raw`\bzero[- ]tolerance\b`,
  String.raw`\b(?:reject|decline|refuse)s? (?:all |any )?`,
  String.raw`\bmust be (?:\w+ )?(?:written|authored|made|created) (?:\w+ )?by (?:a )?(?:humans?|people|persons?)\b`,
);
/** Bans in words of their own. */
const NO_AI =
  /\b(?:no[- ]AI|anti[- ]AI|AI[- ]free)\b (?:\w+ )?(?:polic(?:y|ies)|projects?|zones?|rules?|codebases?|repositor(?:y|ies)|repos?)\b/i;
const BY_PEOPLE = joined(
  String.raw`\b(?:only|exclusively)\b[^.;]{0,60}\b(?:human[- ](?:written|authored|made)|(?:written|authored|made|created) by (?:a )?(?:humans?|people|persons?))\b`,
  String.raw`\bhuman[- ](?:written|authored|made)\b[^.;]{0,40}\bonly\b`,
);
/** Sounds like no, whatever it is that is refused; and bots that do what people do. */
const NEGATIVE =
  /\b(?:not|no|never|none|neither|nor|without|cannot|refus\w*|reject\w*|declin\w*|clos(?:e|es|ed|ing)|ban(?:s|ned)?|block(?:s|ed)?|delet\w*|discard\w*|ignor\w*|forbid\w*|prohibit\w*|disallow\w*|unwelcome|spam|slop)\b|n't\b|\/dev\/null/i;
const CONTRIBUTES =
  /\b(?:contribut\w*|pull[- ]?requests?|prs?|patch(?:es)?|merge requests?|submi\w*|commits?|generat\w*|written|wrote)\b/i;
const BY_NETWORKS = /\b(?:generated|written|produced|created)\b[^.;]{0,40}\bneural net/i;
const BOTS =
  /\b(?:bots?|automated (?:tools?|accounts?|agents?))\b[^.;]{0,40}(?:\b(?:not|never|no)\b|n't\b)[^.;]{0,40}\b(?:contribut\w*|pull[- ]?requests?|prs?|submit|patch(?:es)?)\b/i;
/** A ban on the careless or the undisclosed is not a ban on everybody; one without a word about it is. */
const CURTLY =
  /\bwithout (?:(?:any|further|prior) )*(?:comments?|review|notice|warnings?|discussions?|explanations?|questions?|asking)\b/gi;
const CONDITIONAL =
  /\b(?:unless|without|if|when|except|until|unreviewed|undisclosed|unverified|untested|low[- ](?:quality|effort)|blindly|you (?:do not|don't|have not|haven't|cannot|can't)|(?:must|should) be (?:disclosed|labell?ed|marked|reviewed)|alone|only (?:if|when)|more than (?:\w+ )?\w+|at (?:a|the same) time|per (?:day|week|month))\b/i;
/** Says yes to something in the same breath, so that a person has to read what exactly is refused. */
const WELCOMES =
  /\b(?:is|are)(?! not\b|n't) (?:(?!not\b|no\b)\w+ )?(?:welcome|allowed|fine|ok(?:ay)?|encouraged|permitted|acceptable|accepted)\b/i;
const NONE = joined(String.raw`\b(?:no|zero|neither|none)\b (?:\S+ ){0,2}?${MODEL}`);
const DISCLOSE =
  /\b(?:disclos\w*|declar\w*|acknowledg\w*|labell?(?:ed|ing)?|transparen\w*|tell us|let us know|stat(?:e|ed)|indicat\w*|mention(?:ed)?|mark(?:ed)?|note(?:d)?|credit\w*|attribut\w*|tag(?:ged)?)\b/i;
const MODEL_AT_ALL = joined(String.raw`\b${MODEL}\b`);
/** "AI" is a word in capitals; in small letters it must be part of a compound. */
const REALLY =
  /\bAI\b|\bA\.I\.|\bai[- ](?:generated|assisted|written|authored|created|tools?)|LLM|GPT|chatbot|copilot|claude|codex|gemini|windsurf|\bdevin\b|agentic|language model|artificial intelligence|machine[- ](?:generated|learning)|\b(?:coding|autonomous)[- ]agents?\b|coding assistant|vibe[- ]coded|gen(?:erative)?[- ]?ai|generative (?:tool|model)/i;

const BOX = /^\s*[-*+]?\s*\[[ x]?\]/i;

type Said = 'ai_ban' | 'ai_disclosure' | 'other' | null;

/** English, where it names a model. */
const inEnglish = (plain: string, quote: string): Said => {
  if (!REALLY.test(plain) || (!MODEL_AT_ALL.test(plain) && !ABOUT.test(plain))) return null;
  const about =
    ABOUT.test(plain) || new RegExp(String.raw`^no ${MODEL}\b|\bno ${MODEL}[- ]`, 'i').test(plain);
  // Behind a check box stands a statement that somebody has to make.
  if (BOX.test(quote)) {
    const denies = about && /\b(?:not|no|without|n't|free of)\b/i.test(plain);
    return denies ? 'other' : about && DISCLOSE.test(plain) ? 'ai_disclosure' : null;
  }
  const bans = about && BANS.test(plain);
  const outright =
    !CONDITIONAL.test(plain.replace(CURTLY, '')) && (!WELCOMES.test(plain) || NONE.test(plain));
  if (bans && outright) return 'ai_ban';
  if (
    DISCLOSE.test(plain) &&
    /\b(?:us(?:e|ed|ing|age)|generated|assist\w*|help|written|involv\w*|contribut\w*|tools?)\b/i.test(plain)
  )
    return 'ai_disclosure';
  return bans ? 'other' : null;
};

/** What may be a refusal in words that are not known here: a person reads it before anything is public. */
const inDoubt = (plain: string): Said =>
  BOTS.test(plain) ||
  (BY_NETWORKS.test(plain) && NEGATIVE.test(plain)) ||
  (REALLY.test(plain) && CONTRIBUTES.test(plain) && NEGATIVE.test(plain) && !WELCOMES.test(plain))
    ? 'other'
    : null;

/** `forAgents`: the file is written for agents, which speaks of them in every sentence. */
export const aiRule = (plain: string, quote: string, forAgents = false): Said => {
  const boxed = BOX.test(quote);
  const refused =
    NO_AI.test(plain) || (BY_PEOPLE.test(plain) && new RegExp(String.raw`\b${THING}\b`, 'i').test(plain));
  if (!boxed && refused && !CONDITIONAL.test(plain)) return 'ai_ban';
  const english = inEnglish(plain, quote);
  if (english !== null || boxed) return english;
  const abroad = refusalAbroad(plain);
  if (abroad !== null) return abroad === 'outright' ? 'ai_ban' : 'other';
  return forAgents ? null : inDoubt(plain);
};
