/** Results of effects. A result of an older epoch means nothing any more, except where it states a fact of the outside world. */
import { ask, enter, showGate, tell, timeLeft, wake, work, type Draft } from './draft.ts';
import { consequence, sentence } from './failures.ts';
import type { Input, InputOf } from './inputs.ts';
import type { Verdict } from './machine.ts';
import { settle } from './settle.ts';
import { isTerminal } from './states.ts';

export type Result = Extract<Input, { type: `worker.${string}` }>;

export const onResult = (d: Draft, input: Result): Verdict => {
  const { run, stamp } = d;
  const current = stamp.effectEpoch === run.epoch;
  // Facts of the outside world are true whatever the run has moved on to.
  if (input.type === 'worker.pr.opened') return opened(d, input, current);
  if (input.type === 'worker.push.completed' && !current) {
    run.pushed = { branch: input.branch, sha: input.sha };
    run.seen = { ...run.seen, head: input.sha };
    if (input.proposal) run.proposal = input.proposal;
    keep(d, input);
    return undefined;
  }
  if (current && run.state !== 'PAUSED') return apply(d, input);
  if (!keep(d, input)) return { ignore: 'the run has moved on since' };
  return undefined;
};

/** S2: on a paused run, a result of what was going on then is kept for resume. */
const keep = (d: Draft, input: Result): boolean => {
  const { run, stamp } = d;
  if (run.state !== 'PAUSED' || stamp.effectEpoch === null || stamp.effectEpoch !== run.pausedEpoch)
    return false;
  run.kept = { input, effectEpoch: stamp.effectEpoch };
  return true;
};

/** A result of the current epoch, or a kept one at resume. */
export const apply = (d: Draft, input: Input): Verdict => {
  switch (input.type) {
    case 'worker.discovery.completed':
      return discovered(d, input);
    case 'worker.implementation.completed':
      return implemented(d, input);
    case 'worker.validation.completed':
      return validated(d, input);
    case 'worker.push.completed':
      return pushed(d, input);
    case 'worker.pr.opened':
      return opened(d, input, true);
    case 'worker.step.failed':
      return failed(d, input);
    default:
      return { ignore: `${input.type} is not a result` };
  }
};

const succeeded = (d: Draft): void => {
  d.run.counts = { ...d.run.counts, retries: 0 };
};

const discovered = (d: Draft, input: InputOf<'worker.discovery.completed'>): Verdict => {
  const { run } = d;
  succeeded(d);
  run.contract = input.contract;
  run.base = input.base;
  if (input.archived) return void enter(d, 'SKIPPED', 'The repository is archived.');
  const ban = input.contract.rules.find((r) => r.kind === 'ai_ban');
  if (ban) {
    return void enter(
      d,
      'SKIPPED',
      `The repository does not want such changes: “${ban.quote}” (${ban.file}:${ban.line}).`,
    );
  }
  if (input.escalate) {
    enter(d, 'PLAN_READY', input.escalate);
    tell(d, { view: 'attention' }, { urgent: true, sound: true });
    return undefined;
  }
  enter(d, 'PLAN_READY', 'The contract is known.');
  wake(d, { type: 'command.start.implementation', by: null }, 0);
  return undefined;
};

const implemented = (d: Draft, input: InputOf<'worker.implementation.completed'>): Verdict => {
  const { run } = d;
  succeeded(d);
  run.session = input.session ?? run.session;
  run.summary = input.summary;
  run.containment = input.containment;
  run.workedMs += input.ms;
  run.usage = {
    inputTokens: run.usage.inputTokens + input.usage.inputTokens,
    outputTokens: run.usage.outputTokens + input.usage.outputTokens,
    costUsd: run.usage.costUsd + input.usage.costUsd,
  };
  if (!input.commit) {
    const offer = run.pr ? ' The checks can be run again instead.' : '';
    return void enter(d, 'NEEDS_HUMAN_REVIEW', sentence('no_changes') + offer);
  }
  run.commit = input.commit;
  if (run.state === 'ITERATING') {
    work(d, { kind: 'check', commitSha: input.commit.sha });
    run.reason = 'Our checks run on the fix.';
    return undefined;
  }
  return void enter(d, 'LOCAL_VALIDATING', 'Our checks run.');
};

const validated = (d: Draft, input: InputOf<'worker.validation.completed'>): Verdict => {
  const { run } = d;
  succeeded(d);
  if (input.commitSha !== run.commit?.sha) return { ignore: 'a validation of another commit' };
  const { commitSha, passed, checks, assessment } = input;
  run.evaluation = { commitSha, passed, checks, assessment };
  run.workedMs += input.ms;
  if (assessment.decision === 'deny') {
    const why = assessment.reasons.filter((r) => r.verdict === 'deny').map((r) => `${r.policy}: ${r.reason}`);
    return void enter(d, 'NEEDS_HUMAN_REVIEW', `${sentence('policy_denied')} ${why.join('; ')}`);
  }
  if (!passed) return reflect(d, input.failure ?? 'The checks failed.');
  run.feedback = null;
  const free = run.pr ? run.order.bounds.autoIterate && assessment.risk === 'low' : true;
  if (assessment.decision === 'escalate' || !free) {
    if (!input.proposal) throw new Error('an escalated validation came without what a push would publish');
    run.proposal = input.proposal;
    run.reason = 'The push waits for approval.';
    ask(d, 'push');
    return undefined;
  }
  run.reason = 'Pushes the branch.';
  work(d, { kind: 'push', commitSha, expect: run.pushed?.sha ?? null, approvalId: null });
  return undefined;
};

