/** The plan loop (E8): plan, one step, our checks, decide; each round a row of the one mechanism, all state in the run. */
import { account, enter, nextRound, stopAt, work, type Draft } from './draft.ts';
import type { InputOf } from './inputs.ts';
import type { Verdict } from './machine.ts';
import { bootstrapPlan, isFinished, meddled, stepDone, type Plan } from './plan.ts';
import { within, type RoundKind } from './rounds.ts';
import { keepsPlan, type Run } from './run.ts';
import { undo } from './undone.ts';

/** Starts the plan of a run that is to keep one; false when it keeps none, or has one already. */
export const begunPlan = (run: Run): boolean => {
  if (!keepsPlan(run) || run.plan) return false;
  const checks =
    run.order.checks.length > 0 ? run.order.checks : (run.contract?.checks.map((c) => c.command) ?? []);
  run.plan = { plan: bootstrapPlan(run.order.goal, checks), violations: 0 };
  run.round = { kind: 'plan_update', text: '', about: '' };
  run.counts = { ...run.counts, planRounds: 1, stepFixes: 0 };
  return true;
};

/** Asks for another round of a kind, within its bound; past it a person is asked. */
const again = (d: Draft, kind: RoundKind, text: string): boolean => {
  const { run } = d;
  const wanted = within(run.round, kind, text);
  const found = nextRound(run, wanted);
  run.round = wanted;
  if ('stop' in found) {
    stopAt(d, found);
    return false;
  }
  run.counts = found.counts;
  return true;
};

const replan = (d: Draft, text: string): undefined => {
  if (!again(d, 'plan_update', text)) return;
  if (d.run.state === 'IMPLEMENTING') work(d, { kind: 'implement', round: d.run.round });
  else enter(d, 'IMPLEMENTING', 'The plan goes on.');
};

export const planUpdated = (d: Draft, input: InputOf<'worker.plan.updated'>): Verdict => {
  const { run } = d;
  if (!run.plan) return { ignore: 'the run keeps no plan' };
  account(d, input);
  undo(d, input.undone ?? null);
  run.containment = input.containment;
  const before = run.plan.plan;
  run.plan = { ...run.plan, violations: run.plan.violations + input.violations };
  const wrong = input.plan ? meddled(before, input.plan) : [input.problem];
  if (!input.plan || wrong.length > 0) return replan(d, wrong.join('\n'));
  run.plan = { ...run.plan, plan: input.plan };
  return decide(d, before, input.plan);
};

const decide = (d: Draft, before: Plan, plan: Plan): undefined => {
  const { run } = d;
  const newly = plan.blocked.filter((s) => !before.blocked.some((b) => b.id === s.id));
  const [stuck] = newly;
  if (stuck) {
    const notes = plan.notes === '' ? '' : ` ${plan.notes}`;
    return enter(
      d,
      'NEEDS_HUMAN_REVIEW',
      `Step ${stuck.id} of the plan is blocked: ${stuck.text}.${notes} Decide, then retry with a word on it.`,
    ) as undefined;
  }
  if (!plan.next && plan.done.length === 0)
    return replan(d, 'The plan has no step; “Next” needs exactly one.');
  if (!plan.next) {
    if (run.commit) return enter(d, 'LOCAL_VALIDATING', 'Our checks run on the whole change.') as undefined;
    return enter(d, 'NEEDS_HUMAN_REVIEW', 'The plan is done, and nothing was changed.') as undefined;
  }
  run.counts = { ...run.counts, stepFixes: 0, reflections: 0, repairs: 0 };
  run.round = within(run.round, 'plan_step', `(STEP_ID=${plan.next.id}) ${plan.next.text}`);
  run.reason = `Step ${plan.next.id}: ${plan.next.text}`.slice(0, 300);
  work(d, { kind: 'implement', round: run.round });
};

/** A step that left the files as they were is no failure of the run: the plan has to make sense of it. */
export const stepChangedNothing = (d: Draft, leftOut: string): boolean => {
  const { run } = d;
  if (!run.plan?.plan.next || run.state !== 'IMPLEMENTING') return false;
  replan(
    d,
    `Step ${run.plan.plan.next.id} changed no file${leftOut && ` that can be committed (${leftOut})`}. Split it, do it another way, or block it and say why in Notes.`,
  );
  return true;
};

/** After green checks: the step is done; whether the plan has more to do. */
export const planGoesOn = (d: Draft): boolean => {
  const { run } = d;
  if (!run.plan || run.state === 'ITERATING') return false;
  const plan = stepDone(run.plan.plan);
  run.plan = { ...run.plan, plan };
  if (isFinished(plan) || (plan.next === null && plan.backlog.length === 0)) return false;
  replan(d, `Step ${plan.done.at(-1)?.id ?? ''} passed our checks.`);
  return true;
};
