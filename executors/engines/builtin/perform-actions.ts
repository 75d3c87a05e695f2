/** Judges and runs the actions of one turn: PROPOSING to OBSERVING. */
import { toCallText } from '../shared/repeated-calls.ts';
import type { PermissionAnswer, PermissionRequest } from '#ports/processes';
import type { ProgramConversation } from '../shared/program-conversation.ts';
import type { LoopEvent } from './events.ts';
import {
  toActionPermissionRequest,
  decisionLine,
  decisionOf,
  applyModifiedCommand,
  type ActionDecision,
} from './govern-action.ts';
import type { DraftTurn } from './draft-turn.ts';
import type { FileDigests } from './file-digests.ts';
import type { CodeEye } from './code-intelligence.ts';
import type { createTurnStates } from './turn-states.ts';
import type { ProposedAction } from './parse-thought.ts';

export type ActionsOutcome = {
  results: { id: string; ok: boolean; text: string }[];
  lines: string[];
  decision: ActionDecision | null;
  waits: boolean;
};

type Around = {
  talk: ProgramConversation;
  use: CodeEye;
  machine: ReturnType<typeof createTurnStates>;
  shielded: readonly string[];
  files: FileDigests;
  draft: DraftTurn;
  decision: ActionDecision | null;
  alternatives?: NonNullable<PermissionRequest['alternatives']>;
};

const OUTSIDE_WORKSPACE_REASON = 'it is about something outside the workspace';
const AWAITING_PERSON_NOTICE =
  'Nothing was done: a person is asked first. What they say is told to you before you go on.';

const whatOf = ({ tool, input }: ProposedAction): string => {
  if (tool === 'run') return `$ ${String(input.command)}`;
  const what = tool === 'search' ? input.pattern : (input.definition ?? input.path ?? '');
  return tool === 'patch' ? 'patch' : `${tool} ${String(what)}`;
};

const requestPermission = async (
  action: ProposedAction,
  { talk, alternatives = [] }: Around,
): Promise<PermissionAnswer> => {
  const request = toActionPermissionRequest(action, talk.workspace);
  const answer = await talk.ask(alternatives.length > 0 ? { ...request, alternatives } : request);
  // guard: E9-inside-the-workspace
  if (request.outside === true)
    return {
      kind: 'deny',
      reason: OUTSIDE_WORKSPACE_REASON,
      ...(answer.governed ? { governed: answer.governed } : {}),
    };
  return answer;
};

export const performActions = async (
  actions: readonly ProposedAction[],
  around: Around,
): Promise<ActionsOutcome> => {
  const { talk, use, machine, shielded, draft, files } = around;
  const emitEvent = (event: LoopEvent): void => talk.tell(event);
  const acted: ActionsOutcome = { results: [], lines: [], decision: around.decision, waits: false };
  machine.to('PROPOSING');
  for (const [i, proposed] of actions.entries()) {
    const { id, tool } = proposed;
    const drafted = draft.actions()[i];
    if (acted.waits || drafted === undefined) {
      acted.results.push({ id, ok: false, text: AWAITING_PERSON_NOTICE });
      continue;
    }
    machine.to('GOVERNING');
    const answer = await requestPermission(proposed, around);
    const action = applyModifiedCommand(proposed, answer);
    const { input } = action;
    const decided = decisionOf(drafted, action, answer, acted.decision);
    draft.changeAction(id, decided);
    if (decided.decision) acted.decision = { id: drafted.id, tool, verdict: decided.decision.verdict };
    const line = decisionLine(drafted, decided, whatOf(action));
    if (answer.kind === 'wait') {
      machine.to('ENDED');
      acted.waits = true;
      acted.lines.push(line);
      acted.results.push({ id, ok: false, text: AWAITING_PERSON_NOTICE });
      continue;
    }
    if (answer.kind === 'deny') {
      machine.to('OBSERVING');
      emitEvent({ type: 'denied', tool });
      acted.lines.push(line);
      acted.results.push({ id, ok: false, text: `Denied: ${answer.reason}` });
      continue;
    }
    machine.to('EXECUTING');
    // guard: L5-turn-before-action
    await draft.write();
    emitEvent({ type: 'says', text: whatOf(action), works: true, call: toCallText(tool, input) });
    const begun = Date.now();
    const done = await use(tool, tool === 'patch' ? { ...input, protects: shielded } : input);
    machine.to('OBSERVING');
    emitEvent({ type: 'alive', tool, ok: done.ok, text: done.text });
    const ms = Date.now() - begun;
    const changed = await files.changedBy(tool, done);
    draft.changeAction(id, { outcome: { ok: done.ok, exitCode: done.code ?? null, ms, files: changed } });
    acted.lines.push(`${line} · ${done.ok ? 'done' : 'failed'} in ${ms} ms`);
    const changedTo =
      answer.kind === 'modified' ? `${answer.by} had this run instead: ${whatOf(action)}\n` : '';
    acted.results.push({ id, ok: done.ok, text: `${changedTo}${done.text || '(no output)'}` });
  }
  return acted;
};
