/**
 * observe: asks the forge for facts while a run waits for it. Polling alone is enough; webhooks
 * only make it faster (F1, F4).
 */
import type { Run } from '../core/machine/run.ts';
import { scopeOf, POLL_FAILURE_KINDS, type PollOutage, type PollFailure } from '../core/machine/outage.ts';
import { isTerminal } from '../core/run-states.ts';
import type { ClaimOf, EffectHandler } from '../engine/effect-handler.ts';
import type { PollDepth, ClaimedEffect } from '../ports.ts';
import { pollDepthFor, nextPollDelay } from './poll-interval.ts';
import { pollCodeHost, type PollResult } from './poll-parts.ts';
import { requireRunOf, type EffectContext } from './effect-context.ts';
import { HOUR, SECOND } from '../core/units.ts';
import { backoffDelay } from '../core/backoff.ts';

/** Looks that failed in a row before somebody is told: within a minute. */
const TOLD_TRIES = 5;
/** A wait of this length is told of at once (ms). */
const LONG_WAIT = 300_000;
const MOST_PAUSE = 300_000;
/** However long we are asked to wait: some code hosts count by the hour. */
const MOST_WAIT = HOUR;
/** A trouble of one repository that begins so much later is another one (ms). */
const SAME_OUTAGE_WINDOW_MS = 900_000;
const MAX_OUTAGE_RUNS = 1_000;
/** What may be gone at the next poll; everything else needs somebody to fix something. */
const PASSING_FAILURES: readonly PollFailure['kind'][] = ['credential', 'limit', 'host', 'ours'];

export const createObserve = (parts: EffectContext): EffectHandler<'poll'> => {
  const { submit, clock, hints } = parts;
  const spells = createSpells(parts);
  /**
   * When each run was last seen whole, and since when it is not. In memory: after a restart the
   * first look says it anew.
   */
  const whole = new Map<string, number>();
  const failing = new Map<string, number>();
  /** When each was looked at last. */
  const watched = new Map<string, number>();
  const again = (run: Run, everyMs: number): number => {
    const now = clock.now();
    for (const [id, at] of watched) if (at > now || now - at > HOUR) watched.delete(id);
    return nextPollDelay(run, now, everyMs, watched.size);
  };

  const seen = async (claim: ClaimedEffect, run: Run): Promise<void> => {
    whole.set(run.id, clock.now());
    failing.delete(run.id);
    if (!run.upstream.observed.outage) return;
    const key = `effect:${claim.id}:${claim.leaseEpoch}:worked`;
    await submit({ runId: run.id, input: { type: 'forge.poll.recovered' }, key, cause: { kind: 'none' } });
  };

  /**
   * F8: the next look comes whatever the answer was; a person hears once of what does not pass by
   * itself.
   */
  const unseen = async (
    claim: ClaimOf<'poll'>,
    run: Run,
    { facts, troubles, retryAt }: PollResult,
  ): Promise<number> => {
    const now = clock.now();
    const since = failing.get(run.id) ?? now;
    failing.set(run.id, since);
    const trouble = together(troubles);
    const asked = retryAt === null ? 0 : Math.min(retryAt - now, MOST_WAIT);
    const pause = backoffDelay(claim.tries - 1, { first: SECOND, most: MOST_PAUSE });
    // A part that we are never given makes no look rarer: the others tell of as much as ever.
    const lasts = facts.length > 0 && !troubles.some(({ kind }) => PASSING_FAILURES.includes(kind));
    const next = facts.length > 0 ? Math.min(MOST_PAUSE, again(run, claim.do.intervalMs)) : 0;
    const wait = Math.max(asked, next, lasts ? 0 : pause);
    if (run.upstream.observed.outage || claim.tries >= TOLD_TRIES || wait >= LONG_WAIT) {
      const key = `effect:${claim.id}:${claim.leaseEpoch}:failed`;
      await spells.tell(
        run,
        { failure: trouble, startedAt: since, lastFailureAt: whole.get(run.id) ?? null },
        key,
      );
    }
    return wait;
  };

  return async (claim, signal) => {
    const run = await requireRunOf(parts, claim.runId);
    const hinted = hints?.hinted(run.id) ?? false;
    hints?.begin(run.id);
    watched.set(run.id, clock.now());
    const care = pollDepthFor(run, clock.now(), claim.leaseEpoch, hinted);
    const sight = await obeying(parts, run, care);
    for (const [i, input] of sight.facts.entries()) {
      if (signal.aborted) break;
      const key = `effect:${claim.id}:${claim.leaseEpoch}:${i}`;
      try {
        await submit({ runId: run.id, input, key, cause: { kind: 'none' } });
      } catch (error) {
        // A fact that we cannot take must hide none of the others.
        parts.log.error({ err: error, run: run.id }, 'a fact of a look could not be taken');
        sight.troubles.push({
          kind: 'ours',
          status: null,
          parts: ['pull'],
          message: String(error).slice(0, 300),
        });
      }
    }
    if (sight.troubles.length > 0) {
      const wait = await unseen(claim, run, sight);
      const reason = sight.troubles.map(({ message: says }) => says).join(' ');
      return { kind: 'later', at: clock.now() + wait, reason, counts: true };
    }
    await seen(claim, run);
    // What was hinted while this look was under way, it may have missed.
    const wait = hints?.hinted(run.id) ? 0 : again(run, claim.do.intervalMs);
    return { kind: 'later', at: clock.now() + wait, reason: 'looks again', counts: 'anew' };
  };
};

