/** Sentences in every language that the bot speaks. */
export { TYPED_COMMANDS } from './command-forms.ts';
export type { PolicyDescription } from './compose-policies.ts';
export { CAMPAIGN_CLOSING_NOTE, ENGLISH_WORDING, UNDO_WORDS } from './english-wording.ts';
export { type HostFinding, type MissingRight, sayFindings } from './host-finding.ts';
export {
  LANGUAGE_TEXTS,
  type LanguageCode,
  type LanguageTexts,
  type WordsFor,
  createWordsFor,
  enTexts,
} from './languages.ts';
export { loadCommandLineSentences, loadSentences } from './load-sentences.ts';
