/** Types of input handlers. A table that forgets a kind of input does not compile. */
import type { StepDraft } from './step-draft.ts';
import type { InputOf, InputType } from '../inputs/inputs.ts';
import type { IgnoredReason } from '../effects/recorded-step.ts';
import type { Refusal } from '../run/refusals.ts';

/** `undefined` accepts the draft. */
export type HandlerRuling = { refuse: Refusal } | { ignore: IgnoredReason } | undefined;

export type InputHandler<T extends InputType> = (d: StepDraft, input: InputOf<T>) => HandlerRuling;
export type InputHandlers<T extends InputType> = { readonly [K in T]: InputHandler<K> };

export const handleInput = <T extends InputType>(
  handlers: InputHandlers<T>,
  type: T,
  d: StepDraft,
  input: InputOf<T>,
): HandlerRuling => handlers[type](d, input);
