/** Options and sub-commands with which a tool lists, plans, compiles or watches, or cannot fail (E19). */
import { toPattern } from './pattern.ts';
import { createRowTable } from './tool-rows.ts';
import type { ToolRow } from './tool-schema.ts';

type Listing = NonNullable<ToolRow['lists']>;
/** `named` are the words that are neither options nor values of options. */
type Said = { words: readonly string[]; named: readonly string[] };
type ListingTest = (said: Said) => boolean;

/** `--watch=false` watches nothing. */
const optionOf = (word: string): string => (/=(?:false|0|no)$/.test(word) ? '' : (word.split('=')[0] ?? ''));

const hasLetter = (words: readonly string[], letters: string, withValue: string): boolean =>
  letters !== '' &&
  words.some((word) => {
    if (!/^-[A-Za-z]+/.test(word)) return false;
    const bundle = [...word.slice(1)];
    const end = bundle.findIndex((one) => withValue.includes(one));
    return bundle.slice(0, end < 0 ? bundle.length : end).some((one) => letters.includes(one));
  });

const createTest = (lists: Listing): ListingTest => {
  const options = new Set(lists.options);
  const subcommands = new Set(lists.subcommands);
  const everyWord = new Set(lists.everyWord);
  const pattern = lists.pattern === undefined ? null : toPattern(lists.pattern);
  const { letters = '', lettersWithValue = '' } = lists;
  return ({ words, named }) =>
    lists.always === true ||
    words.some((word) => word.startsWith('-') && options.has(optionOf(word))) ||
    hasLetter(words, letters, lettersWithValue) ||
    pattern?.test(words.join(' ')) === true ||
    subcommands.has(named[0] ?? '') ||
    (everyWord.size > 0 &&
      named.length > 0 &&
      named.every((word) => everyWord.has(word.replace(/^.*:/, ''))));
};

const testsFrom = (key: 'lists' | 'neverFails'): (() => ReadonlyMap<string, ListingTest>) =>
  createRowTable(
    (rows) =>
      new Map(
        rows.flatMap(({ names = [], [key]: told }) =>
          told ? names.map((name) => [name, createTest(told)] as const) : [],
        ),
      ),
  );
const listings = testsFrom('lists');
const neverFailing = testsFrom('neverFails');
export const isListOnlyUse = (program: string, said: Said): boolean =>
  listings().get(program)?.(said) ?? false;
export const isNeverFailingUse = (program: string, said: Said): boolean =>
  neverFailing().get(program)?.(said) ?? false;

/** Options of a task's own program, which its runner hands on. */
const HANDED_ON =
  /^--?(?:list|watch|collect|co$|dry|no-?run|no-?test|notest|fixtures|markers|setup-?plan|show-?only|show-?config)/i;
const handedOn = createRowTable((rows) => ({
  runners: new Set(rows.flatMap(({ names = [], handsOn }) => (handsOn ? names : []))),
  options: new Set(rows.flatMap(({ lists }) => lists?.options ?? []).filter((one) => HANDED_ON.test(one))),
}));
export const isListOptionForwarded = (runner: string, words: readonly string[]): boolean =>
  handedOn().runners.has(runner) && words.some((word) => handedOn().options.has(optionOf(word)));

const optionOwners = createRowTable(
  (rows) =>
    new Map(
      rows.flatMap(({ names = [], optionsIn = [] }) =>
        optionsIn.map((name) => [name, names[0] ?? ''] as const),
      ),
    ),
);
export const findOptionsOwner = (variable: string): string | undefined => optionOwners().get(variable);

const findingsPrinted = createRowTable(
  (rows) =>
    new Map(
      rows.flatMap(({ names = [], exitSaysNothing: told }) =>
        told ? names.map((name) => [name, toPattern(told.words)] as const) : [],
      ),
    ),
);
/** Its exit code is 0 whatever it finds; each line that it prints is a finding. */
export const printsFindings = (program: string, words: readonly string[]): boolean =>
  findingsPrinted().get(program)?.test(words.join(' ')) ?? false;
