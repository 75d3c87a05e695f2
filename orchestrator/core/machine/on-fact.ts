/** Facts from the forge and from clocks. They are never refused: they fold in, and the state is settled from them. */
import { usedUp } from './budget.ts';
import {
  attentionOf,
  attentionSlot,
  ask,
  closeApproval,
  enter,
  outOf,
  remind,
  tell,
  tellOfSight,
  type Draft,
} from './draft.ts';
import { handle, type Handlers, type Ruling } from './handler.ts';
import type { FactType, InputOf } from './inputs.ts';
import { mayEnter } from './may-enter.ts';
import { retryLater } from './on-failure.ts';
import { failure } from './reasons.ts';
import { STATE, workerIn } from '../states.ts';
import { spendsIn } from './run.ts';
import { fold, settle, type SeenFact } from './settle.ts';
import { isSame } from './sight.ts';

export const onFact = (d: Draft, input: InputOf<FactType>): Ruling => {
  const stale = 'epoch' in input && input.epoch !== d.run.epoch;
  return stale ? { ignore: 'stale timer' } : handle(FACT_HANDLERS, input.type, d, input);
};

/** Folds a fact in, settles the state from all of them, and tells what a person may want to know of it. */
const observed = (d: Draft, input: SeenFact): Ruling => {
  const { run } = d;
  const { state, epoch } = run;
  const stood = run.seen.pull?.standing;
  const told = fold(d, input);
  const conflicted = stood !== 'conflicts' && run.seen.pull?.standing === 'conflicts';
  const heard = input.type === 'forge.review.submitted' && tellReview(d, input, told);
  settle(d);
  if (conflicted && run.epoch === epoch) tellConflict(d);
  return told || heard || run.state !== state ? undefined : { ignore: 'nothing new' };
};

const FACT_HANDLERS: Handlers<FactType> = {
  'forge.pull.observed': observed,
  'forge.head.observed': observed,
  'forge.check.completed': observed,
  'forge.ci.observed': observed,
  'forge.review.submitted': observed,
  'forge.comment.created': (d, input) => {
    const { run } = d;
    if (!run.pr) return { ignore: 'no pull request' };
    if (run.seen.comments.includes(input.url)) return { ignore: 'told already' };
    run.seen = { ...run.seen, comments: [...run.seen.comments, input.url].slice(-COMMENTS) };
    tellWords(d, input, input.url);
    return undefined;
  },
  'forge.look.failed': (d, { type: _type, ...blind }) => {
    const { run } = d;
    const before = run.seen.blind;
    if (before && isSame(before.trouble, blind.trouble)) return { ignore: 'known already' };
    // One spell, whatever the answers in it: it began when the first look failed.
    run.seen = {
      ...run.seen,
      blind: before ? { ...before, trouble: blind.trouble } : blind,
    };
    tellOfSight(d, run.seen.blind);
    return undefined;
  },
  'forge.look.worked': (d) => {
    const { run } = d;
    const { blind } = run.seen;
    if (!blind) return { ignore: 'nothing new' };
    run.seen = { ...run.seen, blind: null };
    tellOfSight(d, blind);
    return undefined;
  },
  'timer.timeout': (d, { limit }) => {
    const { run } = d;
    if (limit !== run.raised.runMs) return { ignore: 'stale limit' };
    // Time in which a person thought is not the step's; what they approved has its own limits.
    if (run.approval || run.consumed?.epoch === run.epoch) return { ignore: 'a person is waited for' };
    const spent = spendsIn(run, run.state) ? usedUp(run, workerIn(run.state)) : null;
    if (spent) return outOf(d, spent) as undefined;
    return retryLater(d, failure({ class: 'timed_out', message: '' }), null);
  },
  'timer.retry': (d) => {
    const { run } = d;
    const { back } = run;
    if (back && mayEnter(run, back)) return void enter(d, back, { kind: 'tries_again' });
    return void enter(d, 'NEEDS_HUMAN_REVIEW', { kind: 'cannot_go_on', at: back ?? run.state });
  },
  'timer.reminder': (d) => {
    const { run } = d;
    run.counts = { ...run.counts, reminders: run.counts.reminders + 1 };
    tell(d, attentionOf(run), { urgent: true, sound: true });
    remind(d);
    return undefined;
  },
  'timer.approval.expired': (d, { approvalId }) => {
    const { approval } = d.run;
    if (approval?.id !== approvalId) return { ignore: 'card closed' };
    closeApproval(d, 'expired', { kind: 'undecided' });
    ask(d, approval.kind);
    return undefined;
  },
};

/** S10: nobody can merge it any more until somebody updates it. */
const tellConflict = (d: Draft): void => {
  if (STATE[d.run.state].updates)
    tell(d, attentionOf(d.run), { slot: attentionSlot(d.run), urgent: true, sound: true });
};

/** How many comments are remembered as told. */
const COMMENTS = 200;

type Words = { author: string; access: 'write' | 'read' | 'unknown'; body: string };
/** P5: nobody's words reach an agent by themselves; a person sees them and may tap. */
const tellWords = (d: Draft, { author, access, body }: Words, url: string): void =>
  tell(d, { view: 'comment', author, access, body, url, passedBy: null }, { slot: `comment:${url}` });

/**
 * A review that moves nothing by itself is shown: a remark, or a wish of somebody without write access. Once, and also where
 * it replaces no opinion of theirs. Returns whether it was news.
 */
const tellReview = (d: Draft, input: InputOf<'forge.review.submitted'>, changed: boolean): boolean => {
  const { pr, seen } = d.run;
  const { id, reviewer, access, state, body } = input;
  const steers = state === 'changes_requested' && access === 'write';
  const says = body.trim() !== '' && (state === 'commented' || state === 'changes_requested');
  // A login may be `constructor`.
  const last = Object.hasOwn(seen.heard, reviewer) ? (seen.heard[reviewer] ?? 0) : -Infinity;
  // One that was told is told anew when it becomes known who wrote it.
  if (!pr || steers || !says || id < last || (id === last && !changed)) return false;
  d.run.seen = { ...seen, heard: { ...seen.heard, [reviewer]: id } };
  tellWords(d, { author: reviewer, access, body }, `${pr.url}#pullrequestreview-${id}`);
  return true;
};
