/**
 * S2: which results count: those of the current epoch, those that state a fact all the same, and
 * those kept for resume.
 */
import type { Draft } from './draft.ts';
import type { InputHandler, Ruling } from './handler.ts';
import { isResult, type Input, type InputOf, type ResultType } from './inputs.ts';
import { baseFollowed } from './on-base-moved.ts';
import { baseMerged, headRead } from './on-branch.ts';
import { baseChecked, discovered, refined } from './on-discovery.ts';
import { failed } from './on-failure.ts';
import { planUpdated } from './on-plan.ts';
import { opened } from './on-opened.ts';
import { implemented, keep, landedLate, pushed, validated } from './on-result.ts';
import { awaitsTurn, recordSlotWait, recordReportedUsage, spentLate } from './on-limits.ts';
import { asked, used } from './on-permission.ts';
import { ciCompared } from './on-red.ts';
import { posted, sealed } from './on-talk.ts';
import { wordsJudged } from './on-words.ts';

/**
 * `now` is for a result of the current epoch, `late` for one of an epoch that is over, or of a run
 * that is paused.
 */
type Row<T extends ResultType> = { now: InputHandler<T>; late: InputHandler<T> };

const ROWS: { readonly [T in ResultType]: Row<T> } = {
  'worker.start.queued': { now: recordSlotWait, late: keep },
  'worker.discovery.completed': { now: discovered, late: keep },
  'worker.base.checked': { now: baseChecked, late: keep },
  'worker.contract.refined': { now: refined, late: keep },
  'worker.implementation.completed': { now: implemented, late: keep },
  'worker.plan.updated': { now: planUpdated, late: keep },
  'worker.validation.completed': { now: validated, late: keep },
  'worker.proposal.modified': { now: wordsJudged, late: keep },
  'worker.ci.compared': { now: ciCompared, late: keep },
  'worker.replies.sealed': { now: sealed, late: keep },
  'worker.base.merged': { now: baseMerged, late: keep },
  // It is asked for again whenever work on the change begins.
  'worker.base.compared': { now: baseFollowed, late: () => ({ ignore: 'stale result' }) },
  'worker.head.read': { now: headRead, late: keep },
  'worker.step.failed': { now: failed, late: keep },
  'worker.permission.asked': { now: asked, late: keep },
  'worker.permission.used': { now: used, late: () => ({ ignore: 'stale result' }) },
  // What is public, or used up, is true whatever the run has moved on to.
  'worker.push.completed': { now: pushed, late: landedLate },
  'worker.pr.opened': { now: opened, late: opened },
  'worker.replies.posted': { now: posted, late: posted },
  'worker.slot.awaited': { now: awaitsTurn, late: () => ({ ignore: 'stale result' }) },
  'worker.usage.reported': { now: recordReportedUsage, late: spentLate },
};

const ruleOf = <T extends ResultType>(type: T, when: keyof Row<T>, d: Draft, input: InputOf<T>): Ruling =>
  ROWS[type][when](d, input);

export const onResult = (d: Draft, input: InputOf<ResultType>): Ruling => {
  const { run, stamp } = d;
  // guard: S2-result-epoch
  const current = stamp.effectEpoch === run.lifecycle.epoch && run.lifecycle.state !== 'PAUSED';
  return ruleOf(input.type, current ? 'now' : 'late', d, input);
};

/**
 * It states what the code host holds, or what was used up: that counts also when its lease or its
 * epoch is over.
 */
export const holdsWhenLate = (input: Input): boolean => isResult(input) && ROWS[input.type].late !== keep;

/** What a kept result says, when the run is resumed where it was. */
export const apply = (d: Draft, input: InputOf<ResultType>): Ruling => ruleOf(input.type, 'now', d, input);