/** A failed local check goes back to the agent within the bound, else to a person. */
const reflect = (d: Draft, failure: string): Verdict => {
  const { run } = d;
  const { maxReflections } = run.order.bounds;
  run.feedback = failure;
  if (run.counts.reflections >= maxReflections || timeLeft(run) === 0) {
    return void enter(
      d,
      'NEEDS_HUMAN_REVIEW',
      `${sentence('checks_failed')} (${run.counts.reflections} fixes were tried)`,
    );
  }
  run.counts = { ...run.counts, reflections: run.counts.reflections + 1 };
  if (run.state === 'ITERATING') {
    run.reason = 'The checks fail; the agent tries again.';
    work(d, { kind: 'implement', feedback: failure });
    return undefined;
  }
  return void enter(d, 'IMPLEMENTING', 'The checks fail; the agent tries again.');
};

const pushed = (d: Draft, input: InputOf<'worker.push.completed'>): Verdict => {
  const { run } = d;
  succeeded(d);
  run.counts = { ...run.counts, failedOutside: 0 };
  run.pushed = { branch: input.branch, sha: input.sha };
  run.seen = { ...run.seen, head: input.sha };
  run.proposal = input.proposal;
  if (run.state === 'ITERATING') {
    enter(d, 'CI_WAIT', 'The fix is pushed; checks are waited for.');
    settle(d);
    return undefined;
  }
  if (!input.proposal) throw new Error('a first push came without what a pull request would publish');
  return void enter(d, 'PUSHED', 'Waits for your decision.');
};

/** G1: a pull request's number enters a run only here, and only for the approval that was consumed for it. */
const opened = (d: Draft, input: InputOf<'worker.pr.opened'>, current: boolean): Verdict => {
  const { run } = d;
  if (run.pr) return { ignore: 'the pull request is known already' };
  if (run.consumed?.kind !== 'open_pr' || run.consumed.id !== input.approvalId) {
    return { ignore: 'no approval was consumed for that pull request' };
  }
  run.pr = { number: input.number, url: input.url };
  run.counts = { ...run.counts, failedOutside: 0, retries: 0 };
  if (current && run.state === 'PUSHED') {
    enter(d, 'CI_WAIT', `Pull request #${input.number} is open; checks are waited for.`);
    showGate(d, input.approvalId, false);
    settle(d);
    return undefined;
  }
  showGate(d, input.approvalId, false);
  if (run.state === 'PAUSED' && run.back === 'PUSHED') run.back = 'CI_WAIT';
  const when = isTerminal(run.state) ? 'ended' : 'was stopped';
  tell(
    d,
    {
      view: 'note',
      text: `Pull request #${input.number} was opened just before the run ${when}: ${input.url}`,
    },
    { urgent: true },
  );
  if (!isTerminal(run.state)) work(d, { kind: 'observe', everyMs: run.order.bounds.pollMs });
  return undefined;
};

const failed = (d: Draft, input: InputOf<'worker.step.failed'>): Verdict => {
  const { run } = d;
  const { bounds } = run.order;
  const says = `${sentence(input.class)}${input.message ? ` (${input.message})` : ''}`;
  const outside = input.step === 'open_pr' || input.step === 'push';
  if (outside) {
    run.counts = { ...run.counts, failedOutside: run.counts.failedOutside + 1 };
    if (run.counts.failedOutside >= bounds.maxFailedOutside) {
      return void enter(
        d,
        'PAUSED',
        `${bounds.maxFailedOutside} attempts to reach the code host failed in a row. ${says}`,
      );
    }
  }
  if (consequence(input.class) === 'terminal') return void enter(d, 'FAILED_TERMINAL', says);
  if (run.state === 'PUSHED') {
    if (input.proposal) run.proposal = input.proposal;
    const again =
      input.class === 'seal_moved' ? input.proposal !== null : consequence(input.class) === 'retry';
    if (!again) return void enter(d, 'NEEDS_HUMAN_REVIEW', says);
    run.reason = says;
    if (run.consumed) showGate(d, run.consumed.id, false);
    ask(d, 'open_pr');
    return undefined;
  }
  if (run.state === 'CI_WAIT' || run.state === 'REVIEW_WAIT' || consequence(input.class) === 'human') {
    return void enter(d, 'NEEDS_HUMAN_REVIEW', says);
  }
  return retryLater(d, says, input.retryAt);
};

/** FAILED_RETRYABLE with a timer that doubles, within the bound; past it a person. Waiting on a provider's clock is free. */
export const retryLater = (d: Draft, says: string, retryAt: number | null): undefined => {
  const { run, stamp } = d;
  const { maxStepRetries, retryMs } = run.order.bounds;
  const tries = run.counts.retries;
  if (retryAt === null && tries >= maxStepRetries) {
    enter(d, 'NEEDS_HUMAN_REVIEW', `${says} It was tried ${tries + 1} times.`);
    return;
  }
  const delay = retryAt === null ? retryMs * 2 ** tries : Math.max(0, retryAt - stamp.at);
  if (retryAt === null) run.counts = { ...run.counts, retries: tries + 1 };
  enter(d, 'FAILED_RETRYABLE', says);
  wake(d, { type: 'timer.retry', epoch: run.epoch }, delay);
};
