/** One argument of a command: its schema, and its parsers for chat lines and for options. Pure. */
import { z } from 'zod';
import { toWrongArgument, type WrongArgument } from '#model/chat';

type Taken = { value: unknown; rest: string };
export type OptionName = 'confirm' | 'final' | 'reason' | 'target' | 'tell' | 'title' | 'description';
type Forms = { readonly [name in OptionName]?: string | readonly string[] | null };

export type ArgumentInput = { words: readonly string[]; options: Readonly<Record<string, unknown>> };

export type CommandArgument<T> = {
  schema: z.ZodType<T>;
  /** Default value, also used by buttons; undefined means required. */
  otherwise: T | undefined;
  /** Parses the rest of a typed line; `all` is everything after the run. */
  typed: (rest: string, all: string) => Taken | WrongArgument;
  /** Words and options on the command line (`null` is a flag); null when not available there. */
  host: {
    words: readonly string[];
    options: Forms;
    read: (given: ArgumentInput) => { value: unknown } | WrongArgument;
  } | null;
  refused: (member: string) => WrongArgument;
};
type Parts<T> = Pick<CommandArgument<T>, 'typed'> & Partial<Omit<CommandArgument<T>, 'schema' | 'typed'>>;

export const defineArgument = <T>(schema: z.ZodType<T>, parts: Parts<T>): CommandArgument<T> => ({
  schema,
  otherwise: undefined,
  host: null,
  refused: () => toWrongArgument(),
  ...parts,
});

export const splitWords = (text: string): string[] => text.split(/\s+/).filter(Boolean);
export const takeWhole = (value: unknown): Taken => ({ value, rest: '' });
export const commandLineOption = (
  name: OptionName,
  form: string | readonly string[] | null,
): NonNullable<CommandArgument<never>['host']> => ({
  words: [],
  options: { [name]: form },
  read: ({ options }) => ({ value: options[name] }),
});

/** A flag may stand anywhere in the line. */
export const flagArgument = (name: 'confirm' | 'final'): CommandArgument<boolean> =>
  defineArgument(z.boolean(), {
    otherwise: false,
    typed: (rest) => {
      const own = `--${name}`;
      const other = splitWords(rest).find((word) => word.startsWith('--') && word.toLowerCase() !== own);
      if (other !== undefined) return toWrongArgument({ kind: 'flag', flag: other.slice(0, 60) });
      const value = splitWords(rest).some((word) => word.toLowerCase() === own);
      return { value, rest: rest.replace(new RegExp(`(^|\\s)${own}(?=\\s|$)`, 'gi'), ' ').trim() };
    },
    host: { ...commandLineOption(name, null), read: ({ options }) => ({ value: options[name] === true }) },
  });
