/** Words that people write, a YAML file a language: see docs/translating.md. */
export { wordGroup, wordLanguages, wordList, wordPatterns, wordRules } from './word-patterns.ts';
export type { WordRule } from '../read-words.ts';
