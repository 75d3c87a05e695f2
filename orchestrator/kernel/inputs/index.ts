/** Inputs of the machine: commands, facts and results. */
export { COMMAND_OF_APPROVAL } from './approval-commands.ts';
export { InputSchema } from './inputs.ts';
export { targetStates } from './transition-table.ts';
export type { CommandType, Input, InputOf, InputType } from '../run/input-types.ts';
