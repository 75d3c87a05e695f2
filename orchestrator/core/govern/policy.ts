/** P1: puts policies together: deny over escalate over allow, an explicit allow or a person, and every reason named. */
import type { Assessment } from '../facts.ts';
import type { Action, PolicyContext, Policy } from './action.ts';
import { risk } from './risk.ts';

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
  reasons.sort((a, b) => RANK[b.verdict] - RANK[a.verdict]);
  return {
    decision: reasons[0]?.verdict ?? 'escalate',
    risk: seen.level,
    reasons,
    factors: [...seen.factors],
  };
};
