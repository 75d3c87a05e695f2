/** One round of the governed loop, turn by turn (E9). */
import { NO_USAGE, subtractUsage, type ModelUsage } from '#model/reports';
import { extractQuestion } from '#model/agent';
import type { DraftedAction, TurnDraft } from '#model/turn';
import { engineFailure, type EngineFailure, createDetailedFailure } from '../shared/engine-failure.ts';
import { readAgentReport } from '../shared/agent-report.ts';
import type { ProgramConversation } from '../shared/program-conversation.ts';
import type { LoopEvent } from './events.ts';
import { createConversation, type ModelAnswer } from './conversation.ts';
import { BoxGoneError, createBoxTools, type BoxTools } from './box-tools.ts';
import { createTurnStates } from './turn-states.ts';
import type { Chosen } from './choose-proposal.ts';
import { estimateTokens } from './fit-conversation.ts';
import { renderSystemPrompt } from './system-prompt.ts';
import { createTurnDraft, type DraftTurn } from './draft-turn.ts';
import { draftActions } from './govern-action.ts';
import { createFileDigests, type FileDigests } from './file-digests.ts';
import { listAlternatives, renderProposalLines, thinkTurn, type Thinking } from './think-turn.ts';
import { createProposers } from './think-together.ts';
import { listFilesWritten, listFilesRead, listTurnsSinceDone } from './restore-session.ts';
import { createFileRecorder } from './stored-session.ts';
import { readLoopLimits } from './named-model.ts';
import {
  BUILTIN_TOOLS_VERSION,
  serializeMessage,
  parseThought,
  TOO_LONG,
  type ProposedAction,
  type ToolName,
} from './parse-thought.ts';
import type { CodeEye } from './code-intelligence.ts';
import { performActions, type ActionsOutcome } from './perform-actions.ts';
import { isTestCheck } from '#governor';
import type { TurnRecorder } from '#ports/records';

const MOST_INVALID = 3;
const MAX_WARNED_TURNS = 3;

const READ_ONLY_TOOLS: readonly ToolName[] = ['read', 'list', 'search', 'run'];
const EDITING_TOOL_NAMES: readonly ToolName[] = ['read', 'list', 'search', 'patch', 'run'];

const NO_KEY =
  'No key is set for the model: set OPENAI_API_KEY or ANTHROPIC_API_KEY, or the address of a model of your own (OPENAI_BASE_URL, ANTHROPIC_BASE_URL).';
const NO_GIT = 'The box has no git, and builtin needs it. For containers, choose an image that has it.';
const COMMAND_NOT_FOUND = 127;
const UNCHANGED =
  'You report that it is done, but no file changed in this round. Make the change; if nothing has to change, report just that once more.';

const readFilesState = async (
  files: FileDigests,
  { writes }: ProgramConversation,
  recorder: TurnRecorder,
): Promise<{ shielded: string[]; state: string | null } | EngineFailure> => {
  if (writes === 'nothing') return { shielded: [], state: null };
  const looked = await files.look();
  if (looked.code === COMMAND_NOT_FOUND)
    return createDetailedFailure('env_missing', NO_GIT, { kind: 'box_without_git' });
  files.starts(looked);
  const ours = new Set(listFilesWritten(recorder.past));
  return looked.ok
    ? { shielded: (looked.files ?? []).filter((file) => !ours.has(file)), state: looked.text }
    : { shielded: [], state: null };
};

type LoopRound = Thinking & {
  state: string | null;
  recorder: TurnRecorder;
  use: CodeEye;
  machine: ReturnType<typeof createTurnStates>;
  invalid: number;
  warned: boolean;
  changed: boolean;
};
type Over = { failure: EngineFailure | null } | null;
type Note = (how: string, lines?: readonly string[]) => void;
type Books = { note: Note; draft: DraftTurn; chosen: Chosen | null };

const roundUsageOf = ({ way }: LoopRound): ModelUsage => way.used() ?? NO_USAGE;

