/** P1: combines policies: deny, then escalate, then allow; without an explicit allow a person. */
import type { Assessment } from '../model/change-records.ts';
import type { AssessmentReason } from '../model/assessment-reasons.ts';
import { visibleCommand } from '#text-safety';
import {
  flagsOf,
  type GovernedAction,
  type Policy,
  type PolicyContext,
  type AssessedRisk,
} from './governed-action.ts';
import { higherLevel, assessRisk } from './assess-risk.ts';
import { canonicalJson } from '../model/seal.ts';

type Reason = Assessment['reasons'][number];

export const VERDICT_RANK = { allow: 0, escalate: 1, deny: 2 } as const;

export const decideByPolicies = (
  policies: readonly Policy[],
  action: GovernedAction,
  context: PolicyContext,
): Omit<Assessment, 'policyVersion'> => {
  const seen = assessRisk(action, context);
  let permitted = false;
  const reasons: Reason[] = policies.flatMap((policy) =>
    policy.evaluate(action, context, seen).map((j) => {
      if (j.verdict === 'allow') permitted = true;
      return { policy: policy.id, verdict: j.verdict === 'note' ? 'allow' : j.verdict, reason: j.reason };
    }),
  );
  // guard: P1-explicit-allow
  if (!permitted) reasons.push(...notAllowed(action, seen));
  // guard: P1-denial-first
  reasons.sort(byVerdict);
  return {
    decision: reasons[0]?.verdict ?? 'escalate',
    risk: seen.level,
    reasons,
    factors: [...seen.factors],
  };
};

const MAX_NAMED = 8;

const notAllowed = (action: GovernedAction, seen: AssessedRisk): Reason[] => {
  const why = flagsOf(seen)
    .slice(0, MAX_NAMED)
    .map((factor) => factor.reason);
  const said: AssessmentReason[] =
    why.length > 0 ? why : [{ kind: 'no_policy_allows', what: nameOf(action) }];
  return said.map((reason) => ({ policy: 'explicit-allow', verdict: 'escalate', reason }));
};

const nameOf = (action: GovernedAction): { action: GovernedAction['kind']; name: string } => {
  switch (action.kind) {
    case 'push':
    case 'open_pr':
      return { action: action.kind, name: action.branch };
    case 'comment':
    case 'reply':
      return { action: action.kind, name: action.on };
    case 'command':
      return { action: action.kind, name: visibleCommand(action.command.slice(0, 80)) };
    default:
      return action satisfies never;
  }
};

const byVerdict = (a: Reason, b: Reason): number => VERDICT_RANK[b.verdict] - VERDICT_RANK[a.verdict];

/** G6: an assessment for two actions under one signature: the stricter word of each. */
export const combineAssessments = (one: Assessment, other: Assessment): Assessment => {
  const reasons = new Map<string, Reason>();
  for (const said of [...one.reasons, ...other.reasons]) {
    const key = canonicalJson([said.policy, said.reason]);
    const known = reasons.get(key);
    if (!known || byVerdict(known, said) > 0) reasons.set(key, said);
  }
  const factors = new Map([...one.factors, ...other.factors].map((f) => [canonicalJson(f), f]));
  return {
    // guard: G6-both-decisions
    decision: VERDICT_RANK[other.decision] > VERDICT_RANK[one.decision] ? other.decision : one.decision,
    risk: higherLevel(one.risk, other.risk),
    reasons: [...reasons.values()].sort(byVerdict),
    factors: [...factors.values()],
    policyVersion: one.policyVersion,
  };
};
