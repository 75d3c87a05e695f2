/** Describes harmless uses of a program by its sub-commands, options and operands. */
export type HarmlessUse = {
  sub?: RegExp;
  /** An option before the sub-command could change its meaning. */
  subFirst?: true;
  options: RegExp;
  valued?: RegExp;
  operands?: RegExp;
  maxOperands?: number;
  /** Words after `--`; by default operands. */
  passed?: RegExp;
  /** A file name from a glob could act as more than a name. */
  noGlobs?: true;
};

/** No option of the program executes or writes. */
export const ANY_OPTION = /^/;
export const NO_OPTION = /^$/;
export const takesAnyOption = ({ options }: HarmlessUse): boolean => options === ANY_OPTION;

const longOptions = (names: string): string => `--(?:${names.trim().split(/\s+/).join('|')})`;
export const optionsOf = (short: string, long = ''): RegExp =>
  new RegExp(`^(?:${[short, ...(long === '' ? [] : [longOptions(long)])].join('|')})$`);
