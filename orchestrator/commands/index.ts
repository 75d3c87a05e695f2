/** The commands: their table, and how one that was typed, tapped or given on a command line is read. */
export type { OptionName } from './define-argument.ts';
export type { ChatSetting, UserChange, BudgetRaise } from './command-arguments.ts';
export { SetAsideChange } from './command-arguments.ts';
export { HELP_TOPICS, type HelpTopic } from './command-row.ts';
export type {
  CommandName,
  CommandOf,
  SteeringName,
  TypedName,
  ArgumentsOf,
  ArgName,
} from './command-names.ts';
export { COMMAND_ROWS } from './command-table.ts';
export {
  COMMAND_NAMES,
  commandRow,
  roleNeededFor,
  commandOf,
  readStoredCommand,
  defaultArguments,
  parseTypedCommand,
  toSteeringInput,
  findCommand,
  findNearestCommand,
  isReadOnlyCommand,
  isSteering,
  readOptions,
} from './read-command.ts';
