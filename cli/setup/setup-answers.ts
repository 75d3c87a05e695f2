/** Gives each step of `init` its prompt, the settings so far, and a way to keep an answer. */
import { CommandExit, EXIT_CODES } from '../exit-codes.ts';
import { readGivenSettings } from '../load-config.ts';
import type { cliWords } from '../language.ts';
import type { SetupPrompt } from './prompt.ts';
import { writeDotEnvSettings } from './settings-files.ts';

export type Setup = {
  prompt: SetupPrompt;
  words: ReturnType<typeof cliWords>['setup'];
  env: Record<string, string | undefined>;
  asksAnew: boolean;
};

/** The servers that judged an answer. */
const ADDRESSES = {
  telegram: ['TELEGRAM_API_ROOT', 'TELEGRAM_API_ALLOW_HTTP'],
  slack: ['SLACK_API_ROOT'],
  github: ['GITHUB_API_URL', 'GITHUB_URL'],
} as const;

/** A token is worth nothing elsewhere, so the address that `init` was given is kept beside it. */
export const readGivenAddresses = (of: keyof typeof ADDRESSES): Record<string, string> =>
  readGivenSettings(ADDRESSES[of]);

export const saveSetupAnswers = (setup: Setup, settings: Record<string, string>): void => {
  Object.assign(setup.env, settings);
  writeDotEnvSettings(settings);
};

export const askSetting = async (
  { prompt }: Setup,
  name: string,
  text: string,
  options?: { secret: boolean },
): Promise<string> => {
  const given = await prompt.ask(text, options);
  if (given === null) throw new CommandExit(EXIT_CODES.usage, { kind: 'no_answer', name });
  return given;
};
