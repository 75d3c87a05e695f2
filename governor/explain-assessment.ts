/** Answers "which policy stopped this?" from a stored assessment of any policy version. */
import { objectionsOf, type Assessment, type PolicyObjections, type RiskFactor } from '#model/assessment';
import { compareVerdicts } from './combine-assessments.ts';
import type { RiskLevel } from './policy-types.ts';
import { isBuiltIn, BUILT_IN_POLICIES } from './built-in-policies.ts';

type Reason = Assessment['reasons'][number];

type Stated<R extends Reason> = R & { settings: readonly string[] };
type Objection = Stated<PolicyObjections[number]>;

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
  objections: Objection[];
  others: Stated<Reason>[];
  raised: readonly RiskFactor[];
  can: PossibleAction[];
};

const OWN = 'custom:';

const withSettings = <R extends Reason>(reason: R): Stated<R> => ({
  ...reason,
  settings: isBuiltIn(reason.policy) ? BUILT_IN_POLICIES[reason.policy].settings : [],
});

const settingsOf = (objections: readonly Objection[]): RuleSource[] => {
  const all = objections.flatMap(({ policy, settings }): RuleSource[] =>
    policy.startsWith(OWN)
      ? [{ kind: 'own_policy', name: policy.slice(OWN.length) }]
      : settings.map((name) => ({ kind: 'setting', name })),
  );
  return [...new Map(all.map((s) => [`${s.kind} ${s.name}`, s])).values()];
};

export const explainAssessment = (assessment: Assessment): AssessmentExplanation => {
  const { decision, risk, reasons, factors, policyVersion } = assessment;
  const objections = objectionsOf(assessment).sort(compareVerdicts).map(withSettings);
  const settings = settingsOf(objections.filter(({ verdict }) => verdict === decision));
  const theirs = objections.some((o) => o.policy.startsWith('repository:'));
  return {
    decision,
    risk,
    policyVersion,
    objections,
    others: reasons.filter(({ verdict }) => verdict === 'allow' || verdict === 'note').map(withSettings),
    raised: factors,
    can: [
      { kind: decision },
      ...(settings.length > 0 ? [{ kind: 'change_settings', settings } as const] : []),
      ...(theirs ? [{ kind: 'repository_file' } as const] : []),
    ],
  };
};
