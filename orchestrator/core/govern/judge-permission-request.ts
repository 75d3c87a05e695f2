/** E10: judges an agent's permission request: policies first, then a person. */
import { denyingPolicies, type PolicyObjections } from '../change-facts.ts';
import type { PolicyContext } from './governed-action.ts';
import { assessAction } from './assess-action.ts';

export type AskedAction = {
  tool: string;
  input: string;
  command: string | null;
  files: readonly string[] | null;
};

export type PermissionVerdict =
  | { kind: 'allow' }
  | { kind: 'deny'; objections: PolicyObjections }
  | { kind: 'unreadable' }
  | { kind: 'ask'; objections: PolicyObjections };

/** Longer inputs are refused, because a person must see all of it (characters). */
export const MAX_SHOWN_COMMAND_LENGTH = 2_000;

/** File tools: the resulting change is judged before it is published. */
const ON_FILES: readonly string[] = ['read', 'search', 'edit', 'delete', 'move'];

export const judgePermission = (asked: AskedAction, context: PolicyContext): PermissionVerdict => {
  const { tool, input, command, files } = asked;
  // guard: E10-files-of-the-workspace
  if (command === null && files !== null && ON_FILES.includes(tool)) return { kind: 'allow' };
  const said = command === null ? null : assessAction({ kind: 'command', command }, context);
  // guard: E10-policy-denies
  if (said?.decision === 'deny') return { kind: 'deny', objections: denyingPolicies(said) };
  if (said?.decision === 'allow') return { kind: 'allow' };
  // guard: E10-shown-whole
  if (input.length > MAX_SHOWN_COMMAND_LENGTH) return { kind: 'unreadable' };
  return { kind: 'ask', objections: said?.reasons.filter((r) => r.verdict !== 'allow') ?? [] };
};
