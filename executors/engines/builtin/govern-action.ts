import { z } from 'zod';
import { KB } from '#model/values';
import { canonicalJson } from '#model/seal';
import type { DraftedAction, DraftedProposal } from '#model/turn';
import type { PermissionAnswer, PermissionRequest } from '#ports/processes';
import { parseModelPatch } from './edits/apply-patch.ts';
import { findPathInTree } from './edits/resolve-path.ts';
import type { ProposedAction, ToolName } from './parse-thought.ts';

const TOOL_KINDS: Readonly<Record<ToolName, string>> = {
  read: 'read',
  list: 'read',
  search: 'search',
  patch: 'edit',
  run: 'execute',
};

const MAX_PATCH_LENGTH = 256 * KB;

const filesOf = ({ tool, input }: ProposedAction, workspace: string): string[] | null => {
  const { path: at } = input;
  if (tool === 'patch' && String(input.patch).length > MAX_PATCH_LENGTH) return null;
  const named =
    tool === 'patch'
      ? parseModelPatch(String(input.patch), typeof at === 'string' ? at : null).edits.flatMap((edit) => [
          ...(edit.path === null ? [] : [edit.path]),
          ...(edit.kind === 'move' ? [edit.to] : []),
        ])
      : typeof at === 'string' && !/^\.?\/?$/.test(at)
        ? [at]
        : [];
  const files = named.map((name) => findPathInTree(name, workspace));
  return files.every((file) => file !== null) ? files : null;
};

export const toActionPermissionRequest = (action: ProposedAction, workspace: string): PermissionRequest => {
  const { tool, input } = action;
  if (tool === 'run') {
    const command = String(input.command);
    return { tool: TOOL_KINDS.run, input: canonicalJson({ command }), command, files: null, editable: true };
  }
  const files = filesOf(action, workspace);
  return {
    tool: TOOL_KINDS[tool],
    input: canonicalJson({ ...input }),
    command: null,
    files,
    ...(files === null ? { outside: true } : {}),
  };
};

const MAX_NOTED_FILES = 100;
export const toRecordedRequest = ({
  tool,
  files,
  outside = false,
}: PermissionRequest): DraftedAction['request'] => ({
  tool,
  files: files?.slice(0, MAX_NOTED_FILES) ?? null,
  outside,
});

/** The request as it would be made again, from what a turn records of it. */
export const restorePermissionRequest = ({
  tool,
  input,
  request: { files, outside, tool: kind },
}: Pick<DraftedProposal['actions'][number], 'tool' | 'input' | 'request'>): PermissionRequest => {
  const command = tool === 'run' ? Put.parse(JSON.parse(input)).command : null;
  return {
    tool: kind,
    input: command === null ? input : canonicalJson({ command }),
    command,
    files,
    ...(outside ? { outside } : {}),
  };
};

export const draftActions = (
  turn: number,
  actions: readonly ProposedAction[],
  workspace: string,
): DraftedAction[] =>
  actions.map((action, i) => {
    return {
      id: `${turn}.${i + 1}`,
      call: action.id,
      tool: action.tool,
      input: canonicalJson({ ...action.input }),
      request: toRecordedRequest(toActionPermissionRequest(action, workspace)),
      risk: null,
      decision: null,
      after: null,
      replaces: null,
      outcome: null,
      answer: null,
    };
  });

export type ActionDecision = { id: string; tool: string; verdict: Verdict };
type Verdict = NonNullable<DraftedAction['decision']>['verdict'];

const VERDICTS = { allow: 'approved', modified: 'modified', deny: 'rejected', wait: 'waits' } as const;

export const applyModifiedCommand = (action: ProposedAction, answer: PermissionAnswer): ProposedAction => {
  if (answer.kind !== 'modified') return action;
  const { command } = Put.parse(JSON.parse(answer.input));
  return { ...action, input: { ...action.input, command } };
};
const Put = z.object({ command: z.string() });

type Decided = Pick<DraftedAction, 'risk' | 'decision' | 'after' | 'replaces'>;

export const decisionOf = (
  { id, tool }: Pick<DraftedAction, 'id' | 'tool'>,
  action: ProposedAction,
  answer: PermissionAnswer,
  last: ActionDecision | null,
): Decided => {
  const name = 'by' in answer ? answer.by : undefined;
  const { governed } = answer;
  return {
    risk: governed?.risk ?? null,
    decision: {
      verdict: VERDICTS[answer.kind],
      by: name === undefined ? { kind: 'policy' } : { kind: 'human', name },
      policies: [...(governed?.policies ?? [])],
      policyVersion: governed?.policyVersion ?? '',
      reason: answer.kind === 'deny' ? answer.reason.slice(0, 500) : null,
      original: answer.kind === 'modified' ? id : null,
      input: answer.kind === 'modified' ? canonicalJson({ ...action.input }) : null,
    },
    after: last?.id ?? null,
    replaces: last?.verdict === 'rejected' && last.tool === tool ? last.id : null,
  };
};

export const decisionLine = (
  { id, tool }: Pick<DraftedAction, 'id' | 'tool'>,
  { decision, after, replaces }: Decided,
  what: string,
): string => {
  const by = decision?.by.kind === 'human' ? decision.by.name : 'policy';
  const reason = decision?.reason ?? '';
  return [
    `${id} ${tool} ${what.replace(/\s+/g, ' ').slice(0, 300)}`,
    `${decision?.verdict ?? 'undecided'} by ${by}${reason === '' ? '' : `: ${reason}`}`,
    ...(after === null ? [] : [`after ${after}`]),
    ...(replaces === null ? [] : [`in place of ${replaces}`]),
  ].join(' · ');
};
