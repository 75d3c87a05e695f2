/**
 * P1: puts policies together: deny over escalate over allow, an explicit allow or a person, and
 * every reason named.
 */
import type { Assessment } from '../facts.ts';
import type { Action, PolicyContext, Policy } from './action.ts';
import { higher, risk } from './risk.ts';
import { canonical } from '../seal.ts';

type Reason = Assessment['reasons'][number];

export const RANK = { allow: 0, escalate: 1, deny: 2 } as const;

export const decide = (
  policies: readonly Policy[],
  action: Action,
  context: PolicyContext,
): Omit<Assessment, 'policyVersion'> => {
  const seen = risk(action, context);
  let permitted = false;
  const reasons: Reason[] = policies.flatMap((policy) =>
    policy.judge(action, context, seen).map((j) => {
      if (j.verdict === 'allow') permitted = true;
      return { policy: policy.id, verdict: j.verdict === 'note' ? 'allow' : j.verdict, reason: j.reason };
    }),
  );
  // guard: P1-explicit-allow
  if (!permitted) {
    reasons.push({
      policy: 'explicit-allow',
      verdict: 'escalate',
      reason: { kind: 'no_policy_allows' },
    });
  }
  // guard: P1-denial-first
  reasons.sort(byVerdict);
  return {
    decision: reasons[0]?.verdict ?? 'escalate',
    risk: seen.level,
    reasons,
    factors: [...seen.factors],
  };
};

const byVerdict = (a: Reason, b: Reason): number => RANK[b.verdict] - RANK[a.verdict];

/** G6: of two actions that one signature is for: the harder word of each, and every reason once. */
export const both = (one: Assessment, other: Assessment): Assessment => {
  const reasons = new Map<string, Reason>();
  for (const said of [...one.reasons, ...other.reasons]) {
    const key = canonical([said.policy, said.reason]);
    const known = reasons.get(key);
    if (!known || byVerdict(known, said) > 0) reasons.set(key, said);
  }
  const factors = new Map([...one.factors, ...other.factors].map((f) => [canonical(f), f]));
  return {
    // guard: G6-both-decisions
    decision: RANK[other.decision] > RANK[one.decision] ? other.decision : one.decision,
    risk: higher(one.risk, other.risk),
    reasons: [...reasons.values()].sort(byVerdict),
    factors: [...factors.values()],
    policyVersion: one.policyVersion,
  };
};
