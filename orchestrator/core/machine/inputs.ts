/**
 * S2: everything that may be offered to the machine. Each is a zod schema, discriminated on `type`,
 * of one of three kinds.
 */
import { z } from 'zod';
import { COMMAND_INPUTS, CreateRun } from './command-inputs.ts';
import { FACT_INPUTS } from './fact-inputs.ts';
import { RESULT_INPUTS } from './result-inputs.ts';

export const Input = z.discriminatedUnion('type', [
  CreateRun,
  ...COMMAND_INPUTS,
  ...RESULT_INPUTS,
  ...FACT_INPUTS,
]);
export type Input = z.infer<typeof Input>;
export type InputType = Input['type'];
export type InputOf<T extends InputType> = Extract<Input, { type: T }>;

/** Commands to a run that is there. */
export type CommandType = z.infer<(typeof COMMAND_INPUTS)[number]>['type'];
export type ResultType = z.infer<(typeof RESULT_INPUTS)[number]>['type'];
export type FactType = z.infer<(typeof FACT_INPUTS)[number]>['type'];

/**
 * What submit stamps on each input, once: the time in epoch ms, a random nonce for what must be
 * unguessable, and, on results, the run's epoch when the effect was issued (older than the run's
 * own: the world has moved on).
 */
export const Stamp = z.object({ at: z.number(), nonce: z.string(), effectEpoch: z.number().nullable() });
export type Stamp = z.infer<typeof Stamp>;

export const COMMANDS = COMMAND_INPUTS.map((o) => o.shape.type.value);
export const INPUT_TYPES = Input.options.map((o) => o.shape.type.value);

export type Kind = 'command' | 'result' | 'observation';
export const kindOf = (type: InputType): Kind =>
  type.startsWith('command.') ? 'command' : type.startsWith('worker.') ? 'result' : 'observation';
export const isResult = (input: Input): input is InputOf<ResultType> => kindOf(input.type) === 'result';
export const isFact = (input: Input): input is InputOf<FactType> => kindOf(input.type) === 'observation';
