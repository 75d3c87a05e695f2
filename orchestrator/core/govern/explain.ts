/**
 * Answers “which policy stopped this?” from an assessment as it is stored, whatever version of the
 * policies made it.
 */
import type { Assessment } from '../facts.ts';
import type { Factor, Level } from './action.ts';
import { isBuiltIn, POLICIES } from './catalogue.ts';

type Reason = Assessment['reasons'][number];

/** One policy that spoke, and the settings that change it. */
export type Told = Reason & { settings: readonly string[] };

/** What a person can do about it. `settings` are those that would change what was decided. */
export type Can =
  | { kind: Assessment['decision'] }
  | { kind: 'change_settings'; settings: readonly RuleSource[] }
  /** The repository asks for it, in the file that it keeps for us. */
  | { kind: 'repository_file' };
/** A setting by its name, or one of the operator's own policies by its id. */
export type RuleSource = { kind: 'setting' | 'own_policy'; name: string };

export type Explanation = {
  decision: Assessment['decision'];
  risk: Level;
  policyVersion: string;
  /** The strongest first. */
  objections: Told[];
  /** Policies that allowed, or only noted something. */
  others: Told[];
  raised: readonly Factor[];
  can: Can[];
};

const OWN = 'custom:';

const told = (reason: Reason): Told => ({
  ...reason,
  settings: isBuiltIn(reason.policy) ? POLICIES[reason.policy].settings : [],
});

const settingsOf = (objections: readonly Told[]): RuleSource[] => {
  const all = objections.flatMap(({ policy, settings }): RuleSource[] =>
    policy.startsWith(OWN)
      ? [{ kind: 'own_policy', name: policy.slice(OWN.length) }]
      : settings.map((name) => ({ kind: 'setting', name })),
  );
  return [...new Map(all.map((s) => [`${s.kind} ${s.name}`, s])).values()];
};

export const explain = ({ decision, risk, reasons, factors, policyVersion }: Assessment): Explanation => {
  const spoke = reasons.map(told);
  const with_ = (verdict: Reason['verdict']): Told[] => spoke.filter((r) => r.verdict === verdict);
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
