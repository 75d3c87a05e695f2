/** Vocabulary for models and AI-made work; a model as a project's subject does not count. */
import { wordPatterns } from '#tools/words';

const MODEL_WORDS = wordPatterns('discovery/rules', 'models', [
  'aiContribution',
  'anyModel',
  'really',
  'denies',
  'generatedFiles',
  'byAgents',
]);

export const AI_CONTRIBUTION = MODEL_WORDS.aiContribution;
export const GENERATED_FILES_PATTERN = MODEL_WORDS.generatedFiles;
export const BY_AGENTS = MODEL_WORDS.byAgents;
/** A box with one of these says of AI that it was not used, or less than that it was. */
export const DENIES = MODEL_WORDS.denies;

export const namesModel = (plain: string): boolean =>
  MODEL_WORDS.really.test(plain) &&
  (MODEL_WORDS.anyModel.test(plain) || MODEL_WORDS.aiContribution.test(plain));

/** Models in quotes that say `so-called` name them all the same. */
const QUOTED_MODEL =
  /["“”'‘’]{1,2}((?:gen(?:erative)?[- ]?)?AI|LLMs?|generative AI tools?|agentic coding|vibe[- ]?cod(?:ed|ing))["“”'‘’]{1,2}/gi;
export const unquoteModels = (plain: string): string =>
  plain.replace(QUOTED_MODEL, '$1').replace(/\bGenerativeAI\b/g, 'generative AI');

export const removeQuotations = (plain: string): string => plain.replace(/["“][^"”]{3,120}["”]/g, ' ');

export const CHECKBOX_LINE = /^\s*[-*+]?\s*\[[ x]?\]/i;
