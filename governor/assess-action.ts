/** The governor: judges every outward action by the built-in policies (P1, P3, G6). */
import type { Assessment } from '#model/assessment';
import { canonicalJson } from '#model/seal';
import { DEFAULT_POLICY_SETTINGS, type CustomPolicy, type PolicySettings } from '#model/settings';
import type { GovernedAction } from './governed-action.ts';
import type { PolicyContext } from './policy-types.ts';
import { BUILT_IN, BUILT_IN_VERSIONS } from './built-in-policies.ts';
import { askPolicies } from './ask-policies.ts';
import { createCustomPolicy } from './custom-policies.ts';
import { mergeRepositoryPolicies } from './repository-policies.ts';

export type { GovernedAction } from './governed-action.ts';
export type { PolicyContext, Policy } from './policy-types.ts';

/** FNV-1a (64 bits) identifies settings; it protects nothing. */
const settingsFingerprint = (text: string): string => {
  let hash = 0xcbf29ce484222325n;
  for (const c of text) hash = BigInt.asUintN(64, (hash ^ BigInt(c.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
};

/** Raise it whenever the risk of an action changes. */
const RISK_VERSION = 1;

/** Another list of policies, or another version of one, is another version of the whole. */
export const versionOfPolicies = (versions: readonly string[]): string =>
  `builtin-${settingsFingerprint([`risk@${RISK_VERSION}`, ...versions].join(' ')).slice(0, 8)}`;

export const POLICY_VERSION = versionOfPolicies(BUILT_IN_VERSIONS);

/** Stored with decisions; it depends on limits and on the operator's policies. */
export const policyVersion = (settings: PolicySettings, added: readonly CustomPolicy[] = []): string => {
  const own = canonicalJson(added.length > 0 ? { ...settings, added } : settings);
  return own === canonicalJson(DEFAULT_POLICY_SETTINGS)
    ? POLICY_VERSION
    : `${POLICY_VERSION}+${settingsFingerprint(own)}`;
};

export const policyVersionFor = ({ settings: all, repo, contract }: PolicyContext): string => {
  const { settings, added } = mergeRepositoryPolicies(all, repo, contract?.policies);
  return policyVersion(settings, added);
};

/** Accepts the whole configuration, and selects what holds for the repository. */
export const assessAction = (action: GovernedAction, context: PolicyContext): Assessment => {
  const { settings, added } = mergeRepositoryPolicies(
    context.settings,
    context.repo,
    context.contract?.policies,
  );
  const own = [
    ...settings.custom.map((c) => createCustomPolicy(c)),
    ...added.map((c) => createCustomPolicy(c, 'repository')),
  ];
  return {
    ...askPolicies([...BUILT_IN, ...own], action, { ...context, settings }),
    policyVersion: policyVersion(settings, added),
  };
};
