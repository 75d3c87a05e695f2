/** A step under construction: the next run, the effects it asks for and the approval rows it changes. Local to one `step`. */
import type { ApprovalChange, Effect, View, Work } from './effects.ts';
import type { Input, Stamp } from './inputs.ts';
import type { ApprovalKind, Run } from './run.ts';
import { isTerminal, isWaiting, isWorking, type State } from './states.ts';

export type Draft = {
  run: Run;
  stamp: Stamp;
  effects: Effect[];
  approvals: ApprovalChange[];
};

export const begin = (run: Run, stamp: Stamp): Draft => ({
  run: { ...run, version: run.version + 1, updatedAt: stamp.at },
  stamp,
  effects: [],
  approvals: [],
});

export const work = (d: Draft, effect: Work, delay = 0): number =>
  d.effects.push({ do: effect, dueAt: d.stamp.at + delay }) - 1;

export const wake = (d: Draft, input: Input, delay: number): void => {
  d.effects.push({ do: { kind: 'wake', input }, dueAt: d.stamp.at + delay });
};

type Telling = { slot?: string; urgent?: boolean; sound?: boolean };
export const tell = (d: Draft, show: View, { slot, urgent = false, sound = false }: Telling = {}): void => {
  if (d.run.order.chat === null) return;
  d.effects.push({ do: { kind: 'tell', slot: slot ?? null, show, urgent, sound }, dueAt: d.stamp.at });
};

export const gateSlot = (approvalId: string): string => `gate:${approvalId}`;
export const progressSlot = (runId: string): string => `progress:${runId}`;

/** Shows a gate card, or edits it in place: the newest of a slot wins. */
export const showGate = (d: Draft, approvalId: string, sound: boolean): void =>
  tell(
    d,
    { view: 'gate', approvalId, armedBy: null, armedUntil: null },
    { slot: gateSlot(approvalId), urgent: true, sound },
  );

/** Asks for a signature on what `run.proposal` says. The id is the step's nonce, so that nobody can guess it. */
export const ask = (d: Draft, kind: ApprovalKind): void => {
  const { proposal, order } = d.run;
  if (!proposal) throw new Error(`no proposal to ask about on run ${d.run.id}`);
  const { approvalMs, approvals: needed } = order.bounds;
  const expiresAt = d.stamp.at + approvalMs;
  const id = d.stamp.nonce;
  d.run.approval = { id, kind, digest: proposal.digest, expiresAt, needed, signatures: [] };
  d.approvals.push({ op: 'open', id, kind, digest: proposal.digest, expiresAt, needed });
  wake(d, { type: 'timer.approval.expired', approvalId: id }, approvalMs);
  showGate(d, id, true);
};

export const closeApproval = (d: Draft, state: 'void' | 'denied' | 'expired', reason: string): void => {
  const { approval } = d.run;
  if (!approval) return;
  d.run.approval = null;
  d.approvals.push({ op: 'close', id: approval.id, state, reason });
  showGate(d, approval.id, false);
};

const FROM: readonly State[] = ['PAUSED', 'FAILED_RETRYABLE', 'NEEDS_HUMAN_REVIEW'];

/**
 * Enters a state: the epoch moves on, so that pending effects and timers of the old one are void; a live card is void;
 * the new state's work, timer and messages are asked for (S6). `resting` leaves out the work: a kept result stands in.
 */
export const enter = (d: Draft, to: State, reason: string, { resting = false } = {}): void => {
  const from = d.run.state;
  closeApproval(d, 'void', reason);
  d.run.back = FROM.includes(to) ? (FROM.includes(from) ? d.run.back : from) : null;
  d.run.state = to;
  d.run.reason = reason;
  d.run.since = d.stamp.at;
  d.run.epoch = d.run.version;
  d.run.counts = { ...d.run.counts, reminders: 0 };
  if (to !== 'PAUSED') d.run.kept = null;
  for (const e of d.effects.splice(0)) if (e.do.kind === 'tell') d.effects.push(e);
  tell(d, { view: 'progress' }, { slot: progressSlot(d.run.id) });
  if (!resting) startWork(d);
  watch(d);
};

const startWork = (d: Draft): void => {
  const { run } = d;
  switch (run.state) {
    case 'QUEUED':
      work(d, { kind: 'start' });
      break;
    case 'DISCOVERY':
      work(d, { kind: 'discover' });
      break;
    case 'IMPLEMENTING':
    case 'ITERATING':
      work(d, { kind: 'implement', feedback: run.feedback });
      break;
    case 'LOCAL_VALIDATING':
      if (run.commit) work(d, { kind: 'check', commitSha: run.commit.sha });
      break;
    case 'PUSHED':
      ask(d, 'open_pr');
      break;
    case 'PLAN_READY':
    case 'CI_WAIT':
    case 'REVIEW_WAIT':
    case 'PAUSED':
    case 'NEEDS_HUMAN_REVIEW':
    case 'FAILED_RETRYABLE':
    case 'DONE':
    case 'SKIPPED':
    case 'FAILED_TERMINAL':
      break;
    default:
      run.state satisfies never;
  }
};

/** Timers, the forge's watcher and the messages of a state. */
const watch = (d: Draft): void => {
  const { run } = d;
  const { bounds } = run.order;
  const epoch = run.epoch;
  if (isTerminal(run.state)) {
    tell(d, { view: 'ended' }, { sound: run.state === 'FAILED_TERMINAL' });
    work(d, { kind: 'clean' });
    return;
  }
  if (isWorking(run.state)) wake(d, { type: 'timer.timeout', epoch }, timeLeft(run));
  if (isWaiting(run.state) && run.state !== 'PUSHED') remind(d);
  if (run.state === 'NEEDS_HUMAN_REVIEW') tell(d, { view: 'attention' }, { urgent: true, sound: true });
  if (run.state === 'PAUSED') tell(d, { view: 'attention' }, { urgent: true });
  if (run.pushed || run.pr) work(d, { kind: 'observe', everyMs: bounds.pollMs });
};

/** Time left of `max_run_minutes`, in ms. */
export const timeLeft = (run: Run): number => Math.max(0, run.order.bounds.runMs - run.workedMs);

/** S6: a person, or the forge, is waited for no longer than this before somebody is asked again. */
export const remind = (d: Draft): void => {
  const { run } = d;
  const { ciWaitMs, reviewWaitMs, reminderMs } = run.order.bounds;
  const first = run.state === 'CI_WAIT' ? ciWaitMs : run.state === 'REVIEW_WAIT' ? reviewWaitMs : reminderMs;
  wake(d, { type: 'timer.reminder', epoch: run.epoch }, first * 2 ** Math.min(run.counts.reminders, 6));
};
