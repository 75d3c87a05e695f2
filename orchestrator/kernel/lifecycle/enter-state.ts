/** Enters a state: voids what belonged to the former one, and starts the work of the new one (S6). */
import { remainingRunMs } from './run-budget.ts';
import { forgetQueuedChecks } from '../ci/ci-facts.ts';
import { currentVerdict } from '../ci/ci-verdict.ts';
import { isUncompared, rewriteChecks } from '../ci/compared-checks.ts';
import type { MessageView } from '../effects/effect-types.ts';
import { awaitsForeignCall } from '../run/foreign-commit.ts';
import { findOpenQuestion, isFixAwaitingChecks, isBaseUpdateDue, type Run } from '../run/run.ts';
import type { CiVerdict } from '#model/ci';
import { hasSetupFields } from '#model/opening';
import { hasRequirementRule } from '#model/requirements';
import { remarkCallDueAt, remarkCallSlot, isAnswerable } from '#model/review';
import { isStopped, isTerminal, isWatching, isWorking, STATE_TRAITS, type RunState } from '#model/run';
import { backoffDelay } from '#model/values';
import type { Reason } from '../run/reasons.ts';
import { FIRST_POLL_MS, reopeningDeadline } from '../upstream/reopening.ts';
import {
  addMessage,
  addOutageMessage,
  addOfferedInput,
  addWork,
  askToSign,
  attentionView,
  attentionSlot,
  closeApproval,
  closeRepeatedCalls,
  endQuestion,
  progressSlot,
  reminderSlot,
  showGate,
  type StepDraft,
} from './step-draft.ts';

const reminderSlotsOf = (run: Run): string[] =>
  Array.from({ length: run.lifecycle.counts.reminders }, (_, i) => reminderSlot(run, i + 1));
const isOpenCall = (show: MessageView): boolean => show.view === 'attention' && show.answered !== true;

/** S6: the new epoch voids effects, timers and a live card. A stored result replaces the work. */
export const enterState = (
  draft: StepDraft,
  to: RunState,
  reason: Reason,
  { resting = false, ring = false }: { resting?: boolean; ring?: boolean } = {},
): void => {
  const { run } = draft;
  const from = run.lifecycle.state;
  const isCall = (callsSomebody(run) && !awaitsForeignCall(run)) || from === 'PAUSED';
  const call = isCall && run.order.campaign === undefined ? attentionSlot(run) : null;
  const reminders = run.order.campaign === undefined ? reminderSlotsOf(run) : [];
  // guard: G3-void-when-moved
  closeApproval(draft, 'void', reason);
  if (run.gate.consumedApproval?.epoch === run.lifecycle.epoch)
    showGate(draft, run.gate.consumedApproval.id, { sound: false });
  forgetRerun(draft);
  run.lifecycle.resumeState = isStopped(to) ? (isStopped(from) ? run.lifecycle.resumeState : from) : null;
  run.lifecycle.pausedEpoch = to === 'PAUSED' ? run.lifecycle.epoch : null;
  run.lifecycle.state = to;
  run.lifecycle.reason = reason;
  run.lifecycle.stateEnteredAt = draft.stamp.at;
  run.lifecycle.epoch = run.lifecycle.version;
  run.lifecycle.counts = { ...run.lifecycle.counts, reminders: 0 };
  run.lifecycle.deferredResult = null;
  const question = findOpenQuestion(run);
  // guard: E21-moved-on-told
  if (question && (isWorking(to) || isTerminal(to) || to === 'PAUSED'))
    endQuestion(draft, question, { kind: 'moved_on' });
  closeRepeatedCalls(draft);
  // Drop work, timers and calls for attention of a state that this step only passed through.
  const made = draft.effects.splice(0);
  draft.effects.push(
    ...made.filter(({ do: work }) => work.kind === 'chat_message' && !isOpenCall(work.content)),
  );
  const isUnsent = made.some(({ do: work }) => work.kind === 'chat_message' && work.slot === call);
  addMessage(draft, { view: 'progress' }, { slot: progressSlot(run.id) });
  for (const slot of call === null || isUnsent ? reminders : [call, ...reminders])
    addMessage(draft, { view: 'attention', answered: true }, { slot, urgent: true });
  if (!resting) startWork(draft);
  watchState(draft, { ring });
};

