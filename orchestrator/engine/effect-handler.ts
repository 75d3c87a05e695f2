/**
 * What performs one kind of effect, and what it says of how that ended. A table that forgets a kind
 * does not compile.
 */
import type { Effect, EffectKind } from '../core/machine/effect-types.ts';
import type { FailureClass } from '../core/failure-classes.ts';
import type { Input, InputOf } from '../core/machine/inputs.ts';
import type { ClaimedEffect, EffectFinish } from '../ports.ts';
import { SECOND } from '../core/units.ts';

/**
 * What a handler says: an input for the machine, an end without one, or that it closed the effect
 * itself.
 */
export type HandlerOutcome = { kind: 'result'; input: Input } | { kind: 'settled' } | EffectFinish;

export type ClaimOf<K extends EffectKind> = ClaimedEffect & { do: Extract<Effect['do'], { kind: K }> };
/** Of one kind, or of whatever comes. */
export type EffectHandler<K extends EffectKind = EffectKind> = (
  claim: ClaimOf<K>,
  signal: AbortSignal,
) => Promise<HandlerOutcome>;
export type EffectHandlers = { readonly [K in EffectKind]: EffectHandler<K> };

/** How long a claim is ours without a sign of life (ms). */
export const LEASE_MS = 30 * SECOND;

export const stepFailed = (
  step: string,
  failure: FailureClass,
  message: string,
  more: Partial<
    Pick<
      InputOf<'worker.step.failed'>,
      | 'retryAt'
      | 'proposal'
      | 'usageSoFar'
      | 'assessment'
      | 'moved'
      | 'skippedFiles'
      | 'readFailure'
      | 'refusal'
      | 'model'
      | 'discardedEdits'
      | 'question'
    >
  > = {},
): { kind: 'result'; input: Input } => ({
  kind: 'result',
  input: {
    type: 'worker.step.failed',
    step,
    class: failure,
    message: message.slice(0, 1_000),
    retryAt: null,
    usageSoFar: null,
    proposal: null,
    assessment: null,
    ...more,
  },
});
