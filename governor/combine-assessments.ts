/** Orders verdicts by strictness, and combines the assessments of two actions. */
import type { Assessment } from '#model/assessment';
import { canonicalJson } from '#model/seal';
import { higherLevel } from './assess-risk.ts';

export type PolicyVerdict = Assessment['reasons'][number];

export const VERDICT_RANK = { note: 0, allow: 1, escalate: 2, deny: 3 } as const;

export const compareVerdicts = (left: PolicyVerdict, right: PolicyVerdict): number =>
  VERDICT_RANK[right.verdict] - VERDICT_RANK[left.verdict];

/** G6: an assessment for two actions under one signature: the stricter word of each. */
export const combineAssessments = (one: Assessment, other: Assessment): Assessment => {
  const reasons = new Map<string, PolicyVerdict>();
  for (const said of [...one.reasons, ...other.reasons]) {
    const key = canonicalJson([said.policy, said.reason]);
    const known = reasons.get(key);
    if (!known || compareVerdicts(known, said) > 0) reasons.set(key, said);
  }
  const factors = new Map([...one.factors, ...other.factors].map((f) => [canonicalJson(f), f]));
  return {
    // guard: G6-both-decisions
    decision: VERDICT_RANK[other.decision] > VERDICT_RANK[one.decision] ? other.decision : one.decision,
    risk: higherLevel(one.risk, other.risk),
    reasons: [...reasons.values()].sort(compareVerdicts),
    factors: [...factors.values()],
    policyVersion: one.policyVersion,
  };
};
