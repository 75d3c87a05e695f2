/** Judges and runs the actions of one turn: PROPOSING to OBSERVING. */
import type { PermissionAnswer } from '../../../orchestrator/ports.ts';
import type { ProgramConversation } from '../shared/program-conversation.ts';
import type { LoopEvent } from './events.ts';
import {
  decisionOf,
  decisionLine,
  actionRequest,
  modifiedAction,
  type ActionDecision,
} from './govern-action.ts';
import type { BoxTools, ToolAnswer } from './in-box.ts';
import type { createTurns } from './turn-states.ts';
import type { ProposedAction } from './parse-thought.ts';

export type ActionsOutcome = {
  results: { id: string; ok: boolean; text: string }[];
  lines: string[];
  decision: ActionDecision | null;
  ours: string[];
  waits: boolean;
};

type Around = {
  talk: ProgramConversation;
  tools: BoxTools;
  machine: ReturnType<typeof createTurns>;
  shielded: readonly string[];
  turn: number;
  decision: ActionDecision | null;
};

const OUTSIDE_WORKSPACE_REASON = 'it is about something outside the workspace';
const AWAITING_PERSON_NOTICE =
  'Nothing was done: a person is asked first. What they say is told to you before you go on.';

const whatOf = ({ tool, input }: ProposedAction): string => {
  if (tool === 'run') return `$ ${String(input.command)}`;
  const what = tool === 'search' ? input.pattern : (input.path ?? '');
  return tool === 'patch' ? 'patch' : `${tool} ${String(what)}`;
};

/** Actions outside of the workspace are denied without asking. */
const judged = (action: ProposedAction, { talk }: Around): Promise<PermissionAnswer> => {
  const request = actionRequest(action, talk.workspace);
  // guard: E9-inside-the-workspace
  if (request.command === null && request.files === null)
    return Promise.resolve({ kind: 'deny', reason: OUTSIDE_WORKSPACE_REASON });
  return talk.ask(request);
};

/** A command's changes belong to the agent, except files that a person changed before. */
const changedBy = async (
  { tool }: ProposedAction,
  done: ToolAnswer,
  { tools, shielded, talk }: Around,
): Promise<string[]> => {
  if (tool === 'patch') return [...(done.files ?? [])];
  if (tool !== 'run' || talk.writes === 'nothing') return [];
  const { files = [] } = await tools.use('changed', {});
  return files.filter((file) => !shielded.includes(file));
};

export const performActions = async (
  actions: readonly ProposedAction[],
  around: Around,
): Promise<ActionsOutcome> => {
  const { talk, tools, machine, shielded, turn } = around;
  const tell = (event: LoopEvent): void => talk.tell(event);
  const acted: ActionsOutcome = {
    results: [],
    lines: [],
    decision: around.decision,
    ours: [],
    waits: false,
  };
  machine.to('PROPOSING');
  for (const [i, proposed] of actions.entries()) {
    const { id, tool } = proposed;
    if (acted.waits) {
      acted.results.push({ id, ok: false, text: AWAITING_PERSON_NOTICE });
      continue;
    }
    machine.to('GOVERNING');
    const answer = await judged(proposed, around);
    const action = modifiedAction(proposed, answer);
    const { input } = action;
    acted.decision = decisionOf(`${turn}.${i + 1}`, action, answer, acted.decision);
    const line = decisionLine(acted.decision, whatOf(action));
    if (answer.kind === 'wait') {
      machine.to('ENDED');
      acted.waits = true;
      acted.lines.push(line);
      acted.results.push({ id, ok: false, text: AWAITING_PERSON_NOTICE });
      continue;
    }
    if (answer.kind === 'deny') {
      machine.to('OBSERVING');
      tell({ type: 'denied', tool });
      acted.lines.push(line);
      acted.results.push({ id, ok: false, text: `Denied: ${answer.reason}` });
      continue;
    }
    machine.to('EXECUTING');
    tell({ type: 'says', text: whatOf(action), works: true });
    const begun = Date.now();
    const done = await tools.use(tool, tool === 'patch' ? { ...input, protects: shielded } : input);
    machine.to('OBSERVING');
    tell({ type: 'alive' });
    const changed = await changedBy(action, done, around);
    acted.ours.push(...changed);
    acted.lines.push(`${line} · ${done.ok ? 'done' : 'failed'} in ${Date.now() - begun} ms`);
    const changedTo =
      answer.kind === 'modified' ? `${answer.by} had this run instead: ${whatOf(action)}\n` : '';
    acted.results.push({ id, ok: done.ok, text: `${changedTo}${done.text || '(no output)'}` });
  }
  return acted;
};
