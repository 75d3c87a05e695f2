/** Words of operators to a working agent: queued until a conversation has them, and kept for the card (E21). */
import { isTerminal, type RunState } from '#model/run';
import { engineOf } from './proposer-rotation.ts';
import { ROUND_ROWS, type RoundKind } from './round-table.ts';

/** `now`: in the turn that is under way. `after`: once that turn is over. */
export const WORDS_TIMES = ['now', 'after'] as const;
type WordsTime = (typeof WORDS_TIMES)[number];

/** `no` counts from 1 within the run; times in epoch ms. */
export type OperatorWords = {
  no: number;
  by: string;
  words: string;
  at: number;
  when: WordsTime;
  /** `stream`: within a turn. `prompt`: with the next one. */
  delivered?: { at: number; how: 'stream' | 'prompt' };
};
type Told = { agent: { operatorWords?: readonly OperatorWords[] } };

export const MAX_QUEUED_WORDS = 20;
const MAX_KEPT_WORDS = 40;

export const operatorWordsOf = ({ agent }: Told): readonly OperatorWords[] => agent.operatorWords ?? [];
// guard: E21-delivered-once
export const selectQueuedWords = (run: Told): OperatorWords[] =>
  operatorWordsOf(run).filter((one) => !one.delivered);
export const selectDeliveredWords = (run: Told): OperatorWords[] =>
  operatorWordsOf(run).filter((one) => one.delivered);

/** Undelivered words are never dropped for newer ones. */
export const addWords = (run: Told, told: Omit<OperatorWords, 'no'>): void => {
  const before = operatorWordsOf(run);
  const no = (before.at(-1)?.no ?? 0) + 1;
  const over = Math.max(0, selectDeliveredWords(run).length - MAX_KEPT_WORDS);
  const dropped = selectDeliveredWords(run).slice(0, over);
  run.agent.operatorWords = [...before.filter((one) => !dropped.includes(one)), { no, ...told }];
};

export const setWordsTime = (run: Told, which: readonly OperatorWords[], when: WordsTime): void => {
  run.agent.operatorWords = operatorWordsOf(run).map((one) => (which.includes(one) ? { ...one, when } : one));
};

/** Rounds that only repair a report or read the repository are told nothing. */
export const canHearWords = (kind: RoundKind): boolean =>
  ROUND_ROWS[kind].verifiedBy === 'checks' || ROUND_ROWS[kind].verifiedBy === 'plan';

/** The same bytes in every delivery of it, so that a conversation that has it can be recognised. */
export const renderWords = ({ no, words }: Pick<OperatorWords, 'no' | 'words'>): string =>
  `An operator of this run tells you now (message ${no}); it counts more than what you were told before:\n\n${words}`;

const HEARING: readonly RunState[] = [
  'QUEUED',
  'DISCOVERY',
  'PLAN_READY',
  'IMPLEMENTING',
  'LOCAL_VALIDATING',
  'ITERATING',
];
type Working = { lifecycle: { state: RunState; resumeState: RunState | null } };
/** A run whose agent works, will begin to, or waits only for our checks. */
export const isHearing = ({ lifecycle: { state, resumeState: back } }: Working): boolean =>
  !isTerminal(state) && HEARING.includes(state === 'PAUSED' && back !== null ? back : state);
export const HEARING_STATES: readonly RunState[] = [...HEARING, 'PAUSED'];

type Hearer = Working &
  Parameters<typeof engineOf>[0] & {
    agent: { round: { kind: RoundKind } };
    gate: { approval: object | null; consumedApproval: { epoch: number } | null };
    lifecycle: { epoch: number; reason: { kind: string } };
  };
/**
 * What its agent can be told now: nothing (null) where none works, where a card or a push that
 * follows one comes first, or where it was stopped; and nothing that a script would read.
 */
export const operatorWordsMode = (run: Hearer): 'words' | 'script' | null => {
  const { agent, gate, lifecycle } = run;
  const isPublishing =
    lifecycle.reason.kind === 'pushing' || gate.consumedApproval?.epoch === lifecycle.epoch;
  // Who stopped the agent tells it more once it works again; what was told before waits for that.
  const isKept = agent.round.kind === 'kept_edits';
  if (!isHearing(run) || gate.approval || isPublishing || isKept) return null;
  return engineOf(run) === 'script' ? 'script' : 'words';
};
