/** What follows when a step failed: another try, a new card, a pause, a person, or the end; by class and bounds (E5, S7). */
import { usedUp } from './budget.ts';
import {
  attentionOf,
  attentionSlot,
  account,
  ask,
  enter,
  nextRound,
  outOf,
  say,
  showGate,
  tell,
  wake,
  work,
  type Draft,
} from './draft.ts';
import { whyDenied, type Assessment } from './facts.ts';
import { consequence, givenUp, sentence } from './failures.ts';
import type { InputOf } from './inputs.ts';
import type { Verdict } from './machine.ts';
import { providerWait, waitOn } from './patience.ts';
import { within } from './rounds.ts';
import { spendsIn, type Judged, type Run } from './run.ts';
import { unsignable, type Proposal } from './seal.ts';
import { isChecking, isWorking } from './states.ts';
import { undo } from './undone.ts';
import type { Because } from './why.ts';

export const failed = (d: Draft, input: InputOf<'worker.step.failed'>): Verdict => {
  const { run } = d;
  if (run.approval && input.step === 'modify') {
    const text = `The words were not changed: ${sentence(input.class)}`;
    tell(d, { view: 'note', text }, { urgent: true });
    return undefined;
  }
  if (input.step === 'head' || run.state === 'NEEDS_HUMAN_REVIEW') return headUnread(d, input);
  if (run.approval) return { ignore: 'a person is waited for; nothing was under way' };
  if (input.spent) account(d, input.spent);
  if (input.undone) undo(d, input.undone);
  // A conversation that is gone, or too long, is not resumed.
  if (input.class === 'session_lost' || input.class === 'context_exceeded') run.session = null;
  const spent = spendsIn(run, run.state) ? usedUp(run, input.step === 'check' ? 'check' : 'agent') : null;
  if (spent) return outOf(d, spent) as undefined;
  if (input.class === 'invalid_output' && repair(d, input.message)) return undefined;
  if (input.assessment) deniedBy(run, input.step === 'open_pr' ? 'open_pr' : 'push', input.assessment);
  const says = `${sentence(input.class)}${input.message ? ` (${input.message})` : ''}`;
  const publishes = run.state === 'PUSHED' || isChecking(run.state);
  const because = (): Because => becauseOf(input);
  const outside = publishes && (input.step === 'open_pr' || input.step === 'push');
  if (outside && failedAgain(d, says, because())) return undefined;
  const follows = consequence(input.class);
  if (follows === 'terminal') return void enter(d, 'FAILED_TERMINAL', says, { because: because() });
  const same = run.state === 'PUSHED' && follows === 'retry' ? run.proposal : null;
  const next = input.class === 'seal_moved' ? input.proposal : same;
  // Nobody can sign a conflict away: it is updated from its base first.
  const conflicts = next !== null && unsignable(next, next.fields.action);
  if (conflicts) run.proposal = next;
  if (next && !conflicts && askAnew(d, next, says, because())) return undefined;
  if (follows === 'retry' && repeats(run)) return retryLater(d, says, input.retryAt, because());
  return void enter(d, 'NEEDS_HUMAN_REVIEW', says, { because: because() });
};

/** Their commit could not be read, or not be gone on from: the person is told, and may tap again. */
const headUnread = (d: Draft, { step, class: failure, message }: InputOf<'worker.step.failed'>): Verdict => {
  const { run } = d;
  if (!run.foreign || step !== 'head') return { ignore: 'nobody asks about it any more' };
  run.foreign = { ...run.foreign, takenBy: null };
  tell(d, attentionOf(run), { slot: attentionSlot(run), urgent: true });
  const text = `${sentence(failure)}${message ? ` (${message})` : ''}`;
  tell(d, { view: 'note', text }, { urgent: true });
  return undefined;
};

/** P4: what a policy says against a change is what the agent is told when the run is retried. */
export const deniedBy = (run: Run, action: Judged['action'], assessment: Assessment): string => {
  const why = whyDenied(assessment);
  run.denied = { action, assessment };
  run.round = within(run.round, 'rejected', `A policy forbids the change: ${why}`);
  return why;
};

const repeats = ({ state }: Run): boolean => state === 'QUEUED' || isWorking(state);

const becauseOf = ({
  class: failure,
  message,
}: Pick<InputOf<'worker.step.failed'>, 'class' | 'message'>): Because => ({
  kind: 'failed',
  class: failure,
  message,
  tries: null,
  retryAt: null,
});

/** E7: the change stays as it is; the agent is asked for its report once more. */
const repair = (d: Draft, problem: string): boolean => {
  const { run } = d;
  if (run.state !== 'IMPLEMENTING' && run.state !== 'ITERATING') return false;
  const again = nextRound(run, within(run.round, 'report_repair', problem));
  if ('stop' in again) return false;
  run.counts = again.counts;
  run.reason = 'The agent’s report could not be read; it is asked for it again.';
  work(d, { kind: 'implement', round: again.round });
  return true;
};

/** S7: too many outside effects that failed in a row pause the run. */
const failedAgain = (d: Draft, says: string, because: Because): boolean => {
  const { counts, order } = d.run;
  const failedOutside = counts.failedOutside + 1;
  d.run.counts = { ...counts, failedOutside };
  if (failedOutside < order.bounds.maxFailedOutside) return false;
  const reason = `${failedOutside} attempts to reach the code host failed in a row. ${says}`;
  enter(d, 'PAUSED', reason, { ring: true, because });
  return true;
};

/** The used-up card says what became of it, and a new one asks about what would be published now. */
const askAnew = (d: Draft, proposal: Proposal, says: string, because: Because): boolean => {
  const { run } = d;
  const used = run.consumed?.epoch === run.epoch ? run.consumed : null;
  if (!used || proposal.fields.assessment.decision === 'deny') return false;
  run.proposal = proposal;
  say(run, says, because);
  showGate(d, used.id, false);
  ask(d, used.kind);
  return true;
};

/**
 * FAILED_RETRYABLE with a timer that doubles, within the bound; past it a person. Waiting on a provider's clock is free,
 * within a bound of its own.
 */
export const retryLater = (
  d: Draft,
  says: string,
  retryAt: number | null,
  because: Because = becauseOf({ class: 'timed_out', message: '' }),
): undefined => {
  const { run, stamp } = d;
  const { maxStepRetries, retryMs } = run.order.bounds;
  const tries = run.counts.retries;
  const failure = because.kind === 'failed' ? because.class : null;
  const waits = providerWait(d, failure, retryAt);
  if (waits === null && tries >= maxStepRetries) {
    const givenUpBecause = because.kind === 'failed' ? { ...because, tries: tries + 1 } : because;
    enter(d, 'NEEDS_HUMAN_REVIEW', givenUp(says, tries + 1), { because: givenUpBecause });
    return;
  }
  if (waits === null) run.counts = { ...run.counts, retries: tries + 1 };
  const wait = waits ?? retryMs * 2 ** tries;
  const until =
    waits !== null && because.kind === 'failed' ? { ...because, retryAt: stamp.at + wait } : because;
  enter(d, 'FAILED_RETRYABLE', says, { because: until });
  if (waits !== null) waitOn(d, failure ?? 'rate_limited', wait);
  wake(d, { type: 'timer.retry', epoch: run.epoch }, wait);
};
