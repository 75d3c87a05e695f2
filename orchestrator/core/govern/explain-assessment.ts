/**
 * Answers “which policy stopped this?” from an assessment as it is stored, whatever version of the
 * policies made it.
 */
import type { Assessment } from '../change-facts.ts';
import type { RiskFactor, RiskLevel } from './governed-action.ts';
import { isBuiltIn, BUILT_IN_POLICIES } from './built-in-policies.ts';

type Reason = Assessment['reasons'][number];

/** One policy that spoke, and the settings that change it. */
export type PolicyStatement = Reason & { settings: readonly string[] };

/** What a person can do about it. `settings` are those that would change what was decided. */
export type PossibleAction =
  | { kind: Assessment['decision'] }
  | { kind: 'change_settings'; settings: readonly RuleSource[] }
  /** The repository asks for it, in the file that it keeps for us. */
  | { kind: 'repository_file' };
/** A setting by its name, or one of the operator's own policies by its id. */
export type RuleSource = { kind: 'setting' | 'own_policy'; name: string };

export type AssessmentExplanation = {
  decision: Assessment['decision'];
  risk: RiskLevel;
  policyVersion: string;
  /** The strongest first. */
  objections: PolicyStatement[];
  /** Policies that allowed, or only noted something. */
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
