/**
 * What is learned of a repository: from its files and from its checks on the base (E7, E15), and by
 * the agent where it is asked to read first.
 */
import { usedUp } from './budget.ts';
import { flakyOf, misfits, notInstalled, redOf } from '../baseline.ts';
import { enter, succeeded, work, type Draft } from './draft.ts';
import { account, nextRound, ofBudget, outOf } from './spending.ts';
import { NO_USAGE, type CheckResult } from '../facts.ts';
import { words } from '../feedback.ts';
import type { InputOf } from './inputs.ts';
import type { Ruling } from './handler.ts';
import { banIn } from './bans.ts';
import type { Reason } from './reasons.ts';
import { checksOf, installsOf, type Planned } from '../planned.ts';
import { READING } from './rounds.ts';
import { stopsAt, type Run } from './run.ts';
import { undo } from './undone.ts';

export const discovered = (d: Draft, input: InputOf<'worker.discovery.completed'>): Ruling => {
  const { run } = d;
  succeeded(d);
  run.target.contract = input.contract;
  run.target.base = input.base;
  run.target.fork = input.fork ?? null;
  delete run.target.readFailure;
  if (input.discardedEdits) undo(d, input.discardedEdits);
  if (input.archived) return void enter(d, 'SKIPPED', { kind: 'repository_archived' });
  // guard: F5-one-run-of-two-names
  if (input.duplicate !== undefined)
    return void enter(d, 'SKIPPED', { kind: 'duplicate_repository', repo: input.duplicate });
  run.target.issue = input.issue ?? null;
  run.target.commitTrailers = input.commitTrailers ?? [];
  run.target.competingPulls = input.competingPulls ?? [];
  run.target.requiresSignedCommits = input.requiresSignedCommits ?? false;
  const ban = banIn(run);
  // guard: P3-ban-stops
  if (ban) return void enter(d, 'NEEDS_HUMAN_REVIEW', { kind: 'ai_banned', ...ban });
  run.target.escalation = input.escalate;
  run.target.agentDiscovery = null;
  run.target.waivedChecks = [];
  if (run.target.baseline?.sha !== input.base.sha) run.target.baseline = null;
  // guard: E15-asked-anew
  return checkBase(d, run.lifecycle.reason.kind === 'retried');
};

/** E15: before an agent costs anything. */
const checkBase = (d: Draft, anew: boolean): Ruling => {
  const { run } = d;
  const spent = usedUp(run, 'check');
  if (spent) return outOf(d, spent) as undefined;
  run.lifecycle.reason = { kind: 'checking_base' };
  work(d, { kind: 'check_base', fresh: anew });
  return undefined;
};

export const baseChecked = (d: Draft, input: InputOf<'worker.base.checked'>): Ruling => {
  const { run } = d;
  account(d, { ms: input.ms, outputBytes: input.outputBytes ?? 0, session: null, usage: NO_USAGE });
  succeeded(d);
  run.target.baseline = input.baseline;
  const stops = stopsAt(run, input.baseline);
  // guard: E15-stops-before-agent
  if (stops.length > 0)
    return void enter(d, 'NEEDS_HUMAN_REVIEW', {
      kind: 'base_unusable',
      run: run.id,
      stops,
      toolVersionMismatches: misfits(input.baseline),
    });
  return onwards(d);
};

/** A person goes on without what cannot be had here: it is no evidence, and every card says so. */
export const goWithout = (d: Draft, { by }: InputOf<'command.checks.waive'>): Ruling => {
  const { run } = d;
  // What stopped the run since, a push of somebody else's for one, is not answered by this.
  const asked = run.lifecycle.reason.kind === 'base_unusable';
  const stops = asked && run.target.baseline ? stopsAt(run, run.target.baseline) : [];
  if (stops.length === 0 || !run.target.baseline) return { refuse: { kind: 'nothing_missing', run: run.id } };
  const spent = usedUp(run, 'check');
  if (spent) return { refuse: { kind: 'run_stopped', by: ofBudget(run, spent) } };
  const names = [...stops.map(({ name }) => name), ...notInstalled(run.target.baseline)];
  run.target.waivedChecks = [...run.target.waivedChecks, ...names];
  enter(d, 'DISCOVERY', { kind: 'checks_waived', by: by.name, names }, { resting: true });
  return onwards(d);
};

/**
 * What comes after the base: the agent that reads first, where it was asked to and has not; else
 * the change.
 */
const onwards = (d: Draft): Ruling => {
  const { run } = d;
  if (run.order.discovery === 'agent' && !run.target.agentDiscovery) {
    const spent = usedUp(run);
    if (spent) return outOf(d, spent) as undefined;
    run.lifecycle.reason = { kind: 'agent_discovery' };
    work(d, { kind: 'implement', round: READING });
    return undefined;
  }
  return void enter(d, 'PLAN_READY', run.target.escalation ?? known(run));
};

const known = ({ target: { baseline, agentDiscovery: agentRead }, lifecycle: { reason } }: Run): Reason => {
  const seen = baseline ?? { checks: [], tools: [] };
  const told = { failing: redOf(seen), flaky: flakyOf(seen), toolVersionMismatches: misfits(seen) };
  if (Object.values(told).some((some) => some.length > 0)) return { kind: 'base_checked', ...told };
  if (reason.kind === 'checks_waived') return reason;
  return agentRead ? { kind: 'contract_refined', ...agentRead } : { kind: 'contract_known' };
};

/** E7: what the agent adds to the contract; once it may correct what could not be used. */
export const refined = (d: Draft, input: InputOf<'worker.contract.refined'>): Ruling => {
  const { run } = d;
  account(d, input);
  succeeded(d);
  undo(d, input.discardedEdits ?? null);
  run.target.contract = input.contract;
  run.agent.containment = input.containment;
  run.target.escalation ??= input.escalate;
  const again =
    input.refused.length > 0
      ? nextRound(run, { ...READING, feedback: words(input.refused.join('\n')) })
      : null;
  if (again && 'round' in again) {
    run.lifecycle.counts = again.counts;
    run.lifecycle.reason = { kind: 'discovery_asked_again' };
    work(d, { kind: 'implement', round: again.round });
    return undefined;
  }
  run.lifecycle.counts = { ...run.lifecycle.counts, reportRepairs: 0 };
  run.target.agentDiscovery = { added: input.added, refused: input.refused.length };
  // What it found has to stand the same test.
  if (!isChecked(run)) return checkBase(d, false);
  return onwards(d);
};

/** Whether all that the contract runs was run on the base. */
const isChecked = (run: Run): boolean => {
  const isIn = (seen: readonly CheckResult[] = [], { name, command }: Planned): boolean =>
    seen.some((r) => r.name === name && r.command === command);
  return (
    installsOf(run).every((one) => isIn(run.target.baseline?.installs, one)) &&
    checksOf(run).every((one) => isIn(run.target.baseline?.checks, one))
  );
};
