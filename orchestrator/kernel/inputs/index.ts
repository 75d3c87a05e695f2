/** Inputs of the machine: commands, facts and results. */
export { type CommandType, Input, type InputOf, type InputType } from './inputs.ts';
export { targetStates } from './transition-table.ts';
