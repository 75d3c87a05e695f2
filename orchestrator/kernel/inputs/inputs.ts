/** S2: every input of the machine, as zod schemas: commands, results and facts. */
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

export type CommandType = z.infer<(typeof COMMAND_INPUTS)[number]>['type'];
export type ResultType = z.infer<(typeof RESULT_INPUTS)[number]>['type'];
export type FactType = z.infer<(typeof FACT_INPUTS)[number]>['type'];

/** Set once by submit: time (epoch ms), a nonce for unguessable ids, and the effect's epoch. */
export const InputStamp = z.object({ at: z.number(), nonce: z.string(), effectEpoch: z.number().nullable() });
export type InputStamp = z.infer<typeof InputStamp>;

export const COMMAND_TYPES = COMMAND_INPUTS.map((o) => o.shape.type.value);
export const INPUT_TYPES = Input.options.map((o) => o.shape.type.value);

export type InputKind = 'command' | 'result' | 'observation';
export const inputKindOf = (type: InputType): InputKind =>
  type.startsWith('command.') ? 'command' : type.startsWith('worker.') ? 'result' : 'observation';
export const isResult = (input: Input): input is InputOf<ResultType> => inputKindOf(input.type) === 'result';
export const isFact = (input: Input): input is InputOf<FactType> => inputKindOf(input.type) === 'observation';