/** A requested re-run may not have begun: read the red checks again. */
const forgetRerun = ({ run, stamp }: StepDraft): void => {
  const { state, reason } = run.lifecycle;
  const asked = reason.kind === 'flaky_rerun' || reason.kind === 'checks_rerun';
  // guard: F6-rerun-not-lost
  if (asked && state === 'CI_WAIT') rewriteChecks(run, (ci) => forgetQueuedChecks(ci, stamp.at));
};

const startWork = (draft: StepDraft): void => WORK_OF_STATE[draft.run.lifecycle.state]?.(draft);

const WORK_OF_STATE: Record<RunState, ((d: StepDraft) => void) | null> = {
  QUEUED: (d) => void addWork(d, { kind: 'start_run' }),
  DISCOVERY: (d) => void addWork(d, { kind: 'discover' }),
  PLAN_READY: (d) => {
    if (!asksPlan(d.run)) addOfferedInput(d, { type: 'command.implementation.start', by: null }, 0);
  },
  IMPLEMENTING: (d) => {
    if (isBaseUpdateDue(d.run)) addWork(d, { kind: 'update_from_base' });
    else addWork(d, { kind: 'implement', round: d.run.agent.round });
  },
  ITERATING: (d) => {
    const { run } = d;
    // guard: F12-compared-first
    if (run.target.pendingBaseChange) addWork(d, { kind: 'compare_base' });
    else if (isBaseUpdateDue(run)) addWork(d, { kind: 'update_from_base' });
    else if (run.change.commit && isFixAwaitingChecks(run))
      addWork(d, { kind: 'check', commitSha: run.change.commit.sha });
    else if (run.agent.round.kind === 'ci_fix' && run.change.pushedHead && isUncompared(run))
      addWork(d, { kind: 'compare_checks', sha: run.change.pushedHead.sha });
    else addWork(d, { kind: 'implement', round: run.agent.round });
  },
  LOCAL_VALIDATING: (d) => {
    if (d.run.change.commit) addWork(d, { kind: 'check', commitSha: d.run.change.commit.sha });
  },
  PUSHED: (d) => askToSign(d, 'open_pr'),
  CI_WAIT: (d) => {
    setUpPull(d);
    requestReplies(d);
  },
  REVIEW_WAIT: (d) => {
    setUpPull(d);
    requestReplies(d);
  },
  PAUSED: null,
  NEEDS_HUMAN_REVIEW: null,
  FAILED_RETRYABLE: null,
  DONE: null,
  SKIPPED: null,
  FAILED_TERMINAL: null,
};

const GREEN: readonly CiVerdict[] = ['GREEN', 'GREEN_REQUIRED', 'GREEN_SEEN'];

/** F13: asked for in each state until it is done, as a state that is left takes its effects along. */
const setUpPull = (d: StepDraft): void => {
  const { pullRequest: pr } = d.run.upstream;
  if (!pr?.setup) return;
  if (hasSetupFields(pr.setup) && !pr.setUp?.fields)
    addWork(d, { kind: 'set_up_pull', pull: pr.id, what: 'fields' });
  // Without checks nothing is green, so a person ends the draft.
  const isGreen = GREEN.includes(currentVerdict(d.run));
  // guard: F13-ready-as-signed
  if (pr.setup.readyWhenGreen && isGreen && !pr.setUp?.ready)
    addWork(d, { kind: 'set_up_pull', pull: pr.id, what: 'ready' });
};

