/** Renders data of the core as English sentences, for prompts and for people. */
import type { Feedback } from '../core/feedback.ts';
import type { Finding } from '../core/finding-records.ts';
import type { PolicyJudgement } from '../core/judgements.ts';
import type { Reason } from '../core/machine/reasons.ts';
import type { Refusal } from '../core/machine/refusals.ts';

export type EnglishWording = {
  reason(reason: Reason): string;
  refusal(refusal: Refusal): string;
  judgement(judgement: PolicyJudgement): string;
  findingNote(finding: Pick<Finding, 'note' | 'more'>): string;
  /** Reply to a review comment whose fix is public. */
  fixedIn(sha: string): string;
  /** `lines`: what stands there in place of the suggested ones; empty when unknown. */
  fixedOtherwise(sha: string, lines: readonly string[]): string;
  ownWords: string;
  feedback(told: readonly Feedback[]): string;
};
