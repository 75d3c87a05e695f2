/** The names of commands and of their arguments, and the types of both, by the rows of the table. */
import type { ParsedArguments } from './command-row.ts';
import type { COMMAND_ROWS } from './command-table.ts';

type Rows = typeof COMMAND_ROWS;
export type CommandName = keyof Rows;
export type TypedName = { [K in CommandName]: Rows[K]['names'] extends readonly [] ? never : K }[CommandName];
export type SteeringName = { [K in CommandName]: Rows[K]['gives'] extends null ? never : K }[CommandName];
export type ArgName = { [K in CommandName]: keyof Rows[K]['takes'] }[CommandName];

export type ArgumentsOf<K extends CommandName> = ParsedArguments<Rows[K]['takes']>;
export type CommandOf<K extends CommandName> = K extends CommandName
  ? { kind: K } & ArgumentsOf<K> & (Rows[K]['on'] extends 'run' ? { run: string } : unknown)
  : never;
