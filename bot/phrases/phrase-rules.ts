/**
 * C4: what a language's free text is recognised by. Every pattern is tried on text that was
 * lowered, straightened and freed of politeness.
 */

/** Only shows something, of the fleet or of one run. */
export type ReadIntent =
  | 'status'
  | 'pending'
  | 'runs'
  | 'help'
  | 'detail'
  | 'diff'
  | 'log'
  | 'plan'
  | 'budget'
  | 'settings'
  | 'users'
  | 'report'
  | 'campaign';
/** Changes a run. */
export type ChangeIntent = 'retry' | 'resume' | 'pause' | 'cancel' | 'skip' | 'update' | 'deny' | 'done';
/** Needs more than was said: how it is written is shown. */
export type FormIntent = 'new' | 'batch';
/**
 * What somebody wants; `approve` leads to a card, `merge` is what nobody but a person on the code
 * host does.
 */
export type PhraseIntent = ReadIntent | ChangeIntent | FormIntent | 'fix' | 'approve' | 'merge';
/** A button offers an intent, or one of the languages. */
export type OfferedIntent = PhraseIntent | 'en' | 'zh';
export type PhraseRule = readonly [PhraseIntent, RegExp];

export type LanguagePhrases = {
  /** Said around a request without changing what it means; taken away. */
  politeness: RegExp;
  /**
   * Anywhere: a condition, another time, a report of what others said, something that is not ours
   * to do.
   */
  never: readonly RegExp[];
  /** In its clause: a no, a question whether, something that was done before. */
  not: readonly RegExp[];
  /**
   * Anywhere: a no, a doubt or a question in any form. Nothing that changes something is guessed
   * from such words.
   */
  doubt: RegExp;
  /** Where one clause ends and the next begins. */
  between: RegExp;
  /** Whatever may be asked to be done, wherever it is said. */
  actions: RegExp;
  /** Says nothing. */
  filler: RegExp;
  /** Asks for something to be done, at the head of the phrase. */
  orders: readonly PhraseRule[];
  /** Asks to be shown something, at the head of the phrase; and wherever it is said. */
  asks: readonly PhraseRule[];
  mentions: readonly PhraseRule[];
  /** What a goal begins with; and what stands between it and its repository, before and after. */
  goal: RegExp;
  lead: RegExp;
  tail: RegExp;
  /** Words for an agent: `words` is a named group. */
  tells: readonly RegExp[];
  /** As the answer to a card or to a call, and nothing else in it. */
  yes: RegExp;
  no: RegExp;
  /** Nothing but a greeting. */
  greeting: RegExp;
  /** Of the answer to something: says how it ought to be. */
  should: RegExp;
  /** Of the answer to what waits for a decision: asks to be shown something, and is no wish. */
  shows: RegExp;
  /** Of the answer to something: asks, in place of wishing. */
  question: RegExp;
  which: {
    all: RegExp;
    failed: RegExp;
    paused: RegExp;
    queued: RegExp;
    checked: RegExp;
    /** Waits for a decision. */
    decided: RegExp;
    /** Its number in the list, in one of two named groups; or one of the words for 1, 2, 3 … */
    number: RegExp;
    ordinals: readonly RegExp[];
    last: RegExp;
  };
  /** Which language of the bot is named. */
  languages: { en: RegExp; zh: RegExp };
  /** Characters that are written in another way as well. */
  variants: Readonly<Record<string, string>>;
  /** Words that misspelt ones are taken for. */
  vocabulary: readonly string[];
};
