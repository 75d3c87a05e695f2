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
  run.contract = input.contract;
  run.base = input.base;
  run.fork = input.fork ?? null;
  delete run.unreadable;
  if (input.undone) undo(d, input.undone);
  if (input.archived) return void enter(d, 'SKIPPED', { kind: 'archived' });
  // guard: F5-one-run-of-two-names
  if (input.duplicate !== undefined)
    return void enter(d, 'SKIPPED', { kind: 'duplicate', repo: input.duplicate });
  run.issue = input.issue ?? null;
  run.trailers = input.trailers ?? [];
  run.rivals = input.rivals ?? [];
  run.wantsSigned = input.wantsSigned ?? false;
  const ban = banIn(run);
  // guard: P3-ban-stops
  if (ban) return void enter(d, 'NEEDS_HUMAN_REVIEW', { kind: 'banned', ...ban });
  run.escalation = input.escalate;
  run.agentRead = null;
  run.without = [];
  if (run.baseline?.sha !== input.base.sha) run.baseline = null;
  // guard: E15-asked-anew
  return checkBase(d, run.reason.kind === 'retried');
};

/** E15: before an agent costs anything. */
const checkBase = (d: Draft, anew: boolean): Ruling => {
  const { run } = d;
  const spent = usedUp(run, 'check');
  if (spent) return outOf(d, spent) as undefined;
  run.reason = { kind: 'base_runs' };
  work(d, { kind: 'base', anew });
  return undefined;
};

export const baseChecked = (d: Draft, input: InputOf<'worker.base.checked'>): Ruling => {
  const { run } = d;
  account(d, { ms: input.ms, outputBytes: input.outputBytes ?? 0, session: null, usage: NO_USAGE });
  succeeded(d);
  run.baseline = input.baseline;
  const stops = stopsAt(run, input.baseline);
  // guard: E15-stops-before-agent
  if (stops.length > 0)
    return void enter(d, 'NEEDS_HUMAN_REVIEW', {
      kind: 'base_stops',
      run: run.id,
      stops,
      misfits: misfits(input.baseline),
    });
  return onwards(d);
};

/** A person goes on without what cannot be had here: it is no evidence, and every card says so. */
export const goWithout = (d: Draft, { by }: InputOf<'command.base.without'>): Ruling => {
  const { run } = d;
  // What stopped the run since, a push of somebody else's for one, is not answered by this.
  const asked = run.reason.kind === 'base_stops';
  const stops = asked && run.baseline ? stopsAt(run, run.baseline) : [];
  if (stops.length === 0 || !run.baseline) return { refuse: { kind: 'nothing_lacks', run: run.id } };
  const spent = usedUp(run, 'check');
  if (spent) return { refuse: { kind: 'stopped', by: ofBudget(run, spent) } };
  const names = [...stops.map(({ name }) => name), ...notInstalled(run.baseline)];
  run.without = [...run.without, ...names];
  enter(d, 'DISCOVERY', { kind: 'goes_without', by: by.name, names }, { resting: true });
  return onwards(d);
};

/**
 * What comes after the base: the agent that reads first, where it was asked to and has not; else
 * the change.
 */
const onwards = (d: Draft): Ruling => {
  const { run } = d;
  if (run.order.discovery === 'agent' && !run.agentRead) {
    const spent = usedUp(run);
    if (spent) return outOf(d, spent) as undefined;
    run.reason = { kind: 'agent_reads' };
    work(d, { kind: 'implement', round: READING });
    return undefined;
  }
  return void enter(d, 'PLAN_READY', run.escalation ?? known(run));
};

const known = ({ baseline, reason, agentRead }: Run): Reason => {
  const seen = baseline ?? { checks: [], tools: [] };
  const told = { failing: redOf(seen), flaky: flakyOf(seen), misfits: misfits(seen) };
  if (Object.values(told).some((some) => some.length > 0)) return { kind: 'base_seen', ...told };
  if (reason.kind === 'goes_without') return reason;
  return agentRead ? { kind: 'contract_refined', ...agentRead } : { kind: 'contract_known' };
};

/** E7: what the agent adds to the contract; once it may correct what could not be used. */
export const refined = (d: Draft, input: InputOf<'worker.contract.refined'>): Ruling => {
  const { run } = d;
  account(d, input);
  succeeded(d);
  undo(d, input.undone ?? null);
  run.contract = input.contract;
  run.containment = input.containment;
  run.escalation ??= input.escalate;
  const again =
    input.refused.length > 0 ? nextRound(run, { ...READING, told: words(input.refused.join('\n')) }) : null;
  if (again && 'round' in again) {
    run.counts = again.counts;
    run.reason = { kind: 'finds_asked_again' };
    work(d, { kind: 'implement', round: again.round });
    return undefined;
  }
  run.counts = { ...run.counts, repairs: 0 };
  run.agentRead = { added: input.added, refused: input.refused.length };
  // What it found has to stand the same test.
  if (!isChecked(run)) return checkBase(d, false);
  return onwards(d);
};

/** Whether all that the contract runs was run on the base. */
const isChecked = (run: Run): boolean => {
  const isIn = (seen: readonly CheckResult[] = [], { name, command }: Planned): boolean =>
    seen.some((r) => r.name === name && r.command === command);
  return (
    installsOf(run).every((one) => isIn(run.baseline?.installs, one)) &&
    checksOf(run).every((one) => isIn(run.baseline?.checks, one))
  );
};
