/** Sentences of what the core tells as data, for prompts and whoever else reads English. */
import type { Feedback } from '../core/feedback.ts';
import type { Finding } from '../core/finding-records.ts';
import type { PolicyJudgement } from '../core/judgements.ts';
import type { Reason } from '../core/machine/reasons.ts';
import type { Refusal } from '../core/machine/refusals.ts';

export type EnglishWording = {
  reason(reason: Reason): string;
  refusal(refusal: Refusal): string;
  /** Why a policy, the risk or a grade judges as it does. */
  judgement(judgement: PolicyJudgement): string;
  /** Of something that was found or left out all but where it is. */
  findingNote(finding: Pick<Finding, 'note' | 'more'>): string;
  /** What a remark is answered whose fix is public. */
  fixedIn(sha: string): string;
  /** One text of all of it. */
  feedback(told: readonly Feedback[]): string;
};
