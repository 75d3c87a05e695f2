/** Defines an input of the machine: one row beside the function that handles it (S2). */
import { z } from 'zod';
import type { IgnoredReason } from '../effects/recorded-step.ts';
import { inputKindOf, type InputOf, type ResultType } from '../run/input-types.ts';
import { checkPushBlock, listOnwardHints, type Refusal, type RefusalHint } from '../run/refusals.ts';
import type { ApprovalKind, Run } from '../run/run.ts';
import type { States } from '../run/state-groups.ts';
import type { StepDraft } from './step-draft.ts';

/** `undefined` accepts the draft. */
export type HandlerRuling = { refuse: Refusal } | { ignore: IgnoredReason } | undefined;

/** Where an input may lead; `note` says when, on the page of all states. */
type Move = { from: States; to: States; note: string };
export const moveFrom = (from: States, to: States, note = ''): Move => ({ from, to, note });
export const stayIn = (from: States, note = ''): Move[] =>
  from.map((state) => moveFrom([state], [state], note));
export const stayPaused = (): Move[] => stayIn(['PAUSED'], 'kept for resume');

type InputSchema<Type extends string, Fields extends z.ZodRawShape> = z.ZodObject<
  { type: z.ZodLiteral<Type> } & Fields
>;
type Handler<Type extends string, Fields extends z.ZodRawShape> = (
  d: StepDraft,
  input: z.infer<InputSchema<Type, Fields>>,
) => HandlerRuling;
type AnyHandler = (d: StepDraft, input: { type: string }) => HandlerRuling;

/** A state that no move of a row names refuses a command, and ignores a result or an observation. */
type SharedFields<Type extends string, Fields extends z.ZodRawShape> = {
  type: Type;
  fields: Fields;
  moves: readonly Move[];
  handle: Handler<Type, Fields>;
};

export type InputRow<Type extends string = string, Schema extends z.ZodObject = z.ZodObject> = {
  type: Type;
  schema: Schema;
  moves: readonly Move[];
  handle: AnyHandler;
  instead: (run: Run) => readonly RefusalHint[];
  signs: ApprovalKind | null;
  chatOnly: boolean;
};
export type ResultRow<Type extends string = string, Schema extends z.ZodObject = z.ZodObject> = InputRow<
  Type,
  Schema
> & {
  handleNow: AnyHandler;
  holdsWhenLate: boolean;
};

export const defineInput = <const Type extends string, Fields extends z.ZodRawShape>({
  type,
  fields,
  moves,
  handle,
}: SharedFields<Type, Fields>): InputRow<Type, InputSchema<Type, Fields>> => ({
  type,
  schema: z.object({ type: z.literal(type), ...fields }),
  moves,
  handle: onlyOf(type, handle),
  instead: () => [],
  signs: null,
  chatOnly: false,
});

const onlyOf = <Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  handle: Handler<Type, Fields>,
): AnyHandler => {
  const isOwn = (input: unknown): input is z.infer<InputSchema<Type, Fields>> =>
    typeof input === 'object' && input !== null && 'type' in input && input.type === type;
  return (d, input) => {
    if (!isOwn(input)) throw new Error(`the row of ${type} was given ${input.type}`);
    return handle(d, input);
  };
};

export const defineCommand = <const Type extends `command.${string}`, Fields extends z.ZodRawShape>({
  pushes = false,
  instead = listOnwardHints,
  signs = null,
  chatOnly = signs !== null,
  ...row
}: SharedFields<Type, Fields> & {
  /** F12: it ends in a push, or in an answer on the code host. */
  pushes?: boolean;
  instead?: (run: Run) => readonly RefusalHint[];
  /** G3: the kind of approval that it signs. Signatures come from the chat alone. */
  signs?: ApprovalKind | null;
  chatOnly?: boolean;
}): InputRow<Type, InputSchema<Type, Fields>> => {
  const base = defineInput(row);
  return {
    ...base,
    handle: (d, input) => {
      const refuse = pushes ? checkPushBlock(d.run) : null;
      // guard: F12-refused-while-blocked
      if (refuse) return { refuse };
      return base.handle(d, input);
    },
    instead,
    signs,
    chatOnly,
  };
};

export const defineResult = <const Type extends `worker.${string}`, Fields extends z.ZodRawShape>({
  late = 'kept',
  ...row
}: SharedFields<Type, Fields> & {
  /** One of a past epoch or of a paused run is kept for resume, ignored, or says something that holds. */
  late?: 'kept' | 'ignored' | Handler<Type, Fields>;
}): ResultRow<Type, InputSchema<Type, Fields>> => {
  const { handle: handleNow, ...base } = defineInput(row);
  const handleLate: AnyHandler =
    late === 'kept' ? keepResult : late === 'ignored' ? ignoreStale : onlyOf(row.type, late);
  return {
    ...base,
    handle: (d, input) => {
      const { run, stamp } = d;
      // guard: S2-result-epoch
      const current = stamp.effectEpoch === run.lifecycle.epoch && run.lifecycle.state !== 'PAUSED';
      return current ? handleNow(d, input) : handleLate(d, input);
    },
    handleNow,
    holdsWhenLate: late !== 'kept',
  };
};

const isResult = (input: { type: string }): input is InputOf<ResultType> =>
  inputKindOf(input.type) === 'result';

/** Stores a result that arrives while the run is paused, for use on resume. */
export const keepResult: AnyHandler = (draft, input) => {
  const { run, stamp } = draft;
  if (!isResult(input) || stamp.effectEpoch === null || stamp.effectEpoch !== run.lifecycle.pausedEpoch)
    return { ignore: 'stale result' };
  run.lifecycle.deferredResult = { input, effectEpoch: stamp.effectEpoch };
  return undefined;
};

const ignoreStale = (): HandlerRuling => ({ ignore: 'stale result' });

export const defineFact = <
  const Type extends `forge.${string}` | `timer.${string}`,
  Fields extends z.ZodRawShape,
>(
  row: SharedFields<Type, Fields>,
): InputRow<Type, InputSchema<Type, Fields>> => {
  const base = defineInput(row);
  return {
    ...base,
    handle: (d, input) => {
      const stale = 'epoch' in input && input.epoch !== d.run.lifecycle.epoch;
      return stale ? { ignore: 'stale timer' } : base.handle(d, input);
    },
  };
};
