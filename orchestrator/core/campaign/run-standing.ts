/** How one run of a campaign stands, in the few words that a campaign is judged by. Pure. */
import type { BudgetKind } from '../run-bounds.ts';
import { FailureClass, isVainToRetry } from '../failure-classes.ts';
import { stopOf } from '../figures/person-waits.ts';
import { askedFirst, type AskedFirst } from '../machine/questions-before-work.ts';
import { accountOf, nearedBudgets } from '../machine/run-budget.ts';
import { excludedByRun, type OutBy } from '../machine/excluded-by-run.ts';
import type { Run } from '../machine/run.ts';
import { isTerminal } from '../run-states.ts';
import type { RunOutcome } from './campaign-order.ts';

export const STANDING_MARKS = [
  /** Needs somebody: a card, a question, a pause. */
  ...([
    'waits',
    'failed',
    'denied',
    'works',
    'open',
    'green',
    'merged',
    'done',
    'skipped',
    'out',
    'cancelled',
  ] as const),
] as const;
export type StandingMark = (typeof STANDING_MARKS)[number];

/** How much of a budget is used: 0.85. */
export type NearBudget = { budget: BudgetKind; used: number };

export type RunStanding = {
  repo: string;
  run: string;
  mark: StandingMark;
  /** Why its repository has no part in it after all: nobody failed there. */
  out: OutBy | null;
  /** Why it failed, where there is a class for it. */
  class: FailureClass | null;
  /** Nothing comes of it any more. */
  over: boolean;
  /** It has ended for good: nothing can be asked of it. */
  ended: boolean;
  /** Budgets of which it has used most, while more can be granted. */
  near: NearBudget[];
  /** It has a pull request. */
  opened: boolean;
  /** Its maintainers said no: they closed it unmerged, or forbid such changes. */
  unwanted: boolean;
  /** Since when something of it is public (epoch ms). */
  publicAt: number | null;
  /** What its repository asks before work begins, where that is asked on the card of many. */
  asks: AskedFirst | null;
  /** Its repository is still to be read: it may ask for something. */
  reads: boolean;
  /** When it was begun, and when it came to stand so (epoch ms). */
  at: number;
  since: number;
};

export const runStanding = (run: Run): RunStanding => {
  const {
    lifecycle: { reason },
  } = run;
  const out = excludedByRun(run);
  const ended = isTerminal(run.lifecycle.state);
  return {
    repo: run.order.repo,
    run: run.id,
    mark: out ? 'out' : markOf(run),
    out,
    class: classOf(reason),
    // A pull request that cannot be seen now may be there again tomorrow.
    over: ended || (out !== null && !(out === 'missing' && run.upstream.pullRequest)),
    ended,
    near: ended ? [] : nearIn(run),
    opened: run.upstream.pullRequest !== null,
    unwanted: reason.kind === 'pull_closed' || reason.kind === 'ai_banned',
    publicAt: run.change.publicSince,
    asks: askedFirst(run),
    reads: run.lifecycle.state === 'QUEUED' || run.lifecycle.state === 'DISCOVERY',
    at: run.lifecycle.createdAt,
    since: run.lifecycle.stateEnteredAt,
  };
};

const classOf = (reason: Run['lifecycle']['reason']): FailureClass | null =>
  reason.kind === 'budget_exhausted'
    ? 'budget_exceeded'
    : (FailureClass.safeParse(stopOf(reason)).data ?? null);

const nearIn = (run: Run): NearBudget[] =>
  nearedBudgets(run).flatMap((budget) => {
    const { used, limit } = accountOf(run, budget);
    return limit === null ? [] : [{ budget, used: used / limit }];
  });

const markOf = (run: Run): StandingMark => {
  const {
    lifecycle: { state, reason },
    upstream: { observed: seen },
  } = run;
  switch (state) {
    case 'DONE':
      return seen.pull?.merged ? 'merged' : 'done';
    case 'SKIPPED':
      return 'skipped';
    case 'FAILED_TERMINAL':
      // A maintainer's no is a no as well.
      if (reason.kind === 'pull_closed') return 'denied';
      if (reason.kind === 'ended_by_person') return reason.how === 'denied' ? 'denied' : 'cancelled';
      return 'failed';
    case 'NEEDS_HUMAN_REVIEW':
      return reason.kind === 'rejected' ? 'denied' : 'failed';
    case 'PAUSED':
      return 'waits';
    case 'REVIEW_WAIT':
      return 'green';
    default:
      if (run.gate.approval !== null || (state === 'PLAN_READY' && run.target.escalation !== null))
        return 'waits';
      return run.upstream.pullRequest !== null ? 'open' : 'works';
  }
};

export const isReached = ({ mark, opened }: RunStanding, wanted: RunOutcome): boolean => {
  if (mark === 'merged' || mark === 'done') return true;
  if (wanted === 'merged') return false;
  return wanted === 'ci_green' ? mark === 'green' : opened;
};

/**
 * It takes one of the places that there are for runs at a time. A pull request that is not to be seen
 * keeps nobody waiting.
 */
export const holdsPlace = ({ over, out }: RunStanding): boolean => !over && out === null;

/** Nothing more has to be waited for before it is judged. */
export const isSettled = (one: RunStanding, wanted: RunOutcome): boolean =>
  isReached(one, wanted) || one.over || ['failed', 'denied', 'out'].includes(one.mark);

type All = ReadonlyMap<string, RunStanding>;

/** Runs that are at work and have nothing that maintainers see. */
export const cancellableRuns = (all: All): RunStanding[] =>
  [...all.values()].filter(({ ended, opened }) => !ended && !opened);

/** What repositories ask before work begins; whoever waits longest comes first. */
export const askedIn = (all: All): AskedFirst[] =>
  [...all.values()]
    .sort((a, b) => a.since - b.since || (a.run < b.run ? -1 : 1))
    .flatMap(({ asks }) => asks ?? []);

/** Runs of which a pull request is open. */
export const withOpenPull = (all: All): RunStanding[] =>
  [...all.values()].filter(({ over, opened }) => !over && opened);

/**
 * Runs that failed and can be tried again: of one class, or of all. What the code host did to a
 * repository is tried again where somebody names that.
 */
export const retryableRuns = (all: All, only: FailureClass | null = null): RunStanding[] =>
  [...all.values()].filter(
    ({ mark, ended, class: of }) =>
      // E18: it goes on by itself once there is a price, and would stop at once before.
      !ended &&
      of !== 'price_unknown' &&
      !(of !== null && isVainToRetry(of)) &&
      (only === null ? mark === 'failed' : of === only && (mark === 'failed' || mark === 'out')),
  );