/** F5: when the forge asks one look for quiet, no other look and no hint makes us ask before. */
const obeying = async (parts: EffectContext, run: Run, care: PollDepth): Promise<PollResult> => {
  const { hints, clock } = parts;
  const quiet = hints?.quietUntil() ?? 0;
  if (quiet > clock.now()) {
    const says = 'The code host asks us to wait.';
    return {
      facts: [],
      troubles: [{ kind: 'limit', status: null, parts: ['pull'], message: says }],
      retryAt: quiet,
    };
  }
  const sight = await pollCodeHost(parts, run, care);
  if (sight.retryAt !== null) hints?.quiet(Math.min(sight.retryAt, clock.now() + MOST_WAIT));
  return sight;
};

/** What weighs most names it; the parts are those of all. */
const together = (troubles: readonly PollFailure[]): PollFailure => {
  const [worst, ...others] = [...troubles].sort(
    (a, b) => POLL_FAILURE_KINDS.indexOf(a.kind) - POLL_FAILURE_KINDS.indexOf(b.kind),
  );
  if (!worst) throw new Error('nothing is wrong');
  const same = [worst, ...others].filter((t) => t.kind === worst.kind);
  return { ...worst, parts: [...new Set(same.flatMap((t) => t.parts))].sort() };
};

/**
 * Which spell a run's trouble belongs to. One after the other, so that fifty runs that fail at once
 * share one.
 */
const createSpells = ({ ledger, submit }: Pick<EffectContext, 'ledger' | 'submit'>) => {
  let last: Promise<unknown> = Promise.resolve();
  const joined = async (
    run: Run,
    { failure: trouble, startedAt: since }: Omit<PollOutage, 'outageId'>,
  ): Promise<string> => {
    const scope = scopeOf(trouble);
    const live = await ledger.query.runs({ live: true, limit: MAX_OUTAGE_RUNS });
    const shared = live.find(
      ({
        id,
        order,
        upstream: {
          observed: { outage: blind },
        },
      }) =>
        id !== run.id &&
        order.chat === run.order.chat &&
        blind !== null &&
        scopeOf(blind.failure) === scope &&
        (scope === trouble.kind || since - blind.startedAt < SAME_OUTAGE_WINDOW_MS),
    );
    // guard: F8-shared-trouble
    return shared?.upstream.observed.outage?.outageId ?? `${run.id}:${since}`;
  };
  const tellOne = async (run: Run, blind: Omit<PollOutage, 'outageId'>, key: string): Promise<void> => {
    const now = await ledger.query.run(run.id);
    if (!now || isTerminal(now.lifecycle.state)) return;
    const spell = now.upstream.observed.outage?.outageId ?? (await joined(now, blind));
    const input = { type: 'forge.poll.failed', outageId: spell, ...blind } as const;
    await submit({ runId: run.id, input, key, cause: { kind: 'none' } });
  };
  return {
    tell: (run: Run, blind: Omit<PollOutage, 'outageId'>, key: string): Promise<void> => {
      const told = last.then(() => tellOne(run, blind, key));
      last = told.catch(() => undefined);
      return told;
    },
  };
};
