/** Commands that list, plan, compile or watch, or cannot fail: they check nothing (E19). */
import { parseShell } from '#governor';
import {
  commandWords,
  findOptionsOwner,
  isListOptionForwarded,
  isListOnlyUse,
  isNeverFailingUse,
  printsFindings,
} from '#tools';
import { unwrapCommand } from './unwrap-command.ts';

const FOR_ALL = new Set(['--help', '--version', '--usage']);
const TAKES_VALUE =
  /^-(?:[CDIPWcefjkmoprsx]|cf)$|^--(?:conf|workdir|root|env|session|sessions|project|prefix|dir|directory|file|filter|package|cwd|settings|config)$/;

const nameOf = (program: string): string =>
  program.replace(/^.*\//, '').replace(/\.(?:bat|cmd|exe|phar|ps1)$/i, '');

const listOperands = (words: readonly string[]): string[] =>
  words.filter((word, i) => !/^[-+]|^\w+=/.test(word) && !TAKES_VALUE.test(words[i - 1] ?? ''));

/** `coverage run -m …` and the like are what they run. */
const innerCommand = (text: string): string => {
  const plain = unwrapCommand(text)
    .replace(/^coverage run (?:(?!-m )-\S+ )*-m /, '')
    .replace(
      /^(?:yarn|pnpm|bun)(?: run)? (?=(?:jest|vitest|mocha|playwright|cypress|ava|tap|tsc|eslint)(?: |$))/,
      '',
    );
  return unwrapCommand(plain);
};

type WordsTest = (words: readonly string[]) => boolean;

const listsCommand: WordsTest = (words) => {
  const [program = '', ...rest] = words;
  if (rest.some((word) => FOR_ALL.has(word))) return true;
  const name = nameOf(program);
  return isListOptionForwarded(name, rest) || isListOnlyUse(name, { words: rest, named: listOperands(rest) });
};
const provesNothing: WordsTest = (words) => {
  const [program = '', ...rest] = words;
  const said = { words: rest, named: listOperands(rest) };
  return listsCommand(words) || isNeverFailingUse(nameOf(program), said);
};

/** Variables in which a program finds further options. */
const isSetting = (word: string, test: WordsTest): boolean => {
  const [, name = '', value = ''] = /^(\w+)=(.+)$/.exec(word) ?? [];
  const program = findOptionsOwner(name);
  const options = program === 'make' ? value.replace(/^(?=[a-z]+(?: |$))/i, '-') : value;
  return program !== undefined && test([program, ...options.trim().split(/\s+/)]);
};

/** These commands prepare: a script of them and a listing still checks nothing. */
const PREPARES =
  /^(?:cd|pushd|popd|export|set|source|\.|unset|mkdir|rm|cp|mv|echo|printf|true|:|ls|cat|pwd|which|env|umask|ulimit|date|sleep)(?= |$)/;
const isPreparation = (command: string): boolean =>
  PREPARES.test(command) || commandWords().prepares.test(command);
/** A longer text is a program of its own (characters). */
const MAX_LISTING_TEXT = 4_000;

/** E19: a command on its own whose exit code is 0 whatever it finds. */
export const hasMeaninglessExit = (command: string): boolean => {
  if (command.length > MAX_LISTING_TEXT) return false;
  const { commands } = parseShell(command);
  const [asked = ''] = commands[0]?.words ?? [];
  // A question about what another command prints answers by its exit code.
  if (['test', '[', '[['].includes(asked)) return false;
  const [program = '', ...words] = innerCommand(commands[0]?.words.join(' ') ?? '').split(' ');
  return commands.length === 1 && printsFindings(nameOf(program), words);
};

const isEachOf = (command: string, test: WordsTest): boolean => {
  if (command.length > MAX_LISTING_TEXT || !/[-\s]/.test(command)) return false;
  const { commands } = parseShell(command.replace(/^[ \t]*[@+-]+(?=[A-Za-z./])/gm, ''));
  // guard: E19-listing-by-setting
  if (commands.some(({ words }) => words.some((word) => isSetting(word, test)))) return true;
  let found = 0;
  for (const { words, piped } of commands) {
    const inner = innerCommand(words.join(' '));
    const plain = inner === words.join(' ') ? words : inner.split(' ');
    if (test(plain)) found += 1;
    else if (!piped && !isPreparation(inner)) return false;
  }
  return found > 0;
};

export const isListingOnly = (command: string): boolean => isEachOf(command, listsCommand);
/** E19: it lists, or is told to pass: its exit code is 0 whatever is wrong. */
export const cannotFail = (command: string): boolean => isEachOf(command, provesNothing);
