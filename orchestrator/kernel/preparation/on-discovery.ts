/** Handles what is learned of a repository: its files, its base checks (E7, E15), its reader. */
import { z } from 'zod';
import { PlanEscalation } from '#model/assessment';
import { Contract } from '#model/contract';
import {
  Baseline,
  ContainmentLevel,
  flakyBaselineChecks,
  toolVersionMismatches,
  checksWithoutInstall,
  redBaselineChecks,
  type CheckResult,
} from '#model/evidence';
import { MergedPull, OpaqueId, Person } from '#model/order';
import { CompetingPull, MAX_COMPETING_PULLS, PullForecast, PushFork } from '#model/pull';
import { AgentSession, ModelUsage, NO_USAGE } from '#model/reports';
import { IssueFacts } from '#model/requirements';
import { DISCARDED_EDITS, OUTPUT_BYTES, TURNS } from '../lifecycle/result-fields.ts';
import { findExhaustedBudget } from '../lifecycle/run-budget.ts';
import { wordsFeedback } from '#model/feedback';
import { enterState } from '../lifecycle/enter-state.ts';
import { addMessage, clearRetries, addWork, progressSlot, type StepDraft } from '../lifecycle/step-draft.ts';
import { permitRound, toBudgetReason, stopForBudget } from '../lifecycle/permit-round.ts';
import { countSpending } from '../lifecycle/count-spending.ts';
import type { InputOf } from '../run/input-types.ts';
import {
  defineCommand,
  defineResult,
  stayPaused,
  moveFrom,
  stayIn,
  type HandlerRuling,
} from '../lifecycle/define-input.ts';
import { findAiBan } from './ai-bans.ts';
import type { Reason } from '../run/reasons.ts';
import { checksOf, installsOf, type PlannedCommand } from './check-selection.ts';
import { PREFLIGHT_ROUND } from '../run/round-table.ts';
import { hasPassingBaseline, unwaivedBaselineStops, type Run } from '../run/run.ts';
import { recordDiscardedEdits } from '../rounds/record-discarded-edits.ts';

const onDiscovered = (draft: StepDraft, input: InputOf<'worker.discovery.completed'>): HandlerRuling => {
  const { run } = draft;
  clearRetries(draft);
  run.target.contract = input.contract;
  run.target.base = input.base;
  run.target.readingMs = draft.stamp.at - run.lifecycle.stateEnteredAt;
  run.target.fork = input.fork ?? null;
  delete run.target.readFailure;
  if (input.discardedEdits) recordDiscardedEdits(draft, input.discardedEdits);
  if (input.mergedPull) run.target.mergedPull = input.mergedPull;
  if (input.archived) return void enterState(draft, 'SKIPPED', { kind: 'repository_archived' });
  // guard: F5-one-run-of-two-names
  if (input.duplicate !== undefined)
    return void enterState(draft, 'SKIPPED', { kind: 'duplicate_repository', repo: input.duplicate });
  run.target.issue = input.issue ?? null;
  run.target.commitTrailers = input.commitTrailers ?? [];
  run.target.competingPulls = input.competingPulls ?? [];
  if (input.pullForecast) run.target.pullForecast = input.pullForecast;
  else delete run.target.pullForecast;
  run.target.requiresSignedCommits = input.requiresSignedCommits ?? false;
  const ban = findAiBan(run);
  // guard: P3-ban-stops
  if (ban) return void enterState(draft, 'NEEDS_HUMAN_REVIEW', { kind: 'ai_banned', ...ban });
  // What a person said yes to is not asked again.
  const isAccepted = JSON.stringify(input.escalate) === JSON.stringify(run.target.acceptedPlan ?? null);
  run.target.escalation = isAccepted ? null : input.escalate;
  run.target.agentDiscovery = null;
  run.target.waivedChecks = [];
  if (run.target.baseline?.sha !== input.base.sha) run.target.baseline = null;
  const { escalation } = run.target;
  // guard: E15-asked-before-spending
  if (escalation && !isBaseKnown(run)) return void enterState(draft, 'PLAN_READY', escalation);
  // guard: E15-asked-anew
  return checkBase(draft, { anew: run.lifecycle.reason.kind === 'retried' });
};

/** A person said yes to what was asked first: the base is checked now, if it was not. */
export const continueAsAnswered = (draft: StepDraft): 'checks' | 'implements' => {
  const { run } = draft;
  const { escalation } = run.target;
  if (escalation === null) return 'implements';
  run.target.acceptedPlan = escalation;
  run.target.escalation = null;
  if (isBaseKnown(run)) return 'implements';
  enterState(draft, 'DISCOVERY', { kind: 'checking_base' }, { resting: true });
  checkBase(draft, { anew: false });
  return 'checks';
};

