/** What makes a use of a known program harmless: its sub-commands, options and operands. */
export type HarmlessUse = {
  /** What the first operand has to be. */
  sub?: RegExp;
  /** Whether it has to stand before every option: these can change what a sub-command is. */
  subFirst?: true;
  options: RegExp;
  /** Options that take the next word, whatever it is. */
  valued?: RegExp;
  operands?: RegExp;
  maxOperands?: number;
  /** Words after `--` that are handed on; operands where it is not said. */
  passed?: RegExp;
  /** Whether a name of a file could be read as more than a name. */
  noGlobs?: true;
};

/** Nothing that it could be told makes it execute or write something. */
export const ANY_OPTION = /^/;
export const NO_OPTION = /^$/;
export const takesAnyOption = ({ options }: HarmlessUse): boolean => options === ANY_OPTION;

const longOptions = (names: string): string => `--(?:${names.trim().split(/\s+/).join('|')})`;
export const optionsOf = (short: string, long = ''): RegExp =>
  new RegExp(`^(?:${[short, ...(long === '' ? [] : [longOptions(long)])].join('|')})$`);
