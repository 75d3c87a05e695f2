/** Stores the permissions that a run's agent asked for, and the answers (E10). */
import type { CommandGroup } from '#model/environment';
import type { RunState } from '#model/run';
import type { Reason, ReasonOf } from './reasons.ts';

/** Valid once, for exactly this tool and input, and only in the round that it was given for. */
type Grant = {
  id: string;
  digest: string;
  by: string;
  instead?: { input: string; digest: string };
};
/** Valid for every command of that sort until the run ends or the grant is revoked. */
type Standing = { id: string; sort: CommandGroup; by: string };
export type RunPermissions = {
  askedCount: number;
  grants: readonly Grant[];
  standingGrants: readonly Standing[];
  /** Refusals of this round: the same question is not asked again. */
  refusals: readonly { digest: string; by: string; note: string }[];
  lastDecision: {
    tool: string;
    input: string;
    allows: boolean;
    instead?: string;
    /** The proposer whose alternative was picked. */
    picked?: string;
    sort: string | null;
    by: string;
    note: string;
  } | null;
};

const NO_PERMISSIONS: RunPermissions = {
  askedCount: 0,
  grants: [],
  standingGrants: [],
  refusals: [],
  lastDecision: null,
};
type Asks = { agent: { permissions?: RunPermissions } };
export const permissionsOf = ({ agent: { permissions } }: Asks): RunPermissions =>
  permissions ?? NO_PERMISSIONS;

export const MAX_RUN_QUESTIONS = 12;

/** The open question. Any other input that moves the run voids it, and that is no yes. */
type Stands = { lifecycle: { state: RunState; reason: Reason } };
export const permissionQuestionOf = ({
  lifecycle: { state, reason },
}: Stands): ReasonOf<'permission_asked'> | null =>
  state === 'NEEDS_HUMAN_REVIEW' && reason.kind === 'permission_asked' ? reason : null;

/** The round is over: only grants for the whole run survive. */
export const forgetGrants = (run: Asks): void => {
  // guard: E10-grants-end-with-round
  if (run.agent.permissions)
    run.agent.permissions = {
      ...NO_PERMISSIONS,
      askedCount: run.agent.permissions.askedCount,
      standingGrants: run.agent.permissions.standingGrants,
    };
};

/** E10: outcome of a turn that ended with a permission request; not a failure. */
export const ASKED_OUTCOME = 'asked';
