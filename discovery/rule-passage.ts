/** A sentence with its surroundings, as readers of rules get it, and what they return. */
import type { ContributionRule, RuleKind } from '#model/contract';
import type { RuleSentence } from './split-sentences.ts';

/** The repository's own place: its host is no other place, and its name means it. */
export type OwnAddress = { host?: string | undefined; repo?: string | undefined };

export type RulePassage = RuleSentence & {
  path: string;
  own: OwnAddress;
  /** Neighbouring sentences of the same section, at most two on each side. */
  before: string;
  after: string;
  /** What its own paragraph says before it. */
  earlier?: string;
  template: boolean;
  forAgents: boolean;
  aboutAi: boolean;
};

export type FoundRule = { kind: RuleKind; value?: string; appliesTo?: ContributionRule['appliesTo'] };
export type RuleReader = (one: RulePassage) => FoundRule[];

export const REQUEST_WORDS =
  /\b(?:must|should|shall|have to|has to|need(?:s|ed)? (?:you )?to|required?|requires?|please|always|make sure|ensure|expect(?:ed)?|never|do not|don't|we (?:ask|prefer|use|follow|want|encourage|recommend)|recommended|mandatory|only)\b/i;
const LEAD_IN = String.raw`(?:\[x\]|(?:then|please|also|finally|first|next|always|and|or|if \w+(?: \w+){0,6}|for [\w -]{3,40}|i(?:'ve| have)|you (?:should|must|need to|have to)|remember to|make sure (?:to|you)|ensure(?: that)?(?: you)?)\b)[\W\d]*`;
/** An order without a subject: `Open an issue …`, `- Add an entry …`. */
export const isInstructionSentence = (plain: string, verbs: string): boolean =>
  // Written out: a group of words that may repeat without end would be tried in every way.
  new RegExp(String.raw`^[\W\d]*(?:${LEAD_IN}(?:${LEAD_IN}(?:${LEAD_IN})?)?)?(?:${verbs})\b`, 'i').test(
    plain,
  );