/** E15: runs before an agent costs anything. */
const checkBase = (draft: StepDraft, { anew }: { anew: boolean }): HandlerRuling => {
  const { run } = draft;
  const spent = findExhaustedBudget(run, 'check');
  if (spent) return void stopForBudget(draft, spent);
  run.lifecycle.reason = { kind: 'checking_base' };
  addMessage(draft, { view: 'progress' }, { slot: progressSlot(run.id) });
  addWork(draft, { kind: 'check_base', fresh: anew });
  return undefined;
};

const onBaseChecked = (draft: StepDraft, input: InputOf<'worker.base.checked'>): HandlerRuling => {
  const { run } = draft;
  countSpending(draft, { ms: input.ms, outputBytes: input.outputBytes ?? 0, session: null, usage: NO_USAGE });
  clearRetries(draft);
  run.target.baseline = input.baseline;
  const stops = unwaivedBaselineStops(run, input.baseline);
  // guard: E15-stops-before-agent
  if (stops.length > 0)
    return void enterState(draft, 'NEEDS_HUMAN_REVIEW', {
      kind: 'base_unusable',
      run: run.id,
      stops,
      toolVersionMismatches: toolVersionMismatches(input.baseline),
    });
  return continuePreparation(draft);
};

/** Continues without unavailable checks: they are no evidence, and every card says so. */
const onChecksWaived = (draft: StepDraft, { by }: InputOf<'command.checks.waive'>): HandlerRuling => {
  const { run } = draft;
  // A run stopped by something else since, such as a foreign push, is not resumed by this.
  const asked = run.lifecycle.reason.kind === 'base_unusable';
  const stops = asked && run.target.baseline ? unwaivedBaselineStops(run, run.target.baseline) : [];
  if (stops.length === 0 || !run.target.baseline) return { refuse: { kind: 'nothing_missing', run: run.id } };
  const spent = findExhaustedBudget(run, 'check');
  if (spent) return { refuse: { kind: 'run_stopped', by: toBudgetReason(run, spent) } };
  const names = [...stops.map(({ name }) => name), ...checksWithoutInstall(run.target.baseline)];
  run.target.waivedChecks = [...run.target.waivedChecks, ...names];
  enterState(draft, 'DISCOVERY', { kind: 'checks_waived', by: by.name, names }, { resting: true });
  return continuePreparation(draft);
};

const continuePreparation = (draft: StepDraft): HandlerRuling => {
  const { run } = draft;
  if (run.order.discovery === 'agent' && !run.target.agentDiscovery) {
    const spent = findExhaustedBudget(run);
    if (spent) return void stopForBudget(draft, spent);
    run.lifecycle.reason = { kind: 'agent_discovery' };
    addWork(draft, { kind: 'implement', round: PREFLIGHT_ROUND });
    return undefined;
  }
  return void enterState(draft, 'PLAN_READY', run.target.escalation ?? baselineReasonOf(run));
};

const baselineReasonOf = ({
  target: { baseline, agentDiscovery: agentRead },
  lifecycle: { reason },
}: Run): Reason => {
  const seen = baseline ?? { checks: [], tools: [] };
  const told = {
    failing: redBaselineChecks(seen),
    flaky: flakyBaselineChecks(seen),
    toolVersionMismatches: toolVersionMismatches(seen),
  };
  if (Object.values(told).some((some) => some.length > 0)) return { kind: 'base_checked', ...told };
  if (reason.kind === 'checks_waived') return reason;
  return agentRead ? { kind: 'contract_refined', ...agentRead } : { kind: 'contract_known' };
};

