/** Renders data of the core as English sentences, for prompts and for people. */
import type { Feedback } from '#model/feedback';
import type { Finding } from '#model/change';
import type { AssessmentReason } from '#model/assessment';
import type { Reason } from '../../run/reasons.ts';
import type { Refusal } from '../../run/refusals.ts';

export type EnglishWording = {
  reason(reason: Reason): string;
  refusal(refusal: Refusal): string;
  judgement(judgement: AssessmentReason): string;
  findingNote(finding: Pick<Finding, 'note' | 'more'>): string;
  /** Reply to a review comment whose fix is public. */
  fixedIn(sha: string): string;
  /** `lines`: what stands there in place of the suggested ones; empty when unknown. */
  fixedOtherwise(sha: string, lines: readonly string[]): string;
  ownWords: string;
  feedback(told: readonly Feedback[]): string;
};
