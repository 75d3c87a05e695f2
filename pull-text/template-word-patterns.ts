/** Words that mean the same wherever they stand in a template or a sentence, in all languages. */
import { wordPatterns } from '#tools/words';

export const SIGNS = wordPatterns('pull-text/words', 'signs', [
  'optional',
  'personalElsewhere',
  'usedAi',
  'moreOfAi',
  'testedHere',
  'experience',
  'beyond',
]);
