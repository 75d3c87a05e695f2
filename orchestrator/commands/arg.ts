/**
 * What an argument of a command is: its schema, and how it is read from a typed line and from
 * options. Pure.
 */
import { z } from 'zod';
import { wrong, type Wrong } from './problems.ts';

/** What of a line an argument took, and what it left to those after it. */
type Taken = { value: unknown; rest: string };
/** The options that arguments have on the command line. */
export type OptionName = 'confirm' | 'final' | 'reason' | 'target' | 'tell' | 'title' | 'description';
type Forms = { readonly [name in OptionName]?: string | readonly string[] | null };

export type Options = { words: readonly string[]; options: Readonly<Record<string, unknown>> };

export type Arg<T> = {
  schema: z.ZodType<T>;
  /** What it is when nothing was said; a button says nothing. Undefined: it must be said. */
  otherwise: T | undefined;
  /** From what is left of a typed line; `all` is everything after the run. */
  typed: (rest: string, all: string) => Taken | Wrong;
  /**
   * On the command line: words after the run, and options (`null` is a flag). Null where it cannot
   * be given there.
   */
  host: {
    words: readonly string[];
    options: Forms;
    read: (given: Options) => { value: unknown } | Wrong;
  } | null;
  /** What is wrong with a value that its schema refuses, and at which of its members. */
  refused: (member: string) => Wrong;
};
type Parts<T> = Pick<Arg<T>, 'typed'> & Partial<Omit<Arg<T>, 'schema' | 'typed'>>;

export const arg = <T>(schema: z.ZodType<T>, parts: Parts<T>): Arg<T> => ({
  schema,
  otherwise: undefined,
  host: null,
  refused: () => wrong(),
  ...parts,
});

export const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);
export const whole = (value: unknown): Taken => ({ value, rest: '' });
export const option = (
  name: OptionName,
  form: string | readonly string[] | null,
): NonNullable<Arg<never>['host']> => ({
  words: [],
  options: { [name]: form },
  read: ({ options }) => ({ value: options[name] }),
});

/** `--name`, wherever it stands; no other flag does. */
export const flag = (name: 'confirm' | 'final'): Arg<boolean> =>
  arg(z.boolean(), {
    otherwise: false,
    typed: (rest) => {
      const own = `--${name}`;
      const other = wordsOf(rest).find((word) => word.startsWith('--') && word.toLowerCase() !== own);
      if (other !== undefined) return wrong({ kind: 'flag', flag: other.slice(0, 60) });
      const value = wordsOf(rest).some((word) => word.toLowerCase() === own);
      return { value, rest: rest.replace(new RegExp(`(^|\\s)${own}(?=\\s|$)`, 'gi'), ' ').trim() };
    },
    host: { ...option(name, null), read: ({ options }) => ({ value: options[name] === true }) },
  });
