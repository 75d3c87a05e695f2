/** E10: what a run was asked to permit, and what people said to it. */
import type { CommandSort } from '../govern/command-sort.ts';
import type { RunState } from '../run-states.ts';
import type { Reason, ReasonOf } from './reasons.ts';

/** Good once, for exactly this tool and input; it dies with the round that it was given for. */
type Grant = {
  id: string;
  digest: string;
  by: string;
  /** What a person put in its place; left out where it is allowed as it was asked. */
  instead?: { input: string; digest: string };
};
/** Good for every command of that sort until the run ends, or until somebody takes it back. */
type Standing = { id: string; sort: CommandSort; by: string };
export type RunPermissions = {
  /** Questions that people were asked in this run. */
  askedCount: number;
  grants: readonly Grant[];
  standingGrants: readonly Standing[];
  /** What people said no to in this round: it is not asked again. */
  refusals: readonly { digest: string; by: string; note: string }[];
  /** The newest answer, for the agent. */
  lastDecision: {
    tool: string;
    input: string;
    allows: boolean;
    /** What runs in its place, where a person changed it. */
    instead?: string;
    /** The words of the sort that was allowed with it. */
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

/** Questions that one run may ask people. */
export const MAX_RUN_QUESTIONS = 12;

/** What a person is asked now; whatever moves the run on voids it, and that is no yes. */
type Stands = { lifecycle: { state: RunState; reason: Reason } };
export const questionOf = ({ lifecycle: { state, reason } }: Stands): ReasonOf<'permission_asked'> | null =>
  state === 'NEEDS_HUMAN_REVIEW' && reason.kind === 'permission_asked' ? reason : null;

/** The round is over: nothing that was said to it holds for another, but what was said of the run. */
export const forgetGrants = (run: Asks): void => {
  // guard: E10-grants-end-with-round
  if (run.agent.permissions)
    run.agent.permissions = {
      ...NO_PERMISSIONS,
      askedCount: run.agent.permissions.askedCount,
      standingGrants: run.agent.permissions.standingGrants,
    };
};
