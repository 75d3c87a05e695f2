/**
 * One sentence as readers of rules get it, with what stands around it, and what they find in it.
 */
import type { RuleKind } from '../rule.ts';
import type { Sentence } from './sentences.ts';

export type Passage = Sentence & {
  path: string;
  /** The sentences right before and after it in the same section, at most two each. */
  before: string;
  after: string;
  /** A template of pull requests; a file for coding agents; a policy on AI by its name. */
  template: boolean;
  forAgents: boolean;
  aboutAi: boolean;
};

export type Found = { kind: RuleKind; value?: string };
export type Reader = (one: Passage) => Found[];

/** Asks for something: a duty, an order, a wish of maintainers. */
export const ASKS =
  /\b(?:must|should|shall|have to|has to|need(?:s|ed)? (?:you )?to|required?|requires?|please|always|make sure|ensure|expect(?:ed)?|never|do not|don't|we (?:ask|prefer|use|follow|want|encourage|recommend)|recommended|mandatory|only)\b/i;
/** An order without a subject: `Open an issue …`, `- Add an entry …`. */
export const orders = (plain: string, verbs: string): boolean =>
  new RegExp(
    String.raw`^(?:\W|\d|\[[ x]?\]|(?:then|please|also|finally|first|next|always|and|or|if \w+(?: \w+){0,6}|for [\w -]{3,40}|i(?:'ve| have)|you (?:should|must|need to|have to)|remember to|make sure (?:to|you)|ensure(?: that)?(?: you)?)\b,?)*\s*(?:${verbs})\b`,
    'i',
  ).test(plain);
