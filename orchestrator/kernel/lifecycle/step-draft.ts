/** Holds one step under construction: the next run, its effects and approval changes. */
import { askedFirst } from '../preparation/questions-before-work.ts';
import { remainingRunMs } from './run-budget.ts';
import { forgetFailedChecks } from '../ci/ci-facts.ts';
import {
  chatFor,
  type ApprovalChange,
  type Effect,
  type MessageView,
  type WorkEffect,
} from '../model/effect-types.ts';
import type { Input, InputStamp } from '../model/inputs.ts';
import {
  copyRun,
  digestFor,
  fixWaits,
  isToUpdate,
  patchRun,
  type ApprovalKind,
  type Run,
} from '../model/run.ts';
import { isAskedBy } from '../../model/contributor-requirements.ts';
import { remarkCallDueAt, remarkCallSlot } from '../../model/open-remarks.ts';
import { isAnswerable } from '../../model/review-threads.ts';
import { questionOf } from '../model/permissions.ts';
import { stoppedBy } from './excluded-by-run.ts';
import type { Reason } from '../model/reasons.ts';
import { isUnsignable } from '../../model/seal.ts';
import type { PollOutage } from '../../model/outage.ts';
import {
  isStopped,
  isTerminal,
  isWatching,
  isWorking,
  STATE_TRAITS,
  type RunState,
} from '../../model/run-states.ts';
import { backoffDelay } from '../../model/backoff.ts';

export type StepDraft = {
  run: Run;
  stamp: InputStamp;
  effects: Effect[];
  approvals: ApprovalChange[];
};

export const beginStep = (run: Run, stamp: InputStamp): StepDraft => ({
  run: patchRun(copyRun(run), { lifecycle: { version: run.lifecycle.version + 1, updatedAt: stamp.at } }),
  stamp,
  effects: [],
  approvals: [],
});

export const addWork = (d: StepDraft, effect: WorkEffect, delay = 0): number =>
  d.effects.push({ do: effect, dueAt: d.stamp.at + delay }) - 1;

export const addWake = (d: StepDraft, input: Input, delay: number): void => {
  d.effects.push({ do: { kind: 'offer_input', input }, dueAt: d.stamp.at + delay });
};

/** Views that a campaign's card shows for its runs. Questions are sent separately. */
const ON_ITS_CARD: readonly MessageView['view'][] = ['progress', 'ended', 'budget', 'pictures'];
const isOnItsCard = (run: Run, show: MessageView): boolean =>
  ON_ITS_CARD.includes(show.view) ||
  (show.view === 'note' && show.note.kind === 'pull_changed') ||
  (show.view === 'attention' && (stoppedBy(run) !== null || askedFirst(run) !== null));

type Telling = { slot?: string; urgent?: boolean; sound?: boolean };
export const addMessage = (
  d: StepDraft,
  show: MessageView,
  { slot, urgent = false, sound = false }: Telling = {},
): void => {
  if (chatFor(d.run.order, show) === null) return;
  if (d.run.order.campaign !== undefined && isOnItsCard(d.run, show)) return;
  const effect: Effect = {
    do: { kind: 'chat_message', slot: slot ?? null, content: show, urgent, sound },
    dueAt: d.stamp.at,
  };
  // A slot keeps its newest message, replaced in place: approvals name effects by index.
  const same = d.effects.findIndex(
    (e) => e.do.kind === 'chat_message' && e.do.slot !== null && e.do.slot === slot,
  );
  if (same >= 0) d.effects[same] = effect;
  else d.effects.push(effect);
};

/** C4: the agent's question reaches people while its work goes on. */
export const reportQuestion = (d: StepDraft, question: string | null): void => {
  // guard: C4-question-told
  if (question !== null)
    addMessage(d, { view: 'note', note: { kind: 'agent_asked', question } }, { urgent: true });
};

