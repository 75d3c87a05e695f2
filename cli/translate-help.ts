/** Says help and complaints of the command line in the language of the terminal (O2). */
import { Help, type Command } from 'commander';
import { loadCommandLineSentences } from '#language';

type Pattern = readonly [sentence: string, english: RegExp];
/** Commander appends these notes to a description, in this order. */
const NOTES: readonly Pattern[] = [
  ['choices', / ?\(choices: /],
  ['default', / ?\(default: /],
  ['andDefault', /, default: /],
];
const TITLES: Readonly<Record<string, string>> = {
  'Usage:': 'usage',
  'Options:': 'options',
  'Commands:': 'commands',
  'Arguments:': 'arguments',
};
const COMPLAINTS: readonly Pattern[] = [
  ['unknownOption', /^error: unknown option '(?<name>.{1,200})'/],
  ['unknownCommand', /^error: unknown command '(?<name>.{1,200})'/],
  ['missingArgument', /^error: missing required argument '(?<name>.{1,200})'/],
  ['missingOption', /^error: required option '(?<name>.{1,200})' not specified/],
  ['missingValue', /^error: option '(?<name>.{1,200})' argument missing/],
  ['tooMany', /^error: too many arguments(?: for '.+?')?\..*$/m],
  [
    'invalid',
    /^error: (?:option|command-argument value|argument) '?(?<name>.{1,200}?)'? (?:argument '(?<value>.{0,200})' )?is invalid\. Allowed choices are (?<choices>.+)\.$/m,
  ],
  ['meant', /\(Did you mean (?:one of )?(?<name>.{1,200})\?\)/],
];
/** Some commands have a paragraph below their help. */
const BELOW: readonly Pattern[] = [
  ['example', /^Example: /m],
  ['states', /^States: /m],
  ['approving', /^Approving is done in chat only: .+$/m],
];

/** The English description holds the values that only the program knows. */
const KNOWN =
  /^for this run alone: (?<budgets>.+); repeatable$|, or else (?<prompts>v\d+)\)$|^(?<engines>[a-z-]+(?:, [a-z-]+){5,})$/;

export const createHelpTranslator = (language: string) => {
  const { has, say } = loadCommandLineSentences(language);
  const translatePatterns = (patterns: readonly Pattern[], group: string, text: string): string =>
    patterns.reduce((now, [sentence, english]) => {
      const found = english.exec(now);
      if (!found) return now;
      const named = Object.entries(found.groups ?? {}).map(([name, value = '']) => [name, value]);
      const told = say(`${group}-${sentence}`, Object.fromEntries(named) as object);
      return `${now.slice(0, found.index)}${told}${now.slice(found.index + found[0].length)}`;
    }, text);
  return {
    /** The name of its sentence, or null: it stands at the command, or at one above it. */
    sentenceOf: (path: readonly string[], part = ''): string | null => {
      const places = part === '' ? [path] : path.map((_, at) => path.slice(0, path.length - at));
      const names = [...places.map((one) => `${one.join('-')}${part}`), `agentpr${part}`];
      return names.find(has) ?? null;
    },
    describe: (sentence: string, english: string): string => say(sentence, KNOWN.exec(english)?.groups),
    title: (english: string): string =>
      TITLES[english] === undefined ? english : say(`help-${TITLES[english]}`),
    notes: (text: string): string => {
      const told = translatePatterns(NOTES, 'help', text);
      return told === text ? text : told.replace(/\)$/, say('help-end'));
    },
    complaint: (text: string): string => translatePatterns(COMPLAINTS, 'complaint', text),
    below: (text: string): string => translatePatterns(BELOW, 'help', text),
    shows: say('help-shows'),
    hint: (command: string): string => say('help-hint', { command }),
  };
};
type HelpTranslator = ReturnType<typeof createHelpTranslator>;

type Described = { part: string; english: string; say: (text: string) => void };
/** The description of a command, and those of its options and arguments. */
export const descriptionsOf = (command: Command): Described[] => [
  {
    part: '',
    english: command.description(),
    say: (text) => {
      command.description(text);
    },
  },
  ...command.options.map((one) => ({
    part: one.long ?? one.short ?? '',
    english: one.description,
    say: (text: string) => {
      one.description = text;
    },
  })),
  ...command.registeredArguments.map((one) => ({
    part: `_${one.name()}`,
    english: one.description,
    say: (text: string) => {
      one.description = text;
    },
  })),
];

const usual = new Help();

const translateOne = (command: Command, path: readonly string[], words: HelpTranslator): void => {
  for (const { part, english, say } of descriptionsOf(command)) {
    const sentence = words.sentenceOf(path, part);
    if (sentence !== null) say(words.describe(sentence, english));
  }
  command.helpOption('-h, --help', words.shows);
  if (command.commands.length > 0) command.helpCommand('help [command]', words.shows);
  command.showHelpAfterError(words.hint(['agentpr', ...path].join(' ')));
  command.configureHelp({
    styleTitle: words.title,
    optionDescription: (option) => words.notes(usual.optionDescription(option)),
    argumentDescription: (argument) => words.notes(usual.argumentDescription(argument)),
  });
  command.configureOutput({
    // Commander puts a space after “Usage:”, and full-width punctuation brings its own.
    writeOut: (text) => process.stdout.write(words.below(text).replaceAll('： ', '：')),
    outputError: (text, write) => write(words.complaint(text)),
  });
};

const translateAll = (command: Command, path: readonly string[], words: HelpTranslator): void => {
  translateOne(command, path, words);
  for (const one of command.commands) translateAll(one, [...path, one.name()], words);
};

export const translateHelp = (program: Command, language: string): void =>
  translateAll(program, [], createHelpTranslator(language));
