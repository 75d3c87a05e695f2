/** Types of effect handlers and their outcomes. A table that lacks a kind does not compile. */
import type { Effect, EffectKind } from '../effects/effect-types.ts';
import type { Input, InputOf } from '../run/input-types.ts';
import type { QuestionOutcome } from '#model/agent';
import type { FailureClass } from '#model/failure';
import { NO_USAGE } from '#model/reports';
import { SECOND } from '#model/values';
import type { WriteHold } from '#ports/forge';
import type { ClaimedEffect, EffectFinish } from '#ports/steps';

/** `settled`: the handler closed the effect itself. */
export type HandlerOutcome =
  | { kind: 'result'; input: Input }
  | { kind: 'settled' }
  | { kind: 'held'; hold: WriteHold }
  | EffectFinish;

export type ClaimOf<K extends EffectKind> = ClaimedEffect & { do: Extract<Effect['do'], { kind: K }> };
export type EffectHandler<K extends EffectKind = EffectKind> = (
  claim: ClaimOf<K>,
  signal: AbortSignal,
) => Promise<HandlerOutcome>;
export type EffectHandlers = { readonly [K in EffectKind]: EffectHandler<K> };

export const LEASE_MS = 30 * SECOND;

export const toStepFailure = (
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
      | 'differences'
      | 'skippedFiles'
      | 'readFailure'
      | 'detail'
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

/** E21: the end of a question for which no agent was asked. */
export const toQuestionEnd = (
  question: string,
  outcome: QuestionOutcome,
): InputOf<'worker.question.answered'> => ({
  type: 'worker.question.answered',
  question,
  outcome,
  session: null,
  usage: NO_USAGE,
  ms: 0,
  containment: null,
});

/** What a failure becomes: of an answer it ends the question alone, of other work a step of the run. */
export const toWorkFailure = (
  { do: work }: ClaimedEffect,
  ...[failure, message, more]: [
    ...(Parameters<typeof toStepFailure> extends [string, ...infer Rest] ? Rest : never),
  ]
): { kind: 'result'; input: Input } =>
  work.kind === 'answer_question'
    ? {
        kind: 'result',
        input: toQuestionEnd(work.question, {
          kind: 'failed',
          class: failure,
          message: message.slice(0, 1_000),
        }),
      }
    : toStepFailure(work.kind, failure, message, more);