export const refreshProgress = (d: StepDraft, before: Run): void => {
  const { run } = d;
  const blind = run.upstream.observed.outage ?? before.upstream.observed.outage;
  if (
    run.lifecycle.epoch !== before.lifecycle.epoch ||
    !(run.upstream.pullRequest || blind) ||
    isTerminal(run.lifecycle.state)
  )
    return;
  const shown = ({ lifecycle: { reason }, upstream: { observed: seen } }: Run): string =>
    JSON.stringify([reason, seen.ci, seen.reviews, seen.pull?.baseStatus, seen.outage]);
  if (shown(run) !== shown(before)) addMessage(d, { view: 'progress' }, { slot: progressSlot(run.id) });
};

/** A halt has one call for attention, edited when more is known. */
export const attentionSlot = ({ id, lifecycle: { epoch } }: Run): string => `attention:${id}:${epoch}`;
/** A reminder rings, so it is a message of its own, which loses its buttons with the call. */
export const reminderSlot = (run: Run, no: number): string => `${attentionSlot(run)}:${no}`;
const sentReminders = (run: Run): string[] =>
  Array.from({ length: run.lifecycle.counts.reminders }, (_, i) => reminderSlot(run, i + 1));
export const attentionOf = (run: Run): MessageView => {
  const question = questionOf(run);
  if (question) return { view: 'attention', question: question.id };
  const {
    change: { foreignHead: foreign },
  } = run;
  return foreign?.head ? { view: 'attention', head: foreign.head.sha } : { view: 'attention' };
};

/** An outage has one message per chat: the first run's message rings, later ones edit it. */
export const addOutageMessage = (d: StepDraft, blind: PollOutage | null): void => {
  if (!blind) return;
  const { outageId: spell } = blind;
  const slot = `blind:${d.run.order.chat}:${spell}`;
  addMessage(
    d,
    { view: 'outage', outageId: spell },
    { slot, sound: d.run.upstream.observed.outage !== null },
  );
};

export const gateSlot = (approvalId: string): string => `gate:${approvalId}`;
export const progressSlot = (runId: string): string => `progress:${runId}`;

export const showGate = (d: StepDraft, approvalId: string, sound: boolean): void =>
  addMessage(
    d,
    { view: 'gate', approvalId, armedBy: null, armedUntil: null },
    { slot: gateSlot(approvalId), urgent: true, sound },
  );

/** Asks to sign `run.proposal`. The id is the step's nonce, so that nobody can guess it. */
export const askToSign = (d: StepDraft, kind: ApprovalKind): void => {
  const { order } = d.run;
  const digest = digestFor(d.run, kind);
  const {
    gate: { proposal },
  } = d.run;
  if (digest === null) throw new Error(`no proposal to ask about on run ${d.run.id}`);
  if (kind !== 'reply' && proposal && isUnsignable(proposal, kind))
    throw new Error(`nobody can sign a conflict away on run ${d.run.id}`);
  closeApproval(d, 'void', { kind: 'card_replaced' });
  const { approvalMs, approvals: needed } = order.bounds;
  const expiresAt = d.stamp.at + approvalMs;
  // guard: G3-random-card-id
  const id = d.stamp.nonce;
  d.run.gate.approval = { id, kind, digest, expiresAt, needed, signatures: [] };
  d.approvals.push({ op: 'open', id, kind, digest, expiresAt, needed });
  // guard: G3-card-timer
  addWake(d, { type: 'timer.approval.expired', approvalId: id }, approvalMs);
  showGate(d, id, true);
};

export const closeApproval = (d: StepDraft, state: 'void' | 'denied' | 'expired', reason: Reason): void => {
  const {
    gate: { approval },
  } = d.run;
  if (!approval) return;
  d.run.gate.approval = null;
  d.approvals.push({ op: 'close', id: approval.id, state, reason });
  // guard: G4-void-card-shown
  showGate(d, approval.id, false);
};

const isOpenCall = (show: MessageView): boolean => show.view === 'attention' && show.answered !== true;

