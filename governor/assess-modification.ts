/** A modified proposal is judged again, and never riskier than the one before (P4). */
import { denyingPolicies, type Assessment, type NotModified, type ProposalDecision } from '#model/assessment';
import type { GovernedAction } from './governed-action.ts';
import type { PolicyContext } from './policy-types.ts';
import { assessAction } from './assess-action.ts';
import { higherLevel } from './assess-risk.ts';

export type OriginalAction = { id: string; action: GovernedAction; assessment: Assessment };

const placeOf = (action: GovernedAction): readonly string[] => {
  switch (action.kind) {
    case 'push':
    case 'open_pr':
      return [action.branch, action.baseRef];
    case 'comment':
      return [action.on];
    case 'reply':
      return [action.on, action.to];
    case 'command':
      return [];
    default:
      return action satisfies never;
  }
};

/** A modification may not change the destination. */
const goesElsewhere = (before: GovernedAction, after: GovernedAction): boolean => {
  const [from, to] = [placeOf(before), placeOf(after)];
  return before.kind !== after.kind || from.some((place, i) => place !== to[i]);
};

const findModificationRefusal = (
  original: OriginalAction,
  action: GovernedAction,
  now: Assessment,
): NotModified | null => {
  if (goesElsewhere(original.action, action)) return { kind: 'goes_elsewhere' };
  const before = original.assessment.risk;
  if (now.risk !== before && higherLevel(now.risk, before) === now.risk)
    return { kind: 'raises_risk', from: before, to: now.risk };
  return now.decision === 'deny' ? { kind: 'forbidden', objections: denyingPolicies(now) } : null;
};

/** Judges the modified action from scratch: no permission or signature carries over. */
export const assessModification = (
  original: OriginalAction,
  action: GovernedAction,
  context: PolicyContext,
  { by, reason }: { by: 'policy' | 'human'; reason: string },
): { decision: ProposalDecision; assessment: Assessment } => {
  const assessment = assessAction(action, context);
  const no = findModificationRefusal(original, action, assessment);
  return no === null
    ? { decision: { kind: 'modified', by, original: original.id, reason }, assessment }
    : { decision: { kind: 'rejected', by: 'policy', why: no }, assessment };
};
