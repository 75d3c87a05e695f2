/** Types of input handlers. A table that forgets a kind of input does not compile. */
import type { StepDraft } from './step-draft.ts';
import type { InputOf, InputType } from './inputs.ts';
import type { Refusal } from './refusals.ts';

export type IgnoredReason =
  | 'nothing to do in this state'
  | 'stale result'
  | 'stale timer'
  | 'stale limit'
  | 'nothing new'
  | 'told already'
  | 'no pull request'
  | 'known already'
  | 'no approval for it'
  | 'no grant for it'
  | 'another commit'
  | 'no plan'
  | 'waits as before'
  | 'a person is waited for'
  | 'card closed'
  | 'nobody asks'
  | 'nothing pushed';

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