/** S6: the new epoch voids effects, timers and a live card. A stored result replaces the work. */
export const enterState = (
  d: StepDraft,
  to: RunState,
  reason: Reason,
  { resting = false, ring = false }: { resting?: boolean; ring?: boolean } = {},
): void => {
  const { run } = d;
  const from = run.lifecycle.state;
  const isCall = callsSomebody(run) || from === 'PAUSED';
  const call = isCall && run.order.campaign === undefined ? attentionSlot(run) : null;
  const reminders = run.order.campaign === undefined ? sentReminders(run) : [];
  // guard: G3-void-when-moved
  closeApproval(d, 'void', reason);
  if (run.gate.consumedApproval?.epoch === run.lifecycle.epoch)
    showGate(d, run.gate.consumedApproval.id, false);
  forgetRerun(d);
  run.lifecycle.resumeState = isStopped(to) ? (isStopped(from) ? run.lifecycle.resumeState : from) : null;
  run.lifecycle.pausedEpoch = to === 'PAUSED' ? run.lifecycle.epoch : null;
  run.lifecycle.state = to;
  run.lifecycle.reason = reason;
  run.lifecycle.stateEnteredAt = d.stamp.at;
  run.lifecycle.epoch = run.lifecycle.version;
  run.lifecycle.counts = { ...run.lifecycle.counts, reminders: 0 };
  run.lifecycle.deferredResult = null;
  // Drop work, timers and calls for attention of a state that this step only passed through.
  const made = d.effects.splice(0);
  d.effects.push(...made.filter(({ do: work }) => work.kind === 'chat_message' && !isOpenCall(work.content)));
  const isUnsent = made.some(({ do: work }) => work.kind === 'chat_message' && work.slot === call);
  addMessage(d, { view: 'progress' }, { slot: progressSlot(run.id) });
  for (const slot of call === null || isUnsent ? reminders : [call, ...reminders])
    addMessage(d, { view: 'attention', answered: true }, { slot });
  if (!resting) startWork(d);
  watch(d, ring);
};

/** A requested re-run may not have begun: read the red checks again. */
const forgetRerun = ({ run, stamp }: StepDraft): void => {
  const sha = run.change.pushedHead?.sha ?? '';
  const ci = run.upstream.observed.ci[sha];
  const asked = run.lifecycle.reason.kind === 'flaky_rerun' || run.lifecycle.reason.kind === 'checks_rerun';
  const waits = ci && Object.values(ci.checks).some(({ status }) => status === 'queued');
  // guard: F6-rerun-not-lost
  if (waits && asked && run.lifecycle.state === 'CI_WAIT')
    run.upstream.observed = {
      ...run.upstream.observed,
      ci: { ...run.upstream.observed.ci, [sha]: forgetFailedChecks(ci, stamp.at) },
    };
};

const startWork = (d: StepDraft): void => WORK_OF_STATE[d.run.lifecycle.state]?.(d);

const WORK_OF_STATE: Record<RunState, ((d: StepDraft) => void) | null> = {
  QUEUED: (d) => void addWork(d, { kind: 'start_run' }),
  DISCOVERY: (d) => void addWork(d, { kind: 'discover' }),
  PLAN_READY: (d) => {
    if (!asksPlan(d.run)) addWake(d, { type: 'command.implementation.start', by: null }, 0);
  },
  IMPLEMENTING: (d) => {
    if (isToUpdate(d.run)) addWork(d, { kind: 'merge_base' });
    else addWork(d, { kind: 'implement', round: d.run.agent.round });
  },
  ITERATING: (d) => {
    const { run } = d;
    // guard: F12-compared-first
    if (run.target.pendingBaseChange) addWork(d, { kind: 'compare_base' });
    else if (isToUpdate(run)) addWork(d, { kind: 'merge_base' });
    else if (run.change.commit && fixWaits(run))
      addWork(d, { kind: 'check', commitSha: run.change.commit.sha });
    else addWork(d, { kind: 'implement', round: run.agent.round });
  },
  LOCAL_VALIDATING: (d) => {
    if (d.run.change.commit) addWork(d, { kind: 'check', commitSha: d.run.change.commit.sha });
  },
  PUSHED: (d) => askToSign(d, 'open_pr'),
  CI_WAIT: (d) => requestReplies(d),
  REVIEW_WAIT: (d) => requestReplies(d),
  PAUSED: null,
  NEEDS_HUMAN_REVIEW: null,
  FAILED_RETRYABLE: null,
  DONE: null,
  SKIPPED: null,
  FAILED_TERMINAL: null,
};

