/** F6: handles red checks that are not our fault: red on the base as well, or maybe flaky. */
import { particularsOf } from '../run/reasons.ts';
import { rerunAsked, forgetFailedChecks } from './ci-facts.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import { progressSlot, addMessage, addWork, type StepDraft } from '../lifecycle/step-draft.ts';
import type { HandlerRuling } from '../lifecycle/input-handler.ts';
import type { InputOf } from '../run/inputs.ts';
import { IMPLEMENT_ROUND } from '../run/rounds.ts';
import type { Run } from '../run/run.ts';
import { settleState } from '../lifecycle/settle-state.ts';
import { redChecks } from './ci-verdict.ts';

export const rerunCounted = (run: Run): void => {
  const { iterations, reruns = 0 } = run.lifecycle.counts;
  run.lifecycle.counts = {
    ...run.lifecycle.counts,
    iterations: Math.max(0, iterations - 1),
    reruns: reruns + 1,
  };
};

export const ciCompared = (d: StepDraft, input: InputOf<'worker.ci.compared'>): HandlerRuling => {
  const { run } = d;
  const { sha, ref, failingOnBase: onBase, flaky } = input;
  if (sha !== run.change.pushedHead?.sha || run.agent.round.kind !== 'ci_fix')
    return { ignore: 'another commit' };
  run.upstream.ciComparison = { sha, ref, failingOnBase: onBase, flaky };
  const ci = run.upstream.observed.ci[sha];
  const names = ci ? [...new Set(redChecks(ci).map(({ name }) => name))].sort() : [];
  const ours = names.filter((name) => !onBase.includes(name));
  if (ours.length === 0) {
    // guard: S7-no-round-for-base
    run.lifecycle.counts = {
      ...run.lifecycle.counts,
      iterations: Math.max(0, run.lifecycle.counts.iterations - 1),
    };
    run.agent.round = IMPLEMENT_ROUND;
    // Red checks may have been re-run meanwhile.
    const stays = names.length > 0;
    enterState(
      d,
      'CI_WAIT',
      stays ? { kind: 'checks_red_on_base', ref, checks: names } : { kind: 'checks_restarted' },
    );
    if (stays) addMessage(d, { view: 'attention' }, { slot: `red:${run.id}:${sha}`, sound: true });
    settleState(d);
    return undefined;
  }
  if (!run.order.bounds.autoRerun)
    return void enterState(d, 'NEEDS_HUMAN_REVIEW', { kind: 'maybe_flaky', checks: ours });
  rerunCounted(run);
  run.agent.round = IMPLEMENT_ROUND;
  if (ci)
    run.upstream.observed = {
      ...run.upstream.observed,
      ci: { ...run.upstream.observed.ci, [sha]: rerunAsked(ci, d.stamp.at) },
    };
  enterState(d, 'CI_WAIT', { kind: 'flaky_rerun', checks: ours });
  settleState(d);
  if (run.lifecycle.state === 'CI_WAIT') addWork(d, { kind: 'rerun_ci', sha });
  return undefined;
};

/** A fork, or a credential that may not re-run: a user chooses a fix or to wait. */
export const rerunRefused = (d: StepDraft, failed: InputOf<'worker.step.failed'>): HandlerRuling => {
  const { run } = d;
  const ci = run.change.pushedHead ? run.upstream.observed.ci[run.change.pushedHead.sha] : undefined;
  if (ci && run.change.pushedHead)
    run.upstream.observed = {
      ...run.upstream.observed,
      ci: { ...run.upstream.observed.ci, [run.change.pushedHead.sha]: forgetFailedChecks(ci, d.stamp.at) },
    };
  addMessage(d, { view: 'progress' }, { slot: progressSlot(run.id) });
  return void enterState(d, 'NEEDS_HUMAN_REVIEW', {
    kind: 'rerun_refused',
    says: failed.message.slice(0, 500),
    ...particularsOf(failed),
  });
};
