/** Defines a language's grammar patterns, for lower-cased text without politeness (C4). */
import type { TextTest } from './consists-of-words.ts';

const READ_INTENTS = [
  'status',
  'pending',
  'runs',
  'help',
  'detail',
  'diff',
  'log',
  'plan',
  'budget',
  'settings',
  'users',
  'report',
  'insights',
  'campaign',
] as const;
export type ReadIntent = (typeof READ_INTENTS)[number];
const CHANGE_INTENTS = ['retry', 'resume', 'pause', 'cancel', 'skip', 'update', 'deny', 'done'] as const;
export type ChangeIntent = (typeof CHANGE_INTENTS)[number];
/**
 * `new` and `batch` are answered with the command's syntax, because free text lacks parameters;
 * `approve` shows a card; `merge` explains that people merge on the code host.
 */
export const PHRASE_INTENTS = [
  ...READ_INTENTS,
  ...CHANGE_INTENTS,
  'new',
  'batch',
  'fix',
  'approve',
  'merge',
] as const;
export type PhraseIntent = (typeof PHRASE_INTENTS)[number];
export type OfferedIntent = PhraseIntent | 'en' | 'zh';
export type PhraseRule = readonly [PhraseIntent, RegExp];

export type LanguagePhrases = {
  politeness: RegExp;
  /** Matches anywhere, and rejects the text: reported speech, a thing of another kind. */
  never: RegExp;
  later: RegExp;
  /** Negates its clause: a no, an open question, or something already done. */
  not: RegExp;
  /** Matches any negation, doubt or question. No change is guessed from such text. */
  doubt: RegExp;
  between: RegExp;
  alone: RegExp;
  spares: RegExp;
  but: RegExp;
  /** The words after an order which mean a run, with names as `maskNames` gives them. */
  object: RegExp;
  stop: RegExp;
  unwanted: RegExp;
  actions: RegExp;
  filler: RegExp;
  content: RegExp;
  orders: readonly PhraseRule[];
  /** `asks` match at the start of a phrase, `mentions` anywhere. */
  asks: readonly PhraseRule[];
  mentions: readonly PhraseRule[];
  /** Start of a goal; `lead` and `tail` connect it with its repository. */
  goal: RegExp;
  /** Start of a goal that does not begin with its verb. */
  topic: RegExp;
  lead: RegExp;
  tail: RegExp;
  tells: readonly RegExp[];
  /** Words for an agent, as part of whom somebody tells something. */
  agent: RegExp;
  /** Says that an order is one, whatever works already. */
  newRun: RegExp;
  /** Match a whole reply to a card or a call. */
  yes: TextTest;
  no: TextTest;
  greeting: RegExp;
  should: RegExp;
  /** Marks a reply to a card as a read-only request. */
  shows: RegExp;
  question: RegExp;
  which: {
    all: RegExp;
    others: RegExp;
    failed: RegExp;
    paused: RegExp;
    queued: RegExp;
    checked: RegExp;
    decided: RegExp;
    /** List position in one of two named groups; `ordinals` are the words for 1, 2, 3 … */
    number: RegExp;
    ordinals: readonly RegExp[];
    last: RegExp;
  };
  languages: { en: RegExp; zh: RegExp };
  variants: Readonly<Record<string, string>>;
  vocabulary: readonly string[];
  /** Gives words that were mistyped in a known way as they were meant; the text is lower-case. */
  repairSlips: (said: string) => string;
};
