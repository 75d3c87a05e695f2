/** Vocabulary for models and AI-made work; a model as a project's subject does not count. */
import { wordPatterns } from '#tools/words';

const SAYS = wordPatterns('discovery/rules', 'models', [
  'aiContribution',
  'anyModel',
  'really',
  'denies',
  'generatedFiles',
  'byAgents',
]);

export const AI_CONTRIBUTION = SAYS.aiContribution;
export const GENERATED_FILES_PATTERN = SAYS.generatedFiles;
export const BY_AGENTS = SAYS.byAgents;
/** A box with one of these says of AI that it was not used, or less than that it was. */
export const DENIES = SAYS.denies;

export const namesModel = (plain: string): boolean =>
  SAYS.really.test(plain) && (SAYS.anyModel.test(plain) || SAYS.aiContribution.test(plain));

/** Models in quotes that say `so-called` name them all the same. */
const QUOTED_MODEL =
  /["“”'‘’]{1,2}((?:gen(?:erative)?[- ]?)?AI|LLMs?|generative AI tools?|agentic coding|vibe[- ]cod(?:ed|ing))["“”'‘’]{1,2}/gi;
export const unquoteModels = (plain: string): string =>
  plain.replace(QUOTED_MODEL, '$1').replace(/\bGenerativeAI\b/g, 'generative AI');

export const removeQuotations = (plain: string): string => plain.replace(/["“][^"”]{3,120}["”]/g, ' ');

export const CHECKBOX_LINE = /^\s*[-*+]?\s*\[[ x]?\]/i;
