/** Answers "which policy stopped this?" from a stored assessment of any policy version. */
import type { Assessment, RiskFactor } from '../model/change-records.ts';
import type { RiskLevel } from './policy-types.ts';
import { isBuiltIn, BUILT_IN_POLICIES } from './built-in-policies.ts';

type Reason = Assessment['reasons'][number];

type PolicyStatement = Reason & { settings: readonly string[] };

/** `settings` are those that would change the decision. */
type PossibleAction =
  | { kind: Assessment['decision'] }
  | { kind: 'change_settings'; settings: readonly RuleSource[] }
  /** Required by the repository's own `.agentpr.json`. */
  | { kind: 'repository_file' };
type RuleSource = { kind: 'setting' | 'own_policy'; name: string };

export type AssessmentExplanation = {
  decision: Assessment['decision'];
  risk: RiskLevel;
  policyVersion: string;
  objections: PolicyStatement[];
  others: PolicyStatement[];
  raised: readonly RiskFactor[];
  can: PossibleAction[];
};

const OWN = 'custom:';

const told = (reason: Reason): PolicyStatement => ({
  ...reason,
  settings: isBuiltIn(reason.policy) ? BUILT_IN_POLICIES[reason.policy].settings : [],
});

const settingsOf = (objections: readonly PolicyStatement[]): RuleSource[] => {
  const all = objections.flatMap(({ policy, settings }): RuleSource[] =>
    policy.startsWith(OWN)
      ? [{ kind: 'own_policy', name: policy.slice(OWN.length) }]
      : settings.map((name) => ({ kind: 'setting', name })),
  );
  return [...new Map(all.map((s) => [`${s.kind} ${s.name}`, s])).values()];
};

export const explainAssessment = ({
  decision,
  risk,
  reasons,
  factors,
  policyVersion,
}: Assessment): AssessmentExplanation => {
  const spoke = reasons.map(told);
  const with_ = (verdict: Reason['verdict']): PolicyStatement[] => spoke.filter((r) => r.verdict === verdict);
  const objections = [...with_('deny'), ...with_('escalate')];
  const settings = decision === 'allow' ? [] : settingsOf(with_(decision));
  const theirs = objections.some((o) => o.policy.startsWith('repository:'));
  return {
    decision,
    risk,
    policyVersion,
    objections,
    others: with_('allow'),
    raised: factors,
    can: [
      { kind: decision },
      ...(settings.length > 0 ? [{ kind: 'change_settings', settings } as const] : []),
      ...(theirs ? [{ kind: 'repository_file' } as const] : []),
    ],
  };
};
