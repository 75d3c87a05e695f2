/** Summarises the status of one campaign run. Pure. */
import type { BudgetKind } from '#model/limits';
import { FailureClass, isVainToRetry } from '#model/failure';
import type { AskedFirst } from '#model/requirements';
import { isTerminal } from '#model/run';
import type { RunOutcome } from '#model/campaign';
import { stopOf } from '#reports';
import { findFirstQuestion } from '../kernel/run/first-question.ts';
import { accountOf, listNearBudgets } from '../kernel/lifecycle/run-budget.ts';
import { findRunExclusion, type OutBy } from '../kernel/lifecycle/campaign-exclusion.ts';
import { isQuestionToPerson } from '../kernel/run/reasons.ts';
import type { Run } from '../kernel/run/run.ts';

export const STANDING_MARKS = [
  /** Needs a user: a card, a question or a pause. */
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

type NearBudget = { budget: BudgetKind; used: number };

export type RunStanding = {
  repo: string;
  run: string;
  mark: StandingMark;
  /** Reason why its repository takes no part; nothing failed. */
  out: OutBy | null;
  class: FailureClass | null;
  /** Name of what stopped it, as reports count it. */
  stop?: string;
  /** No result is expected any more. */
  over: boolean;
  /** Ended for good: it takes no more commands. */
  ended: boolean;
  /** Most used budgets, while more can be granted. */
  near: NearBudget[];
  opened: boolean;
  /** Maintainers closed it unmerged, or forbid such changes. */
  unwanted: boolean;
  publicAt: number | null;
  /** Requests of the repository that a shared card shows. */
  asks: AskedFirst | null;
  /** Its repository is not read yet: it may require something. */
  reads: boolean;
  /** Start, and last change of its status (epoch ms). */
  at: number;
  since: number;
};

export const runStanding = (run: Run): RunStanding => {
  const {
    lifecycle: { reason },
  } = run;
  const out = findRunExclusion(run);
  const ended = isTerminal(run.lifecycle.state);
  return {
    repo: run.order.repo,
    run: run.id,
    mark: out ? 'out' : markOf(run),
    out,
    class: classOf(reason),
    stop: stopOf(reason),
    // A hidden pull request may be visible again tomorrow.
    over: ended || (out !== null && !(out === 'missing' && run.upstream.pullRequest)),
    ended,
    near: ended ? [] : nearIn(run),
    opened: run.upstream.pullRequest !== null,
    unwanted: reason.kind === 'pull_closed' || reason.kind === 'ai_banned',
    publicAt: run.change.publicSince,
    asks: findFirstQuestion(run),
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
  listNearBudgets(run).flatMap((budget) => {
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
      if (reason.kind === 'pull_closed') return 'denied';
      if (reason.kind === 'ended_by_person') return reason.how === 'denied' ? 'denied' : 'cancelled';
      return 'failed';
    case 'NEEDS_HUMAN_REVIEW':
      // guard: F5-question-is-no-failure
      if (isQuestionToPerson(reason)) return 'waits';
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

export const hasReachedOutcome = ({ mark, opened }: RunStanding, wanted: RunOutcome): boolean => {
  if (mark === 'merged' || mark === 'done') return true;
  if (wanted === 'merged') return false;
  return wanted === 'ci_green' ? mark === 'green' : opened;
};

/** Occupies one place of the limit. A hidden pull request blocks nobody. */
export const isHoldingPlace = ({ over, out }: RunStanding): boolean => !over && out === null;

export const isSettled = (one: RunStanding, wanted: RunOutcome): boolean =>
  hasReachedOutcome(one, wanted) || one.over || ['failed', 'denied', 'out'].includes(one.mark);

type All = ReadonlyMap<string, RunStanding>;

export const cancellableRuns = (all: All): RunStanding[] =>
  [...all.values()].filter(({ ended, opened }) => !ended && !opened);

export const openQuestionsIn = (all: All): AskedFirst[] =>
  [...all.values()]
    .sort((a, b) => a.since - b.since || (a.run < b.run ? -1 : 1))
    .flatMap(({ asks }) => asks ?? []);

export const runsWithOpenPull = (all: All): RunStanding[] =>
  [...all.values()].filter(({ over, opened }) => !over && opened);

export const retryableRuns = (all: All, only: FailureClass | null = null): RunStanding[] =>
  [...all.values()].filter(
    ({ mark, ended, class: of }) =>
      // E18: the run resumes once there is a price, and would stop at once before.
      !ended &&
      of !== 'price_unknown' &&
      !(of !== null && isVainToRetry(of)) &&
      (only === null ? mark === 'failed' : of === only && (mark === 'failed' || mark === 'out')),
  );
