/** Words that people write, a YAML file a language: see docs/translating.md. */
export { wordGroup, wordList, wordPatterns } from './word-patterns.ts';
