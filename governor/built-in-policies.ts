/** The built-in policies, in the order of display. A policy's row stands below its function. */
import type { Policy, PolicyRow, PolicyRows } from './policy-types.ts';
import { contentPolicies } from './policies/content-policies.ts';
import { contributionPolicies } from './policies/contribution-rules-policy.ts';
import { evidencePolicies } from './policies/evidence-policies.ts';
import { pathPolicies } from './policies/path-policies.ts';
import { sizePolicies } from './policies/size-policies.ts';
import { targetPolicies } from './policies/target-policies.ts';

/** `explicit-allow` sends whatever nothing allows to a person. */
const DEFAULT_POLICIES = {
  'explicit-allow': { asks: [], version: 1, settings: [], card: 'shared', general: true },
} as const satisfies PolicyRows;

export const BUILT_IN_POLICIES = {
  ...contentPolicies,
  ...pathPolicies,
  ...sizePolicies,
  ...targetPolicies,
  ...contributionPolicies,
  ...evidencePolicies,
  ...DEFAULT_POLICIES,
};

export type BuiltInId = keyof typeof BUILT_IN_POLICIES;
export const isBuiltIn = (id: string): id is BuiltInId => Object.hasOwn(BUILT_IN_POLICIES, id);

const ROWS: readonly [string, PolicyRow][] = Object.entries(BUILT_IN_POLICIES);
export const BUILT_IN: readonly Policy[] = ROWS.map(([id, { asks }]) => ({ id, asks }));
export const BUILT_IN_VERSIONS = ROWS.map(([id, { version }]) => `${id}@${version}`);
