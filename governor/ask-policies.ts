/** Asks every policy about an action: deny, then escalate, then allow; without an explicit allow a person (P1). */
import type { Assessment, AssessmentReason } from '#model/assessment';
import { visibleCommand } from '#text-safety';
import { assessRisk } from './assess-risk.ts';
import { compareVerdicts, type PolicyVerdict } from './combine-assessments.ts';
import type { GovernedAction } from './governed-action.ts';
import { selectRaisedFactors } from './policies/evidence-policies.ts';
import type { Policy, PolicyContext, PolicyOpinion, AssessedRisk } from './policy-types.ts';

export const opinionsOf = (
  { asks }: Pick<Policy, 'asks'>,
  action: GovernedAction,
  context: PolicyContext,
  risk: AssessedRisk,
): PolicyOpinion[] => asks.flatMap((ask) => ask(action, context, risk));

export const askPolicies = (
  policies: readonly Policy[],
  action: GovernedAction,
  context: PolicyContext,
): Omit<Assessment, 'policyVersion'> => {
  const seen = assessRisk(action, context);
  const reasons: PolicyVerdict[] = policies.flatMap((policy) =>
    opinionsOf(policy, action, context, seen).map((opinion) => ({ policy: policy.id, ...opinion })),
  );
  // guard: P1-explicit-allow
  if (!reasons.some(({ verdict }) => verdict === 'allow')) reasons.push(...notAllowed(action, seen));
  // guard: P1-denial-first
  reasons.sort(compareVerdicts);
  const strictest = reasons[0]?.verdict ?? 'note';
  return {
    decision: strictest === 'note' ? 'escalate' : strictest,
    risk: seen.level,
    reasons,
    factors: [...seen.factors],
  };
};

const MAX_NAMED = 8;

const notAllowed = (action: GovernedAction, seen: AssessedRisk): PolicyVerdict[] => {
  const why = selectRaisedFactors(seen)
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