/** F7: judges and seals the remarks that can be answered; earlier signatures become void. */
export const requestReplies = (draft: StepDraft): void => {
  draft.run.review.pendingReplies = null;
  const own = hasRequirementRule(draft.run.target.contract, 'words');
  if (draft.run.review.chosenRemarks.some((item) => isAnswerable(item, own)))
    addWork(draft, { kind: 'seal_replies' });
};

const asksPlan = (run: Run): boolean =>
  run.lifecycle.state === 'PLAN_READY' && run.target.escalation !== null;

const callsSomebody = (run: Run): boolean => run.lifecycle.state === 'NEEDS_HUMAN_REVIEW' || asksPlan(run);

const watchState = (draft: StepDraft, { ring }: { ring: boolean }): void => {
  const { run } = draft;
  const { bounds } = run.order;
  if (isTerminal(run.lifecycle.state)) {
    const sound =
      run.lifecycle.state === 'FAILED_TERMINAL' && run.lifecycle.reason.kind !== 'ended_by_person';
    addMessage(draft, { view: 'ended' }, { sound });
    addWork(draft, { kind: 'remove_workspace' });
    // guard: S11-looked-for
    if (reopeningDeadline(run) !== null)
      addWork(draft, { kind: 'poll', intervalMs: bounds.pollMs }, FIRST_POLL_MS);
    endRemarkCalls(draft);
    addOutageMessage(draft, run.upstream.observed.outage);
    return;
  }
  const asked = callsSomebody(run);
  if (isWorking(run.lifecycle.state) && !asked) addTimeLimit(draft);
  // guard: S6-reminder
  if (asked || STATE_TRAITS[run.lifecycle.state].reminder !== null) addReminder(draft);
  if (isWatching(run.lifecycle.state)) addRemarkCall(draft);
  // A foreign head calls a user once it was read.
  const calls = asked && run.lifecycle.reason.kind !== 'foreign_head';
  // guard: S7-bound-calls-person
  if (calls) addMessage(draft, attentionView(run), { slot: attentionSlot(run), urgent: true, sound: true });
  if (run.lifecycle.state === 'PAUSED')
    addMessage(draft, { view: 'attention' }, { slot: attentionSlot(run), urgent: true, sound: ring });
  if (run.change.pushedHead || run.upstream.pullRequest)
    addWork(draft, { kind: 'poll', intervalMs: bounds.pollMs });
};

/** E6: limits working states whose process never starts and so cannot be stopped by a budget. */
export const addTimeLimit = (draft: StepDraft): void => {
  const { run } = draft;
  const limit = run.lifecycle.raisedLimits.runMs;
  const timer = {
    type: 'timer.timeout',
    epoch: run.lifecycle.epoch,
    ...(limit === undefined ? {} : { limit }),
  } as const;
  addOfferedInput(draft, timer, remainingRunMs(run) + STALL_MS);
};
const STALL_MS = 300_000;

/** S6: asks again after this long without an answer from people or the code host. */
export const addReminder = (draft: StepDraft): void => {
  const { run } = draft;
  const first = run.order.bounds[STATE_TRAITS[run.lifecycle.state].reminder ?? 'reminderMs'];
  addOfferedInput(
    draft,
    { type: 'timer.reminder', epoch: run.lifecycle.epoch },
    backoffDelay(run.lifecycle.counts.reminders, { first, most: 64 * first }),
  );
};

export const addRemarkCall = (draft: StepDraft): void => {
  const due = remarkCallDueAt(draft.run);
  const timer = { type: 'timer.remarks.due', epoch: draft.run.lifecycle.epoch } as const;
  if (due !== null) addOfferedInput(draft, timer, Math.max(0, due - draft.stamp.at));
};

export const endRemarkCalls = (draft: StepDraft): void => {
  for (const at of draft.run.review.remarks?.calledAt ?? [])
    addMessage(
      draft,
      { view: 'open_remarks', remarks: [], closes: false, settled: true },
      { slot: remarkCallSlot(draft.run.id, at) },
    );
};
