/** E9, E10: builds requests to the governor and records its decisions. */
import { z } from 'zod';
import { KB } from '../../../orchestrator/core/units.ts';
import { canonicalJson } from '../../../orchestrator/core/seal.ts';
import type { PermissionAnswer, PermissionRequest } from '../../../orchestrator/ports.ts';
import { readPatch } from './edits/apply-patch.ts';
import { insideTree } from './edits/resolve-path.ts';
import type { ProposedAction, ToolName } from './parse-thought.ts';

const TOOL_KINDS: Readonly<Record<ToolName, string>> = {
  read: 'read',
  list: 'read',
  search: 'search',
  patch: 'edit',
  run: 'execute',
};

/** Longer than any answer of a model (characters). */
const MAX_PATCH_LENGTH = 256 * KB;

const filesOf = ({ tool, input }: ProposedAction, workspace: string): string[] | null => {
  const { path: at } = input;
  if (tool === 'patch' && String(input.patch).length > MAX_PATCH_LENGTH) return null;
  const named =
    tool === 'patch'
      ? readPatch(String(input.patch), typeof at === 'string' ? at : null).edits.flatMap((edit) => [
          ...(edit.path === null ? [] : [edit.path]),
          ...(edit.kind === 'move' ? [edit.to] : []),
        ])
      : typeof at === 'string' && !/^\.?\/?$/.test(at)
        ? [at]
        : [];
  const files = named.map((name) => insideTree(name, workspace));
  return files.every((file) => file !== null) ? files : null;
};

export const actionRequest = (action: ProposedAction, workspace: string): PermissionRequest => {
  const { tool, input } = action;
  if (tool === 'run') {
    // The time limit does not change the effect.
    const command = String(input.command);
    return { tool: TOOL_KINDS.run, input: canonicalJson({ command }), command, files: null, editable: true };
  }
  return {
    tool: TOOL_KINDS[tool],
    input: canonicalJson({ ...input }),
    command: null,
    files: filesOf(action, workspace),
  };
};

export type ActionDecision = {
  id: string;
  tool: ToolName;
  verdict: 'approved' | 'modified' | 'rejected' | 'waits';
  /** Name of the person; null if policies decided. */
  by: string | null;
  after: string | null;
  /** The rejected decision of the same tool that this one replaces. */
  instead: string | null;
  reason: string;
};

const VERDICTS = { allow: 'approved', modified: 'modified', deny: 'rejected', wait: 'waits' } as const;

/** P4: a person may modify the action. */
export const modifiedAction = (action: ProposedAction, answer: PermissionAnswer): ProposedAction => {
  if (answer.kind !== 'modified') return action;
  const { command } = Put.parse(JSON.parse(answer.input));
  return { ...action, input: { ...action.input, command } };
};
const Put = z.object({ command: z.string() });

export const decisionOf = (
  id: string,
  { tool }: ProposedAction,
  answer: PermissionAnswer,
  last: ActionDecision | null,
): ActionDecision => ({
  id,
  tool,
  after: last?.id ?? null,
  verdict: VERDICTS[answer.kind],
  by: 'by' in answer ? (answer.by ?? null) : null,
  instead: last?.verdict === 'rejected' && last.tool === tool ? last.id : null,
  reason: answer.kind === 'deny' ? answer.reason.slice(0, 500) : '',
});

export const decisionLine = (
  { id, tool, verdict, by, after, instead, reason }: ActionDecision,
  what: string,
): string =>
  [
    `${id} ${tool} ${what.replace(/\s+/g, ' ').slice(0, 300)}`,
    `${verdict} by ${by ?? 'policy'}${reason === '' ? '' : `: ${reason}`}`,
    ...(after === null ? [] : [`after ${after}`]),
    ...(instead === null ? [] : [`in place of ${instead}`]),
  ].join(' · ');
