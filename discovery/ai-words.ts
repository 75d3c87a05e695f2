/** Vocabulary for models and AI-made work; a model as a project's subject does not count. */

export const MODEL_WORDS = String.raw`(?:(?<=\b(?:by|using|with) (?:an? |any )?)(?:AI|LLM) models?|AI|A\.I\.|LLMs?|GPTs?(?!-[0-3]\b)|(?:gen(?:erative)?[- ]?)AI|generative (?:tools?|models?)|ChatGPT|chatbots?|Copilot|Claude|Codex|Gemini|Devin|Windsurf|agentic|(?:autonomous|agentic) coding tools?|(?:large )?language models?|artificial intelligence|(?:AI|LLM|cod(?:e|ing)|autonomous)[- ]agents?|machine[- ]learning models?|(?:AI|cod(?:e|ing)) assistants?|AI code generators?)(?![- ](?:disclosures?|attributions?)\b)(?! (?:features?|modules?|providers?|models?|integrations?|APIs?|engines?|endpoints?|keys?|SDKs?|plugins?)\b)`;
export const GENERATED_WORDS = String.raw`(?:gen|generated|assisted|written|authored|created|produced|made|driven|powered|developed|composed|built|drafted|implemented|coded)`;
export const CONTRIBUTION_WORDS = String.raw`(?:code|contributions?|prs?|pull[- ]requests?|patch(?:es)?|content|submissions?|changes?|commits?|issues?|slop|text|work|output|tools?|assistance|usage|merge requests?|material)`;

export const anyPattern = (...alternatives: string[]): RegExp => new RegExp(alternatives.join('|'), 'i');

export const AI_CONTRIBUTION = anyPattern(
  String.raw`\b${MODEL_WORDS}[- ]${GENERATED_WORDS}\b`,
  String.raw`\b${MODEL_WORDS}[- ](?:${GENERATED_WORDS}[- ])?${CONTRIBUTION_WORDS}\b`,
  String.raw`\b(?:${GENERATED_WORDS}|generat(?!ive)\w*|wrote|writ\w*|us(?:e|ed|es|ing|age))\b(?: of)?(?: \S+){0,5}? (?:by |with |using |from |via |through )?(?:\S+ ){0,3}?\b${MODEL_WORDS}\b`,
  String.raw`\b${CONTRIBUTION_WORDS}\b(?: (?:made|opened|submitted|sent|created|sourced|obtained|taken|derived|copied|coming))? (?:by|from|of|via) (?:\S+ ){0,2}?\b${MODEL_WORDS}\b`,
  String.raw`^\W*(?:(?:the )?use of )?(?:(?:any|all|any and all) )?${MODEL_WORDS}(?: tools?)?(?: (?:and|or) ${MODEL_WORDS}(?: tools?)?)? (?:is|are)\b`,
  String.raw`\b${MODEL_WORDS}(?: tools?)?(?:,[^.;,]{0,40})?,? (?:must|may|can|should|shall)(?: not|n't)? be used\b`,
  String.raw`\b(?:contributions?|code|prs?|pull[- ]requests?|patch(?:es)?|changes) (?:that|which)\b[^.;]{0,40}\b${MODEL_WORDS}\b`,
  String.raw`\b(?:help|assistance|aid|support) (?:of|from|by) (?:\S+ ){0,2}?${MODEL_WORDS}\b`,
  String.raw`\b(?:anything|everything|whatever|patch(?:es)?|code) (?:that |which )?(?:\w{1,12} )?(?:out of|from) (?:an? |any )?${MODEL_WORDS}\b`,
  String.raw`\b(?:patch(?:es)?|commits?) (?:that |which )(?:an? )?${MODEL_WORDS} (?:wrote|made|generated|produced)\b`,
  String.raw`\bmachine[- ](?:generated|written|authored)\b|\b(?:a machine|machines) (?:wrote|made|produced|generated)\b`,
  String.raw`\bvibe[- ]coded\b`,
);

const MODEL_AT_ALL = anyPattern(String.raw`\b${MODEL_WORDS}\b`);
const REALLY =
  /\bAI\b|\bA\.I\.|code (?:assistant|generator)|\bai[- ](?:generated|assisted|written|authored|created|tools?)|LLM|GPT|chatbot|copilot|claude|codex|gemini|windsurf|\bdevin\b|agentic|coding tools?|language model|artificial intelligence|machine[- ](?:generated|written|authored|learning)|\bmachines? (?:wrote|made|produced|generated)\b|\b(?:cod(?:e|ing)|autonomous)[- ]agents?\b|coding assistant|vibe[- ]coded|gen(?:erative)?[- ]?ai|generative (?:tool|model)/i;

export const namesModel = (plain: string): boolean =>
  REALLY.test(plain) && (MODEL_AT_ALL.test(plain) || AI_CONTRIBUTION.test(plain));

/** Models in quotes that say `so-called` name them all the same. */
const QUOTED_MODEL =
  /["“”'‘’]{1,2}((?:gen(?:erative)?[- ]?)?AI|LLMs?|generative AI tools?|agentic coding|vibe[- ]cod(?:ed|ing))["“”'‘’]{1,2}/gi;
export const unquoteModels = (plain: string): string =>
  plain.replace(QUOTED_MODEL, '$1').replace(/\bGenerativeAI\b/g, 'generative AI');

export const removeQuotations = (plain: string): string => plain.replace(/["“][^"”]{3,120}["”]/g, ' ');

export const CHECKBOX_LINE = /^\s*[-*+]?\s*\[[ x]?\]/i;

/** A box with one of these says of AI that it was not used, or less than that it was. */
export const DENIES =
  /\b(?:not|no|none|nothing|neither|nor|never|zero|without|hardly|barely|exclud\w*|avoid\w*|remov\w*)\b|n't\b|\bun-|\bfree (?:of|from)\b|[- ]free\b/i;

/** `AI-generated documentation`: one kind of files, when the sentence names no code. */
export const GENERATED_FILES_PATTERN = anyPattern(
  String.raw`\b${MODEL_WORDS}[- ]${GENERATED_WORDS} (?:\w+ )?(documentation|docs|tests?|translations?|examples?|benchmarks?)\b`,
);
export const BY_AGENTS =
  /\bus(?:e|ing)\b[^.;]{0,20}\b(?:agents?|bots?)\b[^.;]{0,10}\bto (?:\w+ly )?(?:open|submit|creat|fil|post)\w*\b/i;
