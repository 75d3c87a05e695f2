/** S2: decides which results count: current ones, late ones that state a fact, stored ones. */
import type { StepDraft } from './step-draft.ts';
import type { InputHandler, HandlerRuling } from './input-handler.ts';
import { isResult, type Input, type InputOf, type ResultType } from '../inputs/inputs.ts';
import { baseFollowed } from '../upstream/on-base-moved.ts';
import { baseMerged, headRead } from '../upstream/on-branch.ts';
import { baseChecked, onDiscovered, onContractRefined } from '../preparation/on-discovery.ts';
import { onStepFailed } from './on-failure.ts';
import { planUpdated } from '../rounds/on-plan.ts';
import { onPullOpened } from '../gate/on-opened.ts';
import { onImplemented, keepResult, landedLate, onPushed, onValidated } from './on-result.ts';
import { awaitsTurn, recordSlotWait, recordReportedUsage, spentLate } from './on-limits.ts';
import { onCallRepeated } from '../rounds/on-call-repeated.ts';
import { onPermissionAsked, onGrantUsed } from '../rounds/on-permission-asked.ts';
import { onChecksCompared } from '../ci/on-checks-compared.ts';
import { onRepliesPosted, onRepliesSealed } from '../reviews/on-review-threads.ts';
import { onEditAssessed } from '../gate/on-edited-pr-text.ts';

/** `now` handles a result of the current epoch, `late` one of a past epoch or of a paused run. */
type Row<T extends ResultType> = { now: InputHandler<T>; late: InputHandler<T> };

const RESULT_ROWS: { readonly [T in ResultType]: Row<T> } = {
  'worker.start.queued': { now: recordSlotWait, late: keepResult },
  'worker.discovery.completed': { now: onDiscovered, late: keepResult },
  'worker.base.checked': { now: baseChecked, late: keepResult },
  'worker.contract.refined': { now: onContractRefined, late: keepResult },
  'worker.implementation.completed': { now: onImplemented, late: keepResult },
  'worker.plan.updated': { now: planUpdated, late: keepResult },
  'worker.validation.completed': { now: onValidated, late: keepResult },
  'worker.proposal.modified': { now: onEditAssessed, late: keepResult },
  'worker.ci.compared': { now: onChecksCompared, late: keepResult },
  'worker.replies.sealed': { now: onRepliesSealed, late: keepResult },
  'worker.base.merged': { now: baseMerged, late: keepResult },
  // The comparison is requested again whenever work on the change begins.
  'worker.base.compared': { now: baseFollowed, late: () => ({ ignore: 'stale result' }) },
  'worker.head.read': { now: headRead, late: keepResult },
  'worker.step.failed': { now: onStepFailed, late: keepResult },
  'worker.permission.asked': { now: onPermissionAsked, late: keepResult },
  'worker.call.repeated': { now: onCallRepeated, late: () => ({ ignore: 'stale result' }) },
  'worker.permission.used': { now: onGrantUsed, late: () => ({ ignore: 'stale result' }) },
  // Publications and usage are facts, whatever the run has moved on to.
  'worker.push.completed': { now: onPushed, late: landedLate },
  'worker.pr.opened': { now: onPullOpened, late: onPullOpened },
  'worker.replies.posted': { now: onRepliesPosted, late: onRepliesPosted },
  'worker.slot.awaited': { now: awaitsTurn, late: () => ({ ignore: 'stale result' }) },
  'worker.usage.reported': { now: recordReportedUsage, late: spentLate },
};

const ruleOf = <T extends ResultType>(
  type: T,
  when: keyof Row<T>,
  d: StepDraft,
  input: InputOf<T>,
): HandlerRuling => RESULT_ROWS[type][when](d, input);

export const onResult = (d: StepDraft, input: InputOf<ResultType>): HandlerRuling => {
  const { run, stamp } = d;
  // guard: S2-result-epoch
  const current = stamp.effectEpoch === run.lifecycle.epoch && run.lifecycle.state !== 'PAUSED';
  return ruleOf(input.type, current ? 'now' : 'late', d, input);
};

/** Facts about the code host and usage count even after the lease or the epoch ended. */
export const holdsWhenLate = (input: Input): boolean =>
  isResult(input) && RESULT_ROWS[input.type].late !== keepResult;

export const applyDeferredResult = (d: StepDraft, input: InputOf<ResultType>): HandlerRuling =>
  ruleOf(input.type, 'now', d, input);
