/** What follows when a step failed: another try, a new card, a pause, a person, or the end; by class and bounds (E5, S7). */
import { account, ask, enter, showGate, timeLeft, wake, work, type Draft } from './draft.ts';
import { whyDenied, type Assessment } from './facts.ts';
import { consequence, givenUp, sentence } from './failures.ts';
import type { InputOf } from './inputs.ts';
import type { Verdict } from './machine.ts';
import { next, within } from './rounds.ts';
import type { Judged, Run } from './run.ts';
import type { Proposal } from './seal.ts';
import { isChecking, isWorking } from './states.ts';

export const failed = (d: Draft, input: InputOf<'worker.step.failed'>): Verdict => {
  const { run } = d;
  if (run.approval) return { ignore: 'a person is waited for; nothing was under way' };
  if (input.spent) account(run, input.spent);
  // A conversation that is gone, or too long, is not resumed.
  if (input.class === 'session_lost' || input.class === 'context_exceeded') run.session = null;
  if (input.class === 'invalid_output' && repair(d, input.message)) return undefined;
  if (input.assessment) deniedBy(run, input.step === 'open_pr' ? 'open_pr' : 'push', input.assessment);
  const says = `${sentence(input.class)}${input.message ? ` (${input.message})` : ''}`;
  const publishes = run.state === 'PUSHED' || isChecking(run.state);
  const outside = publishes && (input.step === 'open_pr' || input.step === 'push');
  if (outside && failedAgain(d, says)) return undefined;
  const follows = consequence(input.class);
  if (follows === 'terminal') return void enter(d, 'FAILED_TERMINAL', says);
  const same = run.state === 'PUSHED' && follows === 'retry' ? run.proposal : null;
  const next = input.class === 'seal_moved' ? input.proposal : same;
  if (next && askAnew(d, next, says)) return undefined;
  const repeats = run.state === 'QUEUED' || isWorking(run.state);
  if (follows === 'retry' && repeats) return retryLater(d, says, input.retryAt);
  return void enter(d, 'NEEDS_HUMAN_REVIEW', says);
};

/** P4: what a policy says against a change is what the agent is told when the run is retried. */
export const deniedBy = (run: Run, action: Judged['action'], assessment: Assessment): string => {
  const why = whyDenied(assessment);
  run.denied = { action, assessment };
  run.round = within(run.round, 'rejected', `A policy forbids the change: ${why}`);
  return why;
};

/** E7: the change stays as it is; the agent is asked for its report once more. */
const repair = (d: Draft, problem: string): boolean => {
  const { run } = d;
  if (run.state !== 'IMPLEMENTING' && run.state !== 'ITERATING') return false;
  const { counts, order } = run;
  const wanted = within(run.round, 'report_repair', problem);
  const again = next(wanted, { counts, bounds: order.bounds, msLeft: timeLeft(run) });
  if ('stop' in again) return false;
  run.counts = again.counts;
  run.reason = 'The agent’s report could not be read; it is asked for it again.';
  work(d, { kind: 'implement', round: again.round });
  return true;
};

/** S7: too many outside effects that failed in a row pause the run. */
const failedAgain = (d: Draft, says: string): boolean => {
  const { counts, order } = d.run;
  const failedOutside = counts.failedOutside + 1;
  d.run.counts = { ...counts, failedOutside };
  if (failedOutside < order.bounds.maxFailedOutside) return false;
  const reason = `${failedOutside} attempts to reach the code host failed in a row. ${says}`;
  enter(d, 'PAUSED', reason, { ring: true });
  return true;
};

/** The used-up card says what became of it, and a new one asks about what would be published now. */
const askAnew = (d: Draft, proposal: Proposal, says: string): boolean => {
  const { run } = d;
  const used = run.consumed?.epoch === run.epoch ? run.consumed : null;
  if (!used || proposal.fields.assessment.decision === 'deny') return false;
  run.proposal = proposal;
  run.reason = says;
  showGate(d, used.id, false);
  ask(d, used.kind);
  return true;
};

/** FAILED_RETRYABLE with a timer that doubles, within the bound; past it a person. Waiting on a provider's clock is free. */
export const retryLater = (d: Draft, says: string, retryAt: number | null): undefined => {
  const { run, stamp } = d;
  const { maxStepRetries, retryMs } = run.order.bounds;
  const tries = run.counts.retries;
  const wait = retryAt === null ? 0 : retryAt - stamp.at;
  // A provider that says "come back at once" again and again does not escape the bound.
  const free = wait > retryMs;
  if (!free && tries >= maxStepRetries) {
    enter(d, 'NEEDS_HUMAN_REVIEW', givenUp(says, tries + 1));
    return;
  }
  if (!free) run.counts = { ...run.counts, retries: tries + 1 };
  enter(d, 'FAILED_RETRYABLE', says);
  wake(d, { type: 'timer.retry', epoch: run.epoch }, free ? wait : retryMs * 2 ** tries);
};
