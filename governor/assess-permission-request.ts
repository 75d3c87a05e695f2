/** Judges an agent's permission request: policies first, then a person (E10). */
import { denyingPolicies, objectionsOf, type PolicyObjections } from '#model/assessment';
import type { PolicyContext, RiskLevel } from './policy-types.ts';
import { assessAction, policyVersionFor } from './assess-action.ts';

type AskedAction = {
  tool: string;
  input: string;
  command: string | null;
  files: readonly string[] | null;
  outside?: boolean;
};

export type PermissionVerdict = (
  | { kind: 'allow' }
  | { kind: 'deny'; objections: PolicyObjections }
  | { kind: 'unreadable' }
  | { kind: 'ask'; objections: PolicyObjections }
) & { governed: { risk: RiskLevel; policies: string[]; policyVersion: string } };

const FILES_OF_WORKSPACE = 'files-of-the-workspace';
const SHOWN_WHOLE = 'shown-whole';
const OUTSIDE = 'no-write-outside-workspace';

/** Longer inputs are refused, because a person must see all of it (characters). */
export const MAX_SHOWN_COMMAND_LENGTH = 2_000;

/** File tools: the resulting change is judged before it is published. */
const ON_FILES: readonly string[] = ['read', 'search', 'edit', 'delete', 'move'];

export const assessPermission = (asked: AskedAction, context: PolicyContext): PermissionVerdict => {
  const { tool, input, command, files } = asked;
  const assessmentBy = (risk: RiskLevel, ...policies: string[]) => ({
    governed: { risk, policies, policyVersion: policyVersionFor(context) },
  });
  // guard: E10-files-of-the-workspace
  if (command === null && files !== null && ON_FILES.includes(tool))
    return { kind: 'allow', ...assessmentBy('low', FILES_OF_WORKSPACE) };
  if (command === null && asked.outside === true)
    return {
      kind: 'deny',
      objections: [
        { policy: OUTSIDE, verdict: 'deny', reason: { kind: 'leaves_workspace', at: [tool], more: 0 } },
      ],
      ...assessmentBy('high', OUTSIDE),
    };
  const said = command === null ? null : assessAction({ kind: 'command', command }, context);
  const policiesWithVerdict = (verdict: string): string[] => [
    ...new Set(said?.reasons.flatMap((r) => (r.verdict === verdict ? [r.policy] : []))),
  ];
  const risk = said?.risk ?? 'high';
  // guard: E10-policy-denies
  if (said?.decision === 'deny')
    return {
      kind: 'deny',
      objections: denyingPolicies(said),
      ...assessmentBy(risk, ...policiesWithVerdict('deny')),
    };
  if (said?.decision === 'allow')
    return { kind: 'allow', ...assessmentBy(risk, ...policiesWithVerdict('allow')) };
  // guard: E10-shown-whole
  if (input.length > MAX_SHOWN_COMMAND_LENGTH)
    return { kind: 'unreadable', ...assessmentBy(risk, SHOWN_WHOLE) };
  const asks = said === null ? ['explicit-allow'] : policiesWithVerdict('escalate');
  return {
    kind: 'ask',
    objections: objectionsOf(said ?? { reasons: [] }),
    ...assessmentBy(risk, ...asks),
  };
};