const beginRound = async (
  talk: ProgramConversation,
  tools: BoxTools,
  use: CodeEye,
): Promise<LoopRound | EngineFailure> => {
  const { model: way, args, writes } = talk;
  if (way === null) return createDetailedFailure('auth_missing', NO_KEY, { kind: 'model_key_missing' });
  const proposers = await createProposers(talk, way);
  if ('class' in proposers) return proposers;
  const limits = readLoopLimits(args);
  const allowed = writes === 'change' ? EDITING_TOOL_NAMES : READ_ONLY_TOOLS;
  const recorder = talk.turns ?? createFileRecorder(talk.directory);
  const conversation = createConversation({ ...talk, turns: recorder });
  const models = [...new Set(proposers.map(({ model }) => model))];
  talk.tell({ type: 'model', name: models.join(', ') } satisfies LoopEvent);
  let shielded: readonly string[] = [];
  const seen = [...listFilesWritten(recorder.past), ...listFilesRead(recorder.past)];
  const files = createFileDigests(tools, () => shielded, writes !== 'nothing', seen);
  const found = await readFilesState(files, talk, recorder);
  if ('class' in found) return found;
  ({ shielded } = found);
  const together = proposers.length > 1;
  const system = renderSystemPrompt(limits.turns, allowed, shielded, { together });
  await showRepositoryMap(
    talk,
    conversation,
    estimateTokens([{ role: 'user', content: talk.prompt }], system),
    limits,
  );
  return {
    talk,
    way,
    tools,
    limits,
    allowed,
    ...found,
    proposers,
    together,
    recorder,
    files,
    use,
    conversation,
    machine: createTurnStates(),
    system,
    room: limits.context - limits.output - (talk.picture === null ? 0 : MAX_PICTURE_TOKENS),
    invalid: 0,
    warned: false,
    changed: listFilesWritten(recorder.past).length > 0,
    checked: false,
  };
};

const MAX_PICTURE_TOKENS = 2_000;
const MAX_FIRST_CONTEXT = 12_000;
const MAX_MAP_TOKENS = 6_000;
const MIN_MAP_TOKENS = 500;

const showRepositoryMap = async (
  { map }: ProgramConversation,
  conversation: ReturnType<typeof createConversation>,
  taken: number,
  { context }: ReturnType<typeof readLoopLimits>,
): Promise<void> => {
  const room = Math.min(MAX_MAP_TOKENS, MAX_FIRST_CONTEXT - taken, Math.floor(context / 8));
  // guard: E9-map-once
  if (map === null || !conversation.isNew || room < MIN_MAP_TOKENS) return;
  const made = await map(room);
  if (made !== null && made.files.length > 0) conversation.showMap(made.text);
};

const rejectTurn = async (
  round: LoopRound,
  said: ModelAnswer,
  why: string,
  { note, draft }: Books,
): Promise<Over> => {
  round.machine.to('EVALUATING');
  round.invalid += 1;
  round.conversation.refuse(said, why);
  note(`invalid: ${why}`);
  // guard: E9-invalid-thoughts
  if (round.invalid >= MOST_INVALID) {
    await draft.ends('invalid', 'invalid_output');
    const times = `The model answered ${round.invalid} times in a row in a form that counts for nothing`;
    return { failure: engineFailure('invalid_output', `${times}: ${why}.`) };
  }
  await draft.ends('invalid');
  return null;
};

/** C4: a question to a person is a valid answer. */
const endWithQuestion = async (
  { conversation, machine, talk }: LoopRound,
  said: ModelAnswer,
  { note, draft }: Books,
): Promise<Over> => {
  if (said.calls.length > 0 || extractQuestion(said.text) === null) return null;
  machine.to('EVALUATING');
  conversation.answer(said, []);
  machine.to('ENDED');
  note('asks in words');
  draft.change({ thought: { kind: 'question', text: serializeMessage(said), problem: null } });
  await draft.ends('asks');
  talk.tell({ type: 'done', report: said.text } satisfies LoopEvent);
  return { failure: null };
};

