/** What a run waits for a person for, by a name that stays the same while it is the same wait. */
import type { Reason } from '../machine/reasons.ts';
import { ROUND_ROWS } from '../machine/rounds.ts';
import type { Run } from '../machine/run.ts';

/** `name` tells one wait from the next; `cause` is what kind it is. */
export type PersonWait = { name: string; cause: string };

/** Why a run stands, in the words that failures are counted by. */
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

export const awaitedPerson = (run: Run): PersonWait | null => {
  const {
    gate: { approval },
    lifecycle: { state, reason, epoch },
    target: { escalation },
    review: { triage },
  } = run;
  if (approval) return { name: approval.id, cause: `card.${approval.kind}` };
  const named = (cause: string): PersonWait => ({ name: `${cause}:${epoch}`, cause });
  if (state === 'PLAN_READY' && escalation !== null) return named('plan');
  if (state === 'NEEDS_HUMAN_REVIEW' || state === 'PAUSED') {
    // Who paused it is not asked for anything.
    if (reason.kind === 'paused') return null;
    return named(reason.kind === 'permission_asked' ? 'permission' : `stop.${stopOf(reason)}`);
  }
  return triage ? { name: triage.card, cause: 'remarks' } : null;
};

/** Whether work waits until somebody acts: a stop, or what an agent asks to be allowed. */
export const isStop = ({ cause }: PersonWait): boolean => cause === 'permission' || cause.startsWith('stop.');

/** The prompt of the round that led here; null before any agent worked. */
export const skillOf = (run: Run): string | null =>
  run.change.commit === null && run.agent.session === null ? null : ROUND_ROWS[run.agent.round.kind].skill;
