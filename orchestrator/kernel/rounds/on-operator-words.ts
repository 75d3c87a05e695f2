/** Stores words to a working agent, begins the turn that hears them, and records that it did (E21). */
import { z } from 'zod';
import { ContainmentLevel, ExposedCredential } from '#model/evidence';
import { Person } from '#model/order';
import { AgentSession, ModelUsage } from '#model/reports';
import {
  defineCommand,
  defineResult,
  moveFrom,
  stayIn,
  stayPaused,
  type HandlerRuling,
} from '../lifecycle/define-input.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import { DISCARDED_EDITS, OUTPUT_BYTES, TURNS } from '../lifecycle/result-fields.ts';
import { stopForBudget } from '../lifecycle/permit-round.ts';
import { countSpending } from '../lifecycle/count-spending.ts';
import { findExhaustedBudget } from '../lifecycle/run-budget.ts';
import { addMessage, addWork, progressSlot, type StepDraft } from '../lifecycle/step-draft.ts';
import type { InputOf } from '../run/input-types.ts';
import {
  addWords,
  setWordsTime,
  operatorWordsMode,
  HEARING_STATES,
  isHearing,
  MAX_QUEUED_WORDS,
  selectQueuedWords,
  WORDS_TIMES,
  operatorWordsOf,
} from '../run/operator-words.ts';
import { listOnwardHints, type Refusal } from '../run/refusals.ts';
import { innerRound } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';
import { AGENTS } from '../run/state-groups.ts';
import { recordDiscardedEdits } from './record-discarded-edits.ts';

/** A card, or a push that follows one, is decided on before the agent is told anything more. */
const checkHearing = (run: Run, command: 'command.agent.tell' | 'command.words.schedule'): Refusal | null => {
  const { lifecycle, gate } = run;
  if (operatorWordsMode(run) !== null) return null;
  const hint = gate.approval ? ('decide_push' as const) : ('card_follows' as const);
  const hints = isHearing(run) ? [hint] : listOnwardHints(run);
  return { kind: 'not_possible_now', run: run.id, state: lifecycle.state, command, hints };
};

const onTold = (draft: StepDraft, { by, words, when }: InputOf<'command.agent.tell'>): HandlerRuling => {
  const { run, stamp } = draft;
  const refuse = checkHearing(run, 'command.agent.tell');
  if (refuse) return { refuse };
  if (operatorWordsMode(run) === 'script') return { refuse: { kind: 'script_reads_nothing' } };
  const queued = selectQueuedWords(run);
  const same = queued.find((one) => one.by === by.name && one.words === words);
  if (!same && queued.length >= MAX_QUEUED_WORDS)
    return { refuse: { kind: 'words_waiting', most: MAX_QUEUED_WORDS } };
  // guard: E21-queued-once
  if (!same) addWords(run, { by: by.name, words, at: stamp.at, when });
  else if (when === 'now') setWordsTime(run, [same], when);
  showProgress(draft);
  if (when === 'now' && isChecked(run)) beginTurnForWords(draft);
  return undefined;
};

const onScheduled = (draft: StepDraft, { no, when }: InputOf<'command.words.schedule'>): HandlerRuling => {
  const { run } = draft;
  const refuse = checkHearing(run, 'command.words.schedule');
  if (refuse) return { refuse };
  const asked = selectQueuedWords(run).filter((one) => no === null || one.no === no);
  if (asked.length === 0) return { refuse: { kind: 'words_heard' } };
  setWordsTime(run, asked, when);
  showProgress(draft);
  if (when === 'now' && isChecked(run)) beginTurnForWords(draft);
  return undefined;
};

const showProgress = (draft: StepDraft): void =>
  addMessage(draft, { view: 'progress' }, { slot: progressSlot(draft.run.id) });

/** Our checks run, and no agent: words to be said now need not wait for them. */
const isChecked = ({ lifecycle: { state, reason } }: Run): boolean =>
  state === 'LOCAL_VALIDATING' ||
  (state === 'ITERATING' && (reason.kind === 'checks_running' || reason.kind === 'taken_back'));

