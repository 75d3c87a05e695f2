/** Runs the plan loop (E8): plan, one step, our checks, decide. All state is in the run. */
import { z } from 'zod';
import { ContainmentLevel } from '#model/evidence';
import { AgentSession, ModelUsage } from '#model/reports';
import { DISCARDED_EDITS, OUTPUT_BYTES, TURNS } from '../lifecycle/result-fields.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import { addWork, type StepDraft } from '../lifecycle/step-draft.ts';
import { permitRound } from '../lifecycle/permit-round.ts';
import { countSpending } from '../lifecycle/count-spending.ts';
import { formatCheckCommand } from '#model/contract';
import type { AgentClaims } from '#model/agent';
import type { SkippedFile } from '#model/change';
import {
  wordsFeedback,
  type Feedback,
  bootstrapPlan,
  isPlanFinished,
  forbiddenPlanChanges,
  completePlanStep,
  AgentPlan,
} from '#model/feedback';
import type { InputOf } from '../run/input-types.ts';
import { defineResult, stayPaused, moveFrom, type HandlerRuling } from '../lifecycle/define-input.ts';
import { forgetGrants } from '../run/permissions.ts';
import { innerRound, type RoundKind } from '../run/round-table.ts';
import { hasPlanLoop, type Run } from '../run/run.ts';
import { recordDiscardedEdits } from './record-discarded-edits.ts';

export const startPlan = (run: Run): boolean => {
  if (!hasPlanLoop(run) || run.agent.plan) return false;
  const checks =
    run.order.checks.length > 0
      ? run.order.checks
      : (run.target.contract?.checks.map(formatCheckCommand) ?? []);
  run.agent.plan = { plan: bootstrapPlan(run.order.goal, checks), violations: 0 };
  run.agent.round = { kind: 'plan_update', feedback: [], purpose: [] };
  run.lifecycle.counts = { ...run.lifecycle.counts, planRounds: 1, planStepFixes: 0 };
  return true;
};

const beginPlanRound = (draft: StepDraft, kind: RoundKind, told: Feedback[]): boolean => {
  const { run } = draft;
  const wanted = innerRound(run.agent.round, kind, told);
  const found = permitRound(run, wanted);
  run.agent.round = wanted;
  if ('stop' in found) {
    enterState(draft, 'NEEDS_HUMAN_REVIEW', found.stop);
    return false;
  }
  run.lifecycle.counts = found.counts;
  return true;
};

const requestReplan = (draft: StepDraft, told: Feedback[]): undefined => {
  if (!beginPlanRound(draft, 'plan_update', told)) return;
  if (draft.run.lifecycle.state === 'IMPLEMENTING')
    addWork(draft, { kind: 'implement', round: draft.run.agent.round });
  else enterState(draft, 'IMPLEMENTING', { kind: 'plan_continued' });
};

const onPlanUpdated = (draft: StepDraft, input: InputOf<'worker.plan.updated'>): HandlerRuling => {
  const { run } = draft;
  if (!run.agent.plan) return { ignore: 'no plan' };
  countSpending(draft, input);
  recordDiscardedEdits(draft, input.discardedEdits ?? null);
  run.agent.containment = input.containment;
  forgetGrants(run);
  const before = run.agent.plan.plan;
  run.agent.plan = { ...run.agent.plan, violations: run.agent.plan.violations + input.violations };
  const wrong = input.plan ? forbiddenPlanChanges(before, input.plan) : wordsFeedback(input.problem);
  if (!input.plan || wrong.length > 0) return requestReplan(draft, wrong);
  run.agent.plan = { ...run.agent.plan, plan: input.plan };
  return decideOnPlan(draft, before, input.plan);
};

const decideOnPlan = (draft: StepDraft, before: AgentPlan, plan: AgentPlan): undefined => {
  const { run } = draft;
  const newly = plan.blocked.filter((s) => !before.blocked.some((b) => b.id === s.id));
  const [stuck] = newly;
  if (stuck) {
    const { id, text } = stuck;
    enterState(draft, 'NEEDS_HUMAN_REVIEW', { kind: 'plan_step_blocked', id, text, notes: plan.notes });
    return;
  }
  if (!plan.next && plan.done.length === 0) return requestReplan(draft, [{ kind: 'plan_has_no_step' }]);
  if (!plan.next) {
    if (run.change.commit) enterState(draft, 'LOCAL_VALIDATING', { kind: 'checks_running', on: 'whole' });
    else enterState(draft, 'NEEDS_HUMAN_REVIEW', { kind: 'plan_unchanged' });
    return;
  }
  run.lifecycle.counts = { ...run.lifecycle.counts, planStepFixes: 0, reflections: 0, reportRepairs: 0 };
  const { id, text } = plan.next;
  run.agent.round = innerRound(run.agent.round, 'plan_step', [{ kind: 'step', id, text }]);
  run.lifecycle.reason = { kind: 'plan_step', id, text: text.slice(0, 300) };
  addWork(draft, { kind: 'implement', round: run.agent.round });
};

/** A step without changes is no failure of the run: the plan decides about it. */
export const replanUnchangedStep = (draft: StepDraft, leftOut: SkippedFile[]): boolean => {
  const { run } = draft;
  if (!run.agent.plan?.plan.next || run.lifecycle.state !== 'IMPLEMENTING') return false;
  requestReplan(draft, [
    { kind: 'step_changed_nothing', id: run.agent.plan.plan.next.id, skippedFiles: leftOut },
  ]);
  return true;
};

/** In a fix, "blocked" asks for another plan; what the step changed stays for it. */
export const replanBlockedStep = (
  draft: StepDraft,
  status: AgentClaims['status'],
  summary: string,
): boolean => {
  const { run } = draft;
  const step = run.agent.plan?.plan.next;
  // guard: E8-replan-in-a-fix
  if (run.agent.round.kind !== 'plan_fix' || status !== 'blocked' || !step) return false;
  const told = wordsFeedback(summary);
  requestReplan(
    draft,
    told.length > 0 ? told : [{ kind: 'step_changed_nothing', id: step.id, skippedFiles: [] }],
  );
  return true;
};

/** Marks the step as done after green checks. Returns whether the plan has more to do. */
export const continuePlan = (draft: StepDraft): boolean => {
  const { run } = draft;
  if (!run.agent.plan || run.lifecycle.state === 'ITERATING') return false;
  const plan = completePlanStep(run.agent.plan.plan);
  run.agent.plan = { ...run.agent.plan, plan };
  if (isPlanFinished(plan) || (plan.next === null && plan.backlog.length === 0)) return false;
  requestReplan(draft, [{ kind: 'step_passed', id: plan.done.at(-1)?.id ?? '' }]);
  return true;
};

export const PLAN_RESULTS = [
  defineResult({
    type: 'worker.plan.updated',
    fields: {
      plan: AgentPlan.nullable(),
      problem: z.string(),
      session: AgentSession.nullable(),
      usage: ModelUsage,
      ms: z.number(),
      containment: ContainmentLevel,
      outputBytes: OUTPUT_BYTES,
      turns: TURNS,
      violations: z.number(),
      discardedEdits: DISCARDED_EDITS,
    },
    moves: [
      moveFrom(
        ['IMPLEMENTING'],
        ['IMPLEMENTING', 'LOCAL_VALIDATING', 'NEEDS_HUMAN_REVIEW'],
        'the next step, or the end of the plan',
      ),
      ...stayPaused(),
    ],
    handle: (d, input): HandlerRuling => onPlanUpdated(d, input),
  }),
];
