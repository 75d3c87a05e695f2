/**
 * E9, E10: what the governor is asked about an action, and the record of its word: which decision came
 * from which, and what was proposed in place of what was refused.
 */
import { z } from 'zod';
import { KB } from '../../../orchestrator/core/units.ts';
import { canonicalJson } from '../../../orchestrator/core/seal.ts';
import type { PermissionAnswer, PermissionRequest } from '../../../orchestrator/ports.ts';
import { readPatch } from './edits/apply-patch.ts';
import { insideTree } from './edits/resolve-path.ts';
import type { ProposedAction, ToolName } from './parse-thought.ts';

/** By the names that the governor has for kinds of tools. */
const TOOL_KINDS: Readonly<Record<ToolName, string>> = {
  read: 'read',
  list: 'read',
  search: 'search',
  patch: 'edit',
  run: 'execute',
};

/** No model writes a longer one in one answer (characters). */
const MAX_PATCH_LENGTH = 256 * KB;

/** Named files; null where one of them is not in the workspace, or nobody reads so many. */
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
    // How long it may take changes nothing of what it does.
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
  /** A person by name; null where policies decided. */
  by: string | null;
  /** The decision before it in this session. */
  after: string | null;
  /** The rejected decision of the same tool that it was proposed in place of. */
  instead: string | null;
  reason: string;
};

const VERDICTS = { allow: 'approved', modified: 'modified', deny: 'rejected', wait: 'waits' } as const;

/** P4: the action with what a person put in its place. */
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

/** One line of the transcript. */
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
