/** S9: what the log keeps of a step: the input, and all that was decided on it. Rules and wording may change; this stays. */
import { z } from 'zod';
import { isChanges, type Changes } from './changes.ts';
import type { ApprovalChange, Effect } from './effects.ts';
import { Stamp, type Input } from './inputs.ts';
import { Reason } from './reasons.ts';

export type Decided = {
  changes: Changes;
  effects: readonly Effect[];
  approvals: readonly ApprovalChange[];
};
/** The body of an event. */
export type Recorded = Decided & { input: Input; stamp: Stamp };

export const record = (input: Input, stamp: Stamp, { changes, effects, approvals }: Decided): Recorded => ({
  input,
  stamp,
  changes,
  effects,
  approvals,
});

const has = (value: unknown, member: string): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && member in value;

/** The members that a row of the effects is made from; what else an effect says is its handler's to read. */
const isEffect = (value: unknown): value is Effect => {
  if (!has(value, 'do') || typeof value['dueAt'] !== 'number') return false;
  const { do: what } = value;
  if (!has(what, 'kind') || typeof what['kind'] !== 'string') return false;
  return what['kind'] !== 'tell' || has(what['show'], 'view');
};

const isInput = (value: unknown): value is { type: string } =>
  has(value, 'type') && typeof value['type'] === 'string';
const areEffects = (value: unknown): value is Effect[] => Array.isArray(value) && value.every(isEffect);

const id = z.string();
const digest = z.string();
const at = z.number();
const kind = z.enum(['push', 'open_pr']);
const Change = z.discriminatedUnion('op', [
  z.object({ op: z.literal('open'), id, kind, digest, expiresAt: z.number(), needed: z.number() }),
  z.object({ op: z.literal('sign'), id, by: z.number().nullable(), name: z.string(), at }),
  z.object({ op: z.literal('consume'), id, digest, at, effectIndex: z.int() }),
  z.object({ op: z.literal('close'), id, state: z.enum(['void', 'denied', 'expired']), reason: Reason }),
]) satisfies z.ZodType<ApprovalChange>;

/** As it is read again. The input is not judged once more: what parsed when it came in was decided on. */
export const Recorded = z.object({
  input: z.custom<{ type: string; [name: string]: unknown }>(isInput, 'the input cannot be read'),
  stamp: Stamp,
  changes: z.custom<Changes>(isChanges, 'the changes cannot be read'),
  effects: z.custom<Effect[]>(areEffects, 'an effect cannot be read'),
  approvals: z.array(Change),
});
/** A step as it was read. */
export type RecordedStep = z.infer<typeof Recorded>;
