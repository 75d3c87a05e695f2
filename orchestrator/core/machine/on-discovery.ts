/** What is learned of a repository: by ourselves from its files, and by the agent where it is asked to read first (E7). */
import { usedUp } from './budget.ts';
import { account, enter, nextRound, outOf, succeeded, work, type Draft } from './draft.ts';
import { words } from '../feedback.ts';
import type { InputOf } from './inputs.ts';
import type { Ruling } from './handler.ts';
import { READING } from './rounds.ts';
import { undo } from './undone.ts';

export const discovered = (d: Draft, input: InputOf<'worker.discovery.completed'>): Ruling => {
  const { run } = d;
  succeeded(d);
  run.contract = input.contract;
  run.base = input.base;
  if (input.undone) undo(d, input.undone);
  if (input.archived) return void enter(d, 'SKIPPED', { kind: 'archived' });
  const ban = input.contract.rules.find((r) => r.kind === 'ai_ban');
  if (ban) {
    const { quote, file, line } = ban;
    return void enter(d, 'SKIPPED', { kind: 'banned', quote, file, line });
  }
  run.escalation = input.escalate;
  if (run.order.discovery === 'agent') {
    const spent = usedUp(run);
    if (spent) return outOf(d, spent) as undefined;
    run.reason = { kind: 'agent_reads' };
    work(d, { kind: 'implement', round: READING });
    return undefined;
  }
  return void enter(d, 'PLAN_READY', input.escalate ?? { kind: 'contract_known' });
};

/** E7: what the agent adds to the contract; once it may mend what could not be used of it. */
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
  const { added, refused } = input;
  const known = { kind: 'contract_refined', added, refused: refused.length } as const;
  return void enter(d, 'PLAN_READY', run.escalation ?? known);
};
