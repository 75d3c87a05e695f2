/** Looks whether a pull request whose closing ended its run is open again (S11). */
import type { ClaimOf, HandlerOutcome } from '../runtime/effect-handler.ts';
import { OutsideFailure } from '#ports/forge';
import type { ForgePulls, ForgeRepository } from '#ports/roles';
import { toPullObserved, readPullOfRun } from '../ci/poll-code-host.io.ts';
import type { EffectContext, PollHints } from '../handlers/effect-context.ts';
import type { Run } from '../run/run.ts';
import { mayReopen, reopeningDelay } from './reopening.ts';

type Parts = Pick<EffectContext, 'submit' | 'clock' | 'log'> &
  PollHints & { forge: ForgeRepository & ForgePulls };

/** F8: a look that fails is made again at the same pace; nobody waits for it, so nobody is told. */
export const pollForReopening = async (
  parts: Parts,
  claim: ClaimOf<'poll'>,
  run: Run,
): Promise<HandlerOutcome> => {
  const { submit, clock, hints, log } = parts;
  const begunAt = clock.now();
  const { pullRequest: pr } = run.upstream;
  if (!pr || !mayReopen(run, begunAt)) return { kind: 'done', result: 'it stays closed' };
  hints?.begin(run.id);
  const pollLater = (notBefore: number): HandlerOutcome => ({
    kind: 'later',
    at: Math.max(notBefore, clock.now() + reopeningDelay(run, clock.now())),
    reason: 'looks whether it was reopened',
    counts: 'anew',
  });
  const quiet = hints?.quietUntil() ?? 0;
  if (quiet > begunAt) return pollLater(quiet);
  try {
    const { pull } = await readPullOfRun(parts, run, pr.id, 'whole');
    if (pull.state === 'closed' && !pull.merged) return pollLater(0);
    const input = { ...toPullObserved(pull), type: 'forge.pull.reopened' } as const;
    const key = `effect:${claim.id}:${claim.leaseEpoch}:reopened`;
    await submit({ runId: run.id, input, key, cause: { kind: 'none' } });
    return pollLater(0);
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    log.info({ why: error.message, run: run.id }, 'a closed pull request could not be looked at');
    if (error.retryAt !== null) hints?.quiet(error.retryAt);
    return pollLater(error.retryAt ?? 0);
  }
};
