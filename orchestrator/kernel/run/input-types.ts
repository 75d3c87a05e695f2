/** Types of everything that is offered to a run: commands, results and observations (S2). */

/** Holds the fields of each input; the list of their rows fills it in (`inputs/inputs.ts`). */
// oxlint-disable-next-line typescript/no-empty-object-type -- Filled in where the rows are listed.
export interface InputsByType {}

export type InputType = keyof InputsByType;
export type InputOf<T extends InputType> = InputsByType[T];
export type Input = InputOf<InputType>;

export type CommandType = Exclude<Extract<InputType, `command.${string}`>, 'command.run.create'>;
export type ResultType = Extract<InputType, `worker.${string}`>;

/** Set once by submit: time (epoch ms), a nonce for unguessable ids, and the effect's epoch. */
export type InputStamp = { at: number; nonce: string; effectEpoch: number | null };

type InputKind = 'command' | 'result' | 'observation';
export const inputKindOf = (type: string): InputKind =>
  type.startsWith('command.') ? 'command' : type.startsWith('worker.') ? 'result' : 'observation';
export const isCommandInput = (type: InputType): type is CommandType =>
  inputKindOf(type) === 'command' && type !== 'command.run.create';