/** E7: adds the agent's findings to the contract; unusable ones may be corrected once. */
const onContractRefined = (draft: StepDraft, input: InputOf<'worker.contract.refined'>): HandlerRuling => {
  const { run } = draft;
  countSpending(draft, input);
  clearRetries(draft);
  recordDiscardedEdits(draft, input.discardedEdits ?? null);
  run.target.contract = input.contract;
  run.agent.containment = input.containment;
  const accepted = JSON.stringify(run.target.acceptedPlan ?? null);
  if (JSON.stringify(input.escalate) !== accepted) run.target.escalation ??= input.escalate;
  const again =
    input.refused.length > 0
      ? permitRound(run, { ...PREFLIGHT_ROUND, feedback: wordsFeedback(input.refused.join('\n')) })
      : null;
  if (again && 'round' in again) {
    run.lifecycle.counts = again.counts;
    run.lifecycle.reason = { kind: 'discovery_asked_again' };
    addWork(draft, { kind: 'implement', round: again.round });
    return undefined;
  }
  run.lifecycle.counts = { ...run.lifecycle.counts, reportRepairs: 0 };
  run.target.agentDiscovery = { added: input.added, refused: input.refused.length };
  if (!isChecked(run)) return checkBase(draft, { anew: false });
  return continuePreparation(draft);
};

const isBaseKnown = (run: Run): boolean => hasPassingBaseline(run) && isChecked(run);

const isChecked = (run: Run): boolean => {
  const isIn = (seen: readonly CheckResult[] = [], { name, command }: PlannedCommand): boolean =>
    seen.some((r) => r.name === name && r.command === command);
  return (
    installsOf(run).every((one) => isIn(run.target.baseline?.installs, one)) &&
    checksOf(run).every((one) => isIn(run.target.baseline?.checks, one))
  );
};

export const DISCOVERY_COMMANDS = [
  defineCommand({
    type: 'command.checks.waive',
    fields: { by: Person },
    moves: [
      moveFrom(
        ['NEEDS_HUMAN_REVIEW'],
        ['DISCOVERY', 'PLAN_READY'],
        'a person goes on without what cannot be run',
      ),
    ],
    handle: (d, input): HandlerRuling => onChecksWaived(d, input),
  }),
];

export const DISCOVERY_RESULTS = [
  defineResult({
    type: 'worker.discovery.completed',
    fields: {
      contract: Contract,
      base: z.object({ ref: z.string(), sha: z.string(), repoId: OpaqueId }),
      archived: z.boolean(),
      /** The repository's current name, when the campaign already includes it. */
      duplicate: z.string().exactOptional(),
      fork: PushFork.exactOptional(),
      /** Set when the repository's rules or policies want a user to see the plan first. */
      escalate: PlanEscalation.nullable(),
      /** The issue that the order names; absent when it names none. */
      issue: IssueFacts.exactOptional(),
      commitTrailers: z.array(z.string().max(300)).max(5).exactOptional(),
      mergedPull: MergedPull.exactOptional(),
      competingPulls: z.array(CompetingPull).max(MAX_COMPETING_PULLS).exactOptional(),
      pullForecast: PullForecast.exactOptional(),
      /** The base accepts only commits with a verified signature. */
      requiresSignedCommits: z.literal(true).exactOptional(),
      discardedEdits: DISCARDED_EDITS,
    },
    moves: [
      moveFrom(
        ['DISCOVERY'],
        ['DISCOVERY', 'PLAN_READY', 'SKIPPED', 'NEEDS_HUMAN_REVIEW'],
        'contract; asked before anything is spent; or archived, banned, there twice, or no budget left for the base',
      ),
      ...stayPaused(),
    ],
    handle: (d, input): HandlerRuling => onDiscovered(d, input),
  }),
  defineResult({
    type: 'worker.base.checked',
    fields: {
      baseline: Baseline,
      /** Time of this run; 0 when a stored result is used. */
      ms: z.number(),
      outputBytes: OUTPUT_BYTES,
    },
    moves: [
      moveFrom(['DISCOVERY'], ['PLAN_READY', 'NEEDS_HUMAN_REVIEW'], 'or what it lacks'),
      ...stayIn(['DISCOVERY'], 'the agent reads on'),
      ...stayPaused(),
    ],
    handle: (d, input): HandlerRuling => onBaseChecked(d, input),
  }),
  defineResult({
    type: 'worker.contract.refined',
    fields: {
      contract: Contract,
      added: z.number(),
      refused: z.array(z.string()),
      escalate: PlanEscalation.nullable(),
      session: AgentSession.nullable(),
      usage: ModelUsage,
      ms: z.number(),
      containment: ContainmentLevel,
      outputBytes: OUTPUT_BYTES,
      turns: TURNS,
      discardedEdits: DISCARDED_EDITS,
    },
    moves: [
      moveFrom(['DISCOVERY'], ['DISCOVERY', 'PLAN_READY', 'NEEDS_HUMAN_REVIEW'], 'once more; the contract'),
      ...stayPaused(),
    ],
    handle: (d, input): HandlerRuling => onContractRefined(d, input),
  }),
];