const isDoneWithoutChange = async (
  { talk, tools, state, recorder }: LoopRound,
  report: string,
): Promise<boolean> => {
  const told = readAgentReport(report);
  if (state === null || talk.writes === 'nothing') return false;
  if (listFilesWritten(listTurnsSinceDone(recorder.past)).length > 0) return false;
  if (told.kind === 'invalid' || told.report.status !== 'done') return false;
  const { ok, text } = await tools.use('changed', {});
  return ok && text === state;
};

const endWithReport = async (
  round: LoopRound,
  said: ModelAnswer,
  report: string,
  { note, draft }: Books,
): Promise<Over> => {
  const { conversation, machine, talk } = round;
  machine.to('EVALUATING');
  const doubted = !round.warned && (await isDoneWithoutChange(round, report));
  conversation.answer(said, []);
  if (doubted) {
    round.warned = true;
    conversation.say(UNCHANGED);
    note('done, but nothing changed');
    await draft.ends('unchanged');
    return null;
  }
  machine.to('ENDED');
  note('done');
  await draft.ends('done');
  talk.tell({ type: 'done', report } satisfies LoopEvent);
  return { failure: null };
};

const appendTurnsLeft = (results: ActionsOutcome['results'], left: number): ActionsOutcome['results'] =>
  results.map((one, i) =>
    left <= MAX_WARNED_TURNS && i === results.length - 1
      ? { ...one, text: `${one.text}\n(${left === 1 ? '1 turn is' : `${left} turns are`} left.)` }
      : one,
  );

const performTurn = async (
  round: LoopRound,
  said: ModelAnswer,
  actions: readonly ProposedAction[],
  left: number,
  { note, draft, chosen }: Books,
): Promise<Over> => {
  const { talk, use, machine, shielded, conversation, files } = round;
  draft.change({ actions: draftActions(conversation.turns(), actions, talk.workspace) });
  // guard: L6-proposals-before-action
  if (chosen !== null) await draft.write();
  const acted = await performActions(actions, {
    talk,
    use,
    machine,
    shielded,
    files,
    draft,
    decision: conversation.decision(),
    alternatives: listAlternatives(chosen),
  });
  rememberChanges(round, draft.actions());
  const results = appendTurnsLeft(acted.results, left);
  for (const { id, text } of results) draft.changeAction(id, { answer: text });
  conversation.decided(acted.decision);
  conversation.answer(said, results);
  conversation.acted(draft.actions());
  if (acted.waits) {
    note('a person is asked', acted.lines);
    await draft.ends('waits');
    return {
      failure: createDetailedFailure('permission_denied', AWAITING_PERMISSION_MESSAGE, {
        kind: 'permission_undecided',
      }),
    };
  }
  machine.to('EVALUATING');
  note('goes on', acted.lines);
  await draft.ends('goes_on');
  return null;
};