/** F7: judges and seals the remarks that can be answered; earlier signatures become void. */
export const requestReplies = (d: StepDraft): void => {
  d.run.review.pendingReplies = null;
  const own = isAskedBy(d.run.target.contract, 'words');
  if (d.run.review.chosenRemarks.some((item) => isAnswerable(item, own)))
    addWork(d, { kind: 'seal_replies' });
};

const asksPlan = (run: Run): boolean =>
  run.lifecycle.state === 'PLAN_READY' && run.target.escalation !== null;

const callsSomebody = (run: Run): boolean => run.lifecycle.state === 'NEEDS_HUMAN_REVIEW' || asksPlan(run);

const watch = (d: StepDraft, ring: boolean): void => {
  const { run } = d;
  const { bounds } = run.order;
  if (isTerminal(run.lifecycle.state)) {
    const sound =
      run.lifecycle.state === 'FAILED_TERMINAL' && run.lifecycle.reason.kind !== 'ended_by_person';
    addMessage(d, { view: 'ended' }, { sound });
    addWork(d, { kind: 'remove_workspace' });
    endRemarkCalls(d);
    addOutageMessage(d, run.upstream.observed.outage);
    return;
  }
  const asked = callsSomebody(run);
  if (isWorking(run.lifecycle.state) && !asked) limitTime(d);
  // guard: S6-reminder
  if (asked || STATE_TRAITS[run.lifecycle.state].reminder !== null) addReminder(d);
  if (isWatching(run.lifecycle.state)) addRemarkCall(d);
  // guard: S7-bound-calls-person
  if (asked) addMessage(d, attentionOf(run), { slot: attentionSlot(run), urgent: true, sound: true });
  if (run.lifecycle.state === 'PAUSED')
    addMessage(d, { view: 'attention' }, { slot: attentionSlot(run), urgent: true, sound: ring });
  if (run.change.pushedHead || run.upstream.pullRequest)
    addWork(d, { kind: 'poll', intervalMs: bounds.pollMs });
};

export const rememberOwnCommit = (run: Run, sha: string): void => {
  if (!run.change.ownCommits.includes(sha)) run.change.ownCommits = [...run.change.ownCommits, sha];
};

/** E6: limits working states whose process never starts and so cannot be stopped by a budget. */
export const limitTime = (d: StepDraft): void => {
  const { run } = d;
  const limit = run.lifecycle.raisedLimits.runMs;
  const timer = {
    type: 'timer.timeout',
    epoch: run.lifecycle.epoch,
    ...(limit === undefined ? {} : { limit }),
  } as const;
  addWake(d, timer, remainingRunMs(run) + STALL_MS);
};
const STALL_MS = 300_000;

/** S6: asks again after this long without an answer from people or the code host. */
export const addReminder = (d: StepDraft): void => {
  const { run } = d;
  const first = run.order.bounds[STATE_TRAITS[run.lifecycle.state].reminder ?? 'reminderMs'];
  addWake(
    d,
    { type: 'timer.reminder', epoch: run.lifecycle.epoch },
    backoffDelay(run.lifecycle.counts.reminders, { first, most: 64 * first }),
  );
};

export const addRemarkCall = (d: StepDraft): void => {
  const due = remarkCallDueAt(d.run);
  const timer = { type: 'timer.remarks.due', epoch: d.run.lifecycle.epoch } as const;
  if (due !== null) addWake(d, timer, Math.max(0, due - d.stamp.at));
};

export const endRemarkCalls = (d: StepDraft): void => {
  for (const at of d.run.review.remarks?.calledAt ?? [])
    addMessage(
      d,
      { view: 'open_remarks', remarks: [], closes: false, over: true },
      { slot: remarkCallSlot(d.run.id, at) },
    );
};

/** Retries are reset only when a state is left by success, so that they stay bounded inside it. */
export const clearRetries = (d: StepDraft): void => {
  d.run.lifecycle.counts = { ...d.run.lifecycle.counts, retries: 0, providerWaits: 0 };
  d.run.lifecycle.providerWait = null;
};
