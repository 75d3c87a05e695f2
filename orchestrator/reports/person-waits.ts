/** Names what a run waits for; the name stays the same during one wait. */
import type { Reason } from '../kernel/run/reasons.ts';
import { ROUND_ROWS } from '../kernel/run/round-table.ts';
import type { Run } from '../kernel/run/run.ts';

export type PersonWait = { name: string; cause: string };

export const stopOf = (reason: Reason): string => {
  switch (reason.kind) {
    case 'step_failed':
      return reason.class;
    case 'nothing_committable':
      return 'no_changes';
    case 'policy_denied':
      return 'policy_denied';
    case 'budget_exhausted':
      return `budget_${reason.budget}`;
    case 'base_unusable':
      return 'env_missing';
    default:
      return reason.kind;
  }
};

export const findPersonWait = (run: Run): PersonWait | null => {
  const {
    gate: { approval },
    lifecycle: { state, reason, epoch },
    target: { escalation },
    review: { triage },
  } = run;
  if (approval) return { name: approval.id, cause: `card.${approval.kind}` };
  const toWait = (cause: string): PersonWait => ({ name: `${cause}:${epoch}`, cause });
  if (state === 'PLAN_READY' && escalation !== null) return toWait('plan');
  if (state === 'NEEDS_HUMAN_REVIEW' || state === 'PAUSED') {
    // A user who paused a run is asked nothing.
    if (reason.kind === 'paused') return null;
    return toWait(reason.kind === 'permission_asked' ? 'permission' : `stop.${stopOf(reason)}`);
  }
  return triage ? { name: triage.card, cause: 'remarks' } : null;
};

export const isStop = ({ cause }: PersonWait): boolean => cause === 'permission' || cause.startsWith('stop.');

export const skillOf = (run: Run): string | null =>
  run.change.commit === null && run.agent.session === null ? null : ROUND_ROWS[run.agent.round.kind].skill;