const rememberChanges = (round: LoopRound, actions: readonly DraftedAction[]): void => {
  for (const { tool, input, outcome } of actions) {
    if (outcome === null) continue;
    if (outcome.files.length > 0) [round.changed, round.checked] = [true, false];
    const isTest = tool === 'run' && !ONLY_LOOKS.test(input) && isTestCheck({ name: '', command: input });
    if (isTest && outcome.ok && round.changed) round.checked = true;
  }
};
const ONLY_LOOKS = /^\{"command":"\s*(?:ls|cat|grep|rg|find|echo|head|tail|git)\b/;

const turnOf = async (round: LoopRound, left: number): Promise<Over> => {
  const { conversation, machine, way, talk, allowed, recorder } = round;
  const words = (await talk.words?.take()) ?? [];
  // guard: E21-before-the-next-call
  for (const { text } of words) conversation.say(text, 'order');
  let unheard = words.map(({ no }) => no);
  conversation.begins();
  const tools = { version: BUILTIN_TOOLS_VERSION, names: [...allowed] };
  const writeTurn: TurnRecorder['write'] = async (seq, turn) => {
    const facts = await recorder.write(seq, turn);
    // The row holds them: a conversation that is restored from it has heard them.
    if (unheard.length > 0) talk.words?.heard(unheard);
    unheard = [];
    talk.tell({ type: 'session', id: conversation.id } satisfies LoopEvent);
    talk.tell({ type: 'used', usage: roundUsageOf(round) } satisfies LoopEvent);
    return facts;
  };
  const parts = { session: conversation.id, model: '', tools };
  const draft = createTurnDraft(writeTurn, conversation.turns(), parts, () => [...machine.way()]);
  const before = roundUsageOf(round);
  const { said, model, chosen } = await thinkTurn(round, draft, { isLastTurn: left === 0 });
  draft.change({ model });
  const cost = subtractUsage(roundUsageOf(round), before);
  draft.change({ usage: cost });
  talk.tell({ type: 'used', usage: roundUsageOf(round) } satisfies LoopEvent);
  const note: Note = (how, lines = []) => {
    const dollars = cost.costUsd > 0 ? `$${cost.costUsd.toFixed(4)}` : 'no cost told';
    const spent = `${cost.inputTokens} in, ${cost.outputTokens} out, ${dollars}`;
    const line = `turn ${conversation.turns()} · ${machine.way().join(' → ')} · ${how} · ${spent}`;
    way.note([line, ...renderProposalLines(chosen), ...lines].join('\n!   '));
  };
  const books = { note, draft, chosen };
  if (said.kind === 'refused') {
    machine.to('ENDED');
    note(`no answer: ${said.failure.class}`);
    await draft.ends('failed', said.failure.class);
    return { failure: said.failure };
  }
  const draftThought = (kind: TurnDraft['thought']['kind'], problem: string | null = null): void =>
    draft.change({ thought: { kind, text: serializeMessage(said), problem } });
  if (said.cut) {
    draftThought('cut', TOO_LONG);
    return rejectTurn(round, said, TOO_LONG, books);
  }
  const read = parseThought(said, allowed);
  if ('why' in read) {
    const asked = await endWithQuestion(round, said, books);
    if (asked) return asked;
    draftThought('invalid', read.why);
    return rejectTurn(round, said, read.why, books);
  }
  round.invalid = 0;
  draftThought(read.thought.done ? 'report' : 'actions');
  return read.thought.done
    ? endWithReport(round, said, read.thought.report, books)
    : performTurn(round, said, read.thought.actions, left, books);
};

const runConversation = async (
  talk: ProgramConversation,
  tools: BoxTools,
  use: CodeEye,
): Promise<EngineFailure | null> => {
  const round = await beginRound(talk, tools, use);
  if ('class' in round) return round;
  const { machine, limits } = round;
  for (let left = limits.turns - 1; left >= 0; left -= 1) {
    const over = await turnOf(round, left);
    if (over) return over.failure;
    if (left > 0) machine.to('THINKING');
  }
  machine.to('ENDED');
  return engineFailure(
    'budget_exceeded',
    `The agent used all of its ${limits.turns} turns without a report.`,
  );
};
const AWAITING_PERMISSION_MESSAGE = 'The agent asked for a permission, and a person was to decide.';

export const runGovernedLoop = async (talk: ProgramConversation): Promise<void> => {
  const tools = createBoxTools(talk);
  const [{ createSourceReader }, { createCodeIntelligence }] = await Promise.all([
    import('#outline'),
    import('./code-intelligence.ts'),
  ]);
  const sources = createSourceReader();
  try {
    const wrong = await runConversation(talk, tools, createCodeIntelligence(tools, sources, talk.lint));
    if (wrong !== null) talk.tell({ type: 'failed', failure: wrong } satisfies LoopEvent);
  } catch (error) {
    if (!(error instanceof BoxGoneError) && !tools.gone.aborted) throw error;
  } finally {
    await sources.end();
  }
};
