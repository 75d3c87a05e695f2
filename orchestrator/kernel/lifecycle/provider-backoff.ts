/** E17: waits for a busy provider within a bound; people hear of a long wait once. */
import { addMessage, type StepDraft } from './step-draft.ts';
import { waitsForProvider, type FailureClass } from '../../model/failure-classes.ts';
import { DAY, HOUR } from '../../model/units.ts';
import { backoffDelay } from '../../model/backoff.ts';

/** Wait that uses up no retry (ms); null when this try counts like any other. */
export const providerWait = (
  { run, stamp }: StepDraft,
  failure: FailureClass,
  retryAt: number | null,
): number | null => {
  const { maxRateWaits, rateWaitMs, retryMs } = run.order.bounds;
  const waited = run.lifecycle.counts.providerWaits;
  if (maxRateWaits !== null && waited >= maxRateWaits) return null;
  const wait = retryAt === null ? 0 : retryAt - stamp.at;
  // A provider that repeats "retry at once" does not escape the bound.
  // guard: S7-instant-retry
  if (wait > retryMs) return wait;
  const patient = waitsForProvider(failure);
  return patient && maxRateWaits !== null ? backoffDelay(waited, { first: rateWaitMs, most: HOUR }) : null;
};

export const waitOn = (d: StepDraft, failure: FailureClass, wait: number): void => {
  const { run, stamp } = d;
  const { maxRateWaits, longWaitMs } = run.order.bounds;
  if (maxRateWaits !== null)
    run.lifecycle.counts = { ...run.lifecycle.counts, providerWaits: run.lifecycle.counts.providerWaits + 1 };
  const { startedAt: since, announced: told } = run.lifecycle.providerWait ?? {
    startedAt: stamp.at,
    announced: false,
  };
  const until = stamp.at + wait;
  const long = until - since >= longWaitMs;
  run.lifecycle.providerWait = { startedAt: since, announced: told || long };
  // Runs of a campaign that wait for the same share one message: the first one rings.
  const { campaign } = run.order;
  const slot =
    campaign === undefined ? {} : { slot: `waiting:${campaign}:${failure}:${Math.floor(stamp.at / DAY)}` };
  // guard: E17-long-wait-once
  if (long && !told)
    addMessage(d, { view: 'provider_wait', class: failure, since, until }, { ...slot, sound: true });
};