/** Returns false when nothing is queued. Otherwise the agent's next turn begins, within its budget. */
export const beginTurnForWords = (draft: StepDraft): boolean => {
  const { run } = draft;
  const [first] = selectQueuedWords(run);
  // Who stopped the agent is not answered by another turn of it.
  if (!first || run.agent.round.kind === 'kept_edits') return false;
  const spent = findExhaustedBudget(run, 'agent');
  // guard: E21-budget-holds
  if (spent) {
    stopForBudget(draft, spent);
    return true;
  }
  // A step of a plan is done again with the words; what else the round was about is over.
  if (!run.agent.plan?.plan.next) run.agent.round = innerRound(run.agent.round, 'person_advice', []);
  const { state } = run.lifecycle;
  enterState(draft, state === 'ITERATING' ? 'ITERATING' : 'IMPLEMENTING', {
    kind: 'operator_words',
    by: first.by,
  });
  return true;
};

const onDelivered = (draft: StepDraft, { nos, how }: InputOf<'worker.words.delivered'>): HandlerRuling => {
  const { run, stamp } = draft;
  const heard = selectQueuedWords(run).filter(({ no }) => nos.includes(no));
  if (heard.length === 0) return { ignore: 'told already' };
  run.agent.operatorWords = operatorWordsOf(run).map((one) =>
    heard.includes(one) ? { ...one, delivered: { at: stamp.at, how } } : one,
  );
  showProgress(draft);
  return undefined;
};

/** The turn was ended for words; its edits and its session stay, and the next turn says them. */
const onInterrupted = (draft: StepDraft, input: InputOf<'worker.turn.interrupted'>): HandlerRuling => {
  const { run } = draft;
  countSpending(draft, input);
  recordDiscardedEdits(draft, input.discardedEdits ?? null);
  run.agent.containment = input.containment;
  run.agent.exposedCredentials = input.exposedCredentials ?? null;
  const spent = findExhaustedBudget(run, 'agent');
  if (spent) return void stopForBudget(draft, spent);
  addWork(draft, { kind: 'implement', round: run.agent.round });
  return undefined;
};

export const WORDS_COMMANDS = [
  /** E21: words of an operator to the agent of this run, whatever it does now. */
  defineCommand({
    type: 'command.agent.tell',
    fields: { by: Person, words: z.string().min(1).max(20_000), when: z.enum(WORDS_TIMES) },
    moves: [
      ...stayIn(HEARING_STATES, 'queued for the agent'),
      moveFrom(['LOCAL_VALIDATING'], ['IMPLEMENTING', 'NEEDS_HUMAN_REVIEW'], 'now, in place of the checks'),
      moveFrom(['ITERATING'], ['NEEDS_HUMAN_REVIEW'], 'now, and no budget is left'),
    ],
    handle: (d, input): HandlerRuling => onTold(d, input),
  }),
  /** E21: says queued words at another time; null means all of them. */
  defineCommand({
    type: 'command.words.schedule',
    fields: { by: Person, no: z.number().int().nullable(), when: z.enum(WORDS_TIMES) },
    moves: [
      ...stayIn(HEARING_STATES, 'now, or after this turn'),
      moveFrom(['LOCAL_VALIDATING'], ['IMPLEMENTING', 'NEEDS_HUMAN_REVIEW'], 'now, in place of the checks'),
      moveFrom(['ITERATING'], ['NEEDS_HUMAN_REVIEW'], 'now, and no budget is left'),
    ],
    handle: (d, input): HandlerRuling => onScheduled(d, input),
  }),
];

export const WORDS_RESULTS = [
  /** E21: a conversation has these words; they are said to it once. */
  defineResult({
    type: 'worker.words.delivered',
    fields: { nos: z.array(z.number().int()).min(1), how: z.enum(['stream', 'prompt']) },
    moves: stayIn(
      [...AGENTS, 'LOCAL_VALIDATING', 'PAUSED', 'NEEDS_HUMAN_REVIEW', 'FAILED_RETRYABLE'],
      'words that the agent has heard',
    ),
    // What was heard was heard, though the run has moved on since.
    late: (d, input): HandlerRuling => onDelivered(d, input),
    handle: (d, input): HandlerRuling => onDelivered(d, input),
  }),
  defineResult({
    type: 'worker.turn.interrupted',
    fields: {
      session: AgentSession.nullable(),
      usage: ModelUsage,
      ms: z.number(),
      outputBytes: OUTPUT_BYTES,
      turns: TURNS,
      containment: ContainmentLevel,
      exposedCredentials: ExposedCredential.nullable().exactOptional(),
      discardedEdits: DISCARDED_EDITS,
    },
    moves: [
      ...stayIn(AGENTS, 'the same round again, with the words'),
      moveFrom(AGENTS, ['NEEDS_HUMAN_REVIEW'], 'no budget is left'),
      ...stayPaused(),
    ],
    handle: (d, input): HandlerRuling => onInterrupted(d, input),
  }),
];
