/** Decides when the code host is polled, and how lasting failures of polls are reported (F1, F4). */
import type { Run, RunLifecycle } from '../run/run.ts';
import { outageScopeOf, PollFailure, type PollOutage } from '#model/failure';
import { isTerminal } from '#model/run';
import { HOUR, SECOND, MINUTE, backoffDelay } from '#model/values';
import type { ClaimOf, EffectHandler } from '../runtime/effect-handler.ts';
import type { PollDepth } from '#ports/forge';
import type { ClaimedEffect } from '#ports/steps';
import { MIN_HINT_GAP_MS } from './expedite-poll.io.ts';
import { pollForReopening } from '../upstream/poll-for-reopening.io.ts';
import { pollCodeHost, type PollResult } from './poll-code-host.io.ts';
import { requireRunOf, type EffectContext, type PollHints } from '../handlers/effect-context.ts';
import { ciSettleTime } from './ci-facts.ts';

const MAX_POLL_PAUSE_MS = 5 * MINUTE;
const YOUNG_PUSH_MS = 2 * MINUTE;
/** Factor from the shortest to the longest interval: 30 seconds to 15 minutes by default. */
const MAX_POLL_FACTOR = 30;
/** In ms. A poll makes two requests; this stays under half of 900 points a minute ("Rate limits for the REST API"). */
const MIN_POLL_MS_PER_PULL = (2 * MINUTE) / 420;

/** Returns ms. `watched`: number of polled runs. */
export const nextPollDelay = (
  run: { lifecycle: Pick<RunLifecycle, 'state' | 'stateEnteredAt'> },
  now: number,
  everyMs: number,
  watched: number,
): number => {
  const age = Math.max(0, now - run.lifecycle.stateEnteredAt);
  const tier =
    run.lifecycle.state === 'CI_WAIT' && age < HOUR
      ? age < YOUNG_PUSH_MS
        ? Math.max(everyMs / 3, Math.min(everyMs, SECOND))
        : everyMs
      : Math.min(MAX_POLL_FACTOR * everyMs, Math.max(everyMs, age / 20));
  return Math.round(Math.max(tier, watched * MIN_POLL_MS_PER_PULL));
};

/** F5: looks a hour that may fail; each costs two requests of the hourly limit, unlike an unchanged answer. */
const MAX_FAILED_LOOKS_PER_HOUR = 500;
/** Refusals of the pull request itself; a host that is away costs nothing of the limit. */
const COSTLY_FAILURES: readonly PollFailure['kind'][] = ['credential', 'forbidden', 'refused', 'missing'];

/** Returns ms. `regular`: pace of what is watched; `unreadable`: runs whose pull request is refused now. */
export const delayAfterFailedPoll = ({
  tries,
  regular,
  unreadable,
  isPartial,
  lasts,
}: {
  tries: number;
  regular: number;
  unreadable: number;
  isPartial: boolean;
  lasts: boolean;
}): number => {
  const pause = backoffDelay(tries - 1, { first: SECOND, most: MAX_POLL_PAUSE_MS });
  // guard: F5-failing-looks-paced
  const shared = isPartial ? 0 : Math.min(HOUR, (unreadable * HOUR) / MAX_FAILED_LOOKS_PER_HOUR);
  // A part that is always refused does not slow down the others.
  return Math.round(Math.max(Math.min(MAX_POLL_PAUSE_MS, regular), shared, lasts ? 0 : pause));
};

/** A full poll when CI is about to settle or a webhook came; otherwise two parts. */
export const pollDepthFor = (
  run: Run,
  now: number,
  turn: number,
  { hinted }: { hinted: boolean },
): PollDepth => {
  const ci = run.change.pushedHead ? run.upstream.observed.ci[run.change.pushedHead.sha] : undefined;
  const settles = ci === undefined || (!ci.confirmed && now >= ciSettleTime(ci, run.order.bounds));
  return hinted || settles || run.upstream.observed.outage !== null ? 'whole' : { turn };
};

