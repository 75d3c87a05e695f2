/** O2: says help and complaints of the command line in Chinese where the terminal is. */
import { Help, type Command } from 'commander';
import { chineseCommandLine as chinese } from '../bot/language/zh/command-line.ts';

const usual = new Help();

const translateOne = (command: Command, path: string): void => {
  command.description(chinese.sentence(command.description()));
  for (const one of [...command.options, ...command.registeredArguments])
    one.description = chinese.sentence(one.description);
  command.helpOption('-h, --help', chinese.shows);
  if (command.commands.length > 0) command.helpCommand('help [command]', chinese.shows);
  command.showHelpAfterError(chinese.hint(path));
  command.configureHelp({
    styleTitle: chinese.title,
    optionDescription: (option) => chinese.notes(usual.optionDescription(option)),
    argumentDescription: (argument) => chinese.notes(usual.argumentDescription(argument)),
  });
  command.configureOutput({
    writeOut: (text) => process.stdout.write(chinese.below(text)),
    outputError: (text, write) => write(chinese.complaint(text)),
  });
};

export const translateHelp = (command: Command, path: string = command.name()): void => {
  translateOne(command, path);
  for (const one of command.commands) translateHelp(one, `${path} ${one.name()}`);
};