/** Consecutive failures before a person is told, about a minute. */
const TOLD_TRIES = 5;
const LONG_WAIT = 300_000;
/** Limit of requested waits (ms); some code hosts count by the hour. */
const MOST_WAIT = HOUR;
/** Failures of one repository within this time are one outage (ms). */
const SAME_OUTAGE_WINDOW_MS = 900_000;
const MAX_OUTAGE_RUNS = 1_000;
/** These may be gone at the next poll; all others need a person. */
const PASSING_FAILURES: readonly PollFailure['kind'][] = ['credential', 'limit', 'host', 'ours'];

export const createPollHandler = (parts: EffectContext & PollHints): EffectHandler<'poll'> => {
  const { submit, clock, hints } = parts;
  const outages = createOutageReports(parts);
  /** Kept in memory; the first poll after a restart fills them again. */
  const whole = new Map<string, number>();
  const failing = new Map<string, number>();
  /** Runs whose pull request was refused, and when (epoch ms). */
  const unreadable = new Map<string, number>();
  const watched = new Map<string, number>();
  const nextDelay = (run: Run, everyMs: number): number => {
    const now = clock.now();
    forgetOld(watched, now);
    return nextPollDelay(run, now, everyMs, watched.size);
  };

  const recordSuccess = async (claim: ClaimedEffect, run: Run): Promise<void> => {
    whole.set(run.id, clock.now());
    failing.delete(run.id);
    unreadable.delete(run.id);
    if (!run.upstream.observed.outage) return;
    const key = `effect:${claim.id}:${claim.leaseEpoch}:worked`;
    await submit({ runId: run.id, input: { type: 'forge.poll.recovered' }, key, cause: { kind: 'none' } });
  };

  /** F8: polling never stops; a person is told once about a lasting failure. */
  const delayAfterFailure = async (
    claim: ClaimOf<'poll'>,
    run: Run,
    { facts, failures, retryAt }: PollResult,
  ): Promise<number> => {
    const now = clock.now();
    const since = failing.get(run.id) ?? now;
    failing.set(run.id, since);
    const failure = mergeFailures(failures);
    const asked = retryAt === null ? 0 : Math.min(retryAt - now, MOST_WAIT);
    const isPartial = facts.length > 0;
    const isCostly = !isPartial && COSTLY_FAILURES.includes(failure.kind);
    if (isCostly) unreadable.set(run.id, now);
    else unreadable.delete(run.id);
    forgetOld(unreadable, now);
    const lasts = isPartial && !failures.some(({ kind }) => PASSING_FAILURES.includes(kind));
    const regular = nextDelay(run, claim.do.intervalMs);
    const shares = isCostly ? unreadable.size : 0;
    const pace = delayAfterFailedPoll({ tries: claim.tries, regular, unreadable: shares, isPartial, lasts });
    const wait = Math.max(asked, pace);
    if (run.upstream.observed.outage || claim.tries >= TOLD_TRIES || wait >= LONG_WAIT) {
      const key = `effect:${claim.id}:${claim.leaseEpoch}:failed`;
      await outages.report(run, { failure, startedAt: since, lastFailureAt: whole.get(run.id) ?? null }, key);
    }
    return wait;
  };

  return async (claim, signal) => {
    const run = await requireRunOf(parts, claim.runId);
    if (isTerminal(run.lifecycle.state)) return pollForReopening(parts, claim, run);
    const hinted = hints?.hinted(run.id) ?? false;
    hints?.begin(run.id);
    const begunAt = clock.now();
    watched.set(run.id, begunAt);
    const depth = pollDepthFor(run, begunAt, claim.leaseEpoch, { hinted });
    const result = await pollWithinLimits(parts, run, depth);
    for (const [i, input] of result.facts.entries()) {
      if (signal.aborted) break;
      const key = `effect:${claim.id}:${claim.leaseEpoch}:${i}`;
      try {
        await submit({ runId: run.id, input, key, cause: { kind: 'none' } });
      } catch (error) {
        parts.log.error({ err: error, run: run.id }, 'a fact of a poll could not be stored');
        result.failures.push({
          kind: 'ours',
          status: null,
          parts: ['pull'],
          message: String(error).slice(0, 300),
        });
      }
    }
    if (result.failures.length > 0) {
      const wait = await delayAfterFailure(claim, run, result);
      const reason = result.failures.map(({ message: says }) => says).join(' ');
      return { kind: 'later', at: clock.now() + wait, reason, counts: true };
    }
    await recordSuccess(claim, run);
    // A webhook during the poll may report something that the poll missed.
    const soon = Math.max(0, begunAt + MIN_HINT_GAP_MS - clock.now());
    const wait = hints?.hinted(run.id) ? soon : nextDelay(run, claim.do.intervalMs);
    return { kind: 'later', at: clock.now() + wait, reason: 'polls again', counts: 'anew' };
  };
};

const forgetOld = (seen: Map<string, number>, now: number): void => {
  for (const [id, at] of seen) if (at > now || now - at > 2 * HOUR) seen.delete(id);
};

/** F5: a rate limit delays all polls, webhooks included. */
const pollWithinLimits = async (
  parts: EffectContext & PollHints,
  run: Run,
  depth: PollDepth,
): Promise<PollResult> => {
  const { hints, clock } = parts;
  const quiet = hints?.quietUntil() ?? 0;
  if (quiet > clock.now()) {
    const says = 'The code host asks us to wait.';
    return {
      facts: [],
      failures: [{ kind: 'limit', status: null, parts: ['pull'], message: says }],
      retryAt: quiet,
    };
  }
  const result = await pollCodeHost(parts, run, depth);
  if (result.retryAt !== null) hints?.quiet(Math.min(result.retryAt, clock.now() + MOST_WAIT));
  return result;
};

const mergeFailures = (failures: readonly PollFailure[]): PollFailure => {
  const kinds = PollFailure.shape.kind.options;
  const [worst, ...others] = [...failures].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  if (!worst) throw new Error('nothing is wrong');
  const same = [worst, ...others].filter((t) => t.kind === worst.kind);
  return { ...worst, parts: [...new Set(same.flatMap((t) => t.parts))].sort() };
};

/** Serialised, so that many runs failing at once join one outage. */
const createOutageReports = ({ ledger, submit }: Pick<EffectContext, 'ledger' | 'submit'>) => {
  let last: Promise<unknown> = Promise.resolve();
  /** The run that shares the newest outage of a chat and scope: asked before all others. */
  const sharing = new Map<string, string>();
  const outageIdOf = async (
    run: Run,
    { failure, startedAt: since }: Omit<PollOutage, 'outageId'>,
  ): Promise<string> => {
    const scope = outageScopeOf(failure);
    const hasSameOutage = ({ id, order, upstream }: Run): boolean => {
      const { outage } = upstream.observed;
      return (
        id !== run.id &&
        order.chat === run.order.chat &&
        outage !== null &&
        outageScopeOf(outage.failure) === scope &&
        (scope === failure.kind || since - outage.startedAt < SAME_OUTAGE_WINDOW_MS)
      );
    };
    const key = `${run.order.chat} ${scope}`;
    const known = sharing.get(key);
    const first = known === undefined ? null : await ledger.query.run(known);
    const shared =
      first && !isTerminal(first.lifecycle.state) && hasSameOutage(first)
        ? first
        : (await ledger.query.runs({ live: true, limit: MAX_OUTAGE_RUNS })).find(hasSameOutage);
    sharing.set(key, shared?.id ?? run.id);
    // guard: F8-shared-trouble
    return shared?.upstream.observed.outage?.outageId ?? `${run.id}:${since}`;
  };
  const reportOne = async (run: Run, outage: Omit<PollOutage, 'outageId'>, key: string): Promise<void> => {
    const now = await ledger.query.run(run.id);
    if (!now || isTerminal(now.lifecycle.state)) return;
    const outageId = now.upstream.observed.outage?.outageId ?? (await outageIdOf(now, outage));
    const input = { type: 'forge.poll.failed', outageId, ...outage } as const;
    await submit({ runId: run.id, input, key, cause: { kind: 'none' } });
  };
  return {
    report: (run: Run, outage: Omit<PollOutage, 'outageId'>, key: string): Promise<void> => {
      const reported = last.then(() => reportOne(run, outage, key));
      last = reported.catch(() => undefined);
      return reported;
    },
  };
};
