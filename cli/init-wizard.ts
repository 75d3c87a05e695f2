/** `agentpr init` (O2): guides through the setup; each answer is checked and saved at once. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { readConfig, serverUrlOf, type ControlConfig } from '../app/config.ts';
import { ConfigError } from '../app/config-error.ts';
import { BOT_TOKEN } from '../app/environment-schema.ts';
import { PublicName } from '../app/settings-schema.ts';
import { readFileSettings, readRawEnvironment, readSettingsFile } from './load-config.ts';
import { escapeControlCharacters } from './output.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';
import { cliWords } from './language.ts';
import { createGitHubApp, githubAppSettings } from './create-github-app.ts';
import { chooseAgent } from './setup/choose-agent.ts';
import {
  cleanToken,
  verifyBotToken,
  verifyGitHubToken,
  tokenKindOf,
  lackingScopes,
  type Verdict,
} from './setup/credentials.ts';
import { awaitBotOwner } from './setup/owner.ts';
import { openPrompt } from './setup/prompt.ts';
import { writeConfigSettings, parseCommitAuthor } from './setup/settings-files.ts';
import { askSetting, readGivenAddresses, saveSetupAnswers, type Setup } from './setup/setup-answers.ts';
import { setUpSlack } from './setup/slack.ts';
import { offerStart } from './setup/offer-start.ts';
import type { AccountRights } from '#forge';

type Options = { force?: boolean; app?: string | true };
/** Repeats until the answer is valid; Enter retries when the other side did not answer. */
const askCredential = async <T>(
  setup: Setup,
  wish: {
    name: string;
    party: string;
    text: string;
    formProblem: (token: string) => string | null;
    verify: (token: string) => Promise<Verdict<T>>;
    unknown: string;
    lacks: (is: T) => string | null;
  },
): Promise<{ token: string; is: T }> => {
  const { words, prompt } = setup;
  const { name, party } = wish;
  let token = setup.asksAnew ? '' : cleanToken(setup.env[name] ?? '', name);
  for (;;) {
    if (token === '') token = cleanToken(await askSetting(setup, name, wish.text, { secret: true }), name);
    const problem = token === '' ? words.needed : wish.formProblem(token);
    if (problem !== null) {
      prompt.say(problem);
      token = '';
      continue;
    }
    const verdict = await wish.verify(token);
    if ('is' in verdict) {
      const lacking = wish.lacks(verdict.is);
      if (lacking === null) return { token, is: verdict.is };
      prompt.say(lacking);
      token = '';
    } else if (verdict.kind === 'away') {
      const text = words.unreachable(escapeControlCharacters(verdict.cause));
      const other = cleanToken(await askSetting(setup, name, text, { secret: true }), name);
      if (other !== '') token = other;
    } else {
      prompt.say(
        verdict.kind === 'unknown'
          ? wish.unknown
          : words.refused(party, escapeControlCharacters(verdict.cause)),
      );
      token = '';
    }
  }
};

const OTHER_CHATS = ['slack', 'both'] as const;
type OtherChat = (typeof OTHER_CHATS)[number];
const otherChat = (given: string): OtherChat | undefined =>
  OTHER_CHATS.find((one) => one === given.toLowerCase());

const setUpTelegram = async (setup: Setup): Promise<string> => {
  const { words, prompt } = setup;
  const { token, is: name } = await askCredential(setup, {
    name: 'TELEGRAM_BOT_TOKEN',
    party: 'Telegram',
    text: words.askBot,
    formProblem: (given) => {
      if (otherChat(given)) return null;
      const kind = tokenKindOf(given);
      if (kind !== null && kind !== 'bot') return words.kinds[kind];
      return BOT_TOKEN.test(given) ? null : words.botForm;
    },
    verify: async (given) => {
      const other = otherChat(given);
      return other ? { is: other } : verifyBotToken(given, setup.env);
    },
    unknown: words.botUnknown,
    lacks: () => null,
  });
  if (otherChat(token)) return name;
  saveSetupAnswers(setup, { TELEGRAM_BOT_TOKEN: token, ...readGivenAddresses('telegram') });
  prompt.say(words.telegramIs(name));
  return name;
};

type Chats = { bot: string | null; slack: string | null };
const setUpChats = async (setup: Setup): Promise<Chats> => {
  const { env, asksAnew } = setup;
  const hasSlack = !asksAnew && Boolean(env.SLACK_BOT_TOKEN);
  if (hasSlack && !env.TELEGRAM_BOT_TOKEN) return { bot: null, slack: await setUpSlack(setup) };
  let name = await setUpTelegram(setup);
  if (name === 'slack') return { bot: null, slack: await setUpSlack(setup) };
  const isBoth = name === 'both';
  while (otherChat(name)) name = await setUpTelegram(setup);
  return { bot: name, slack: isBoth || hasSlack ? await setUpSlack(setup) : null };
};

const setUpOwner = async (setup: Setup, { bot: name, slack }: Chats): Promise<void> => {
  const { env, words, prompt, asksAnew } = setup;
  if (name === null) return askOwnerPublicName(setup, env.SLACK_ADMIN_IDS ?? '');
  if (!asksAnew && env.TELEGRAM_ADMIN_IDS)
    return saveSetupAnswers(setup, { TELEGRAM_ADMIN_IDS: env.TELEGRAM_ADMIN_IDS });
  const id = await awaitBotOwner(prompt, words, { name, token: env.TELEGRAM_BOT_TOKEN ?? '', env });
  saveSetupAnswers(setup, { TELEGRAM_ADMIN_IDS: id });
  const pair = `${env.SLACK_ADMIN_IDS ?? ''}=${id}`;
  // G3: the same person answers here, so that two accounts do not count as two signatures.
  if (slack !== null && /^\w+=\d+$/.test(pair) && !env.SLACK_SAME_PEOPLE) {
    saveSetupAnswers(setup, { SLACK_SAME_PEOPLE: pair });
    prompt.say(words.slack.same(pair));
  }
  await askOwnerPublicName(setup, id);
};

const apiUrlOf = ({ env }: Setup): string =>
  (env.GITHUB_API_URL || 'https://api.github.com').replace(/(?<!\/)\/+$/, '');

const makeOwnApp = async (setup: Setup, organisation: string | null): Promise<void> => {
  const { words, prompt, env } = setup;
  const made = await createGitHubApp({
    apiUrl: apiUrlOf(setup),
    serverUrl: serverUrlOf(apiUrlOf(setup), env.GITHUB_URL || undefined),
    publicUrl: env.AGENTPR_PUBLIC_URL || null,
    organisation,
    say: (address) => prompt.say(words.openPage(address, new URL(address).port)),
  });
  saveSetupAnswers(setup, { ...githubAppSettings(made), ...readGivenAddresses('github') });
  prompt.say(words.appMade(made.slug, made.html_url));
};

const askGithubToken = async (setup: Setup, text: string): Promise<AccountRights> => {
  const { words, prompt } = setup;
  const { token: good, is } = await askCredential(setup, {
    name: 'GITHUB_TOKEN',
    party: 'GitHub',
    text,
    formProblem: (given) => {
      const kind = tokenKindOf(given);
      return kind === null || kind === 'github' ? null : words.kinds[kind];
    },
    verify: async (given): Promise<Verdict<AccountRights>> =>
      given === 'app'
        ? { is: { login: '', scopes: null, id: null } }
        : verifyGitHubToken(given, apiUrlOf(setup)),
    unknown: words.githubUnknown,
    lacks: (rights) => {
      const lacking = lackingScopes(rights);
      return lacking.length === 0 ? null : words.lacks(lacking.join(', '));
    },
  });
  if (good === 'app') return is;
  saveSetupAnswers(setup, { GITHUB_TOKEN: good, ...readGivenAddresses('github') });
  prompt.say(words.githubIs(is.login, is.scopes?.join(', ') ?? '–'));
  return is;
};

const setUpCodeHost = async (setup: Setup): Promise<AccountRights | null> => {
  const hasApp = !setup.asksAnew && Boolean(setup.env.GITHUB_APP_ID && setup.env.GITHUB_APP_PRIVATE_KEY);
  if (!hasApp) {
    const is = await askGithubToken(setup, setup.words.askGitHub);
    if (is.login !== '') return is;
    await makeOwnApp(setup, null);
  }
  return setup.env.GITHUB_TOKEN ? askGithubToken(setup, setup.words.askGitHub) : null;
};

const setUpAuthor = async (setup: Setup, account: AccountRights | null): Promise<void> => {
  const { words, prompt } = setup;
  const file = readSettingsFile();
  if (file !== null && /"author"\s*:/.test(file)) return;
  const { host } = new URL(serverUrlOf(apiUrlOf(setup), setup.env.GITHUB_URL || undefined));
  const usual =
    account === null || account.login === ''
      ? null
      : {
          name: account.login,
          email: `${account.id === null ? '' : `${account.id}+`}${account.login}@users.noreply.${host.split(':')[0] ?? ''}`,
        };
  for (;;) {
    const typed = await prompt.ask(words.askAuthor(usual && `${usual.name} <${usual.email}>`));
    const chosen = typed === null || typed === '' ? usual : parseCommitAuthor(typed);
    if (chosen !== null) return writeConfigSettings({ author: chosen });
    if (typed === null) return;
    prompt.say(words.authorForm);
  }
};

/** G7: asked of the owner alone, who has just been found; others are named in the settings file. */
const askOwnerPublicName = async ({ words, prompt }: Setup, ids: string): Promise<void> => {
  if (!/^(?:\d+|[UW][A-Z0-9]+)$/.test(ids) || /"publicNames"\s*:/.test(readSettingsFile() ?? '')) return;
  for (;;) {
    const typed = await prompt.ask(words.askPublicName);
    if (typed === null || typed === '') return;
    const name = PublicName.safeParse(typed);
    if (name.success) return writeConfigSettings({ publicNames: { [ids]: name.data } });
    prompt.say(words.publicNameForm);
  }
};

/** Telegram's user id is found last, so a placeholder is used. */
const configOf = ({ env }: Setup): ControlConfig => {
  const placeholder = env.TELEGRAM_BOT_TOKEN ? { TELEGRAM_ADMIN_IDS: env.TELEGRAM_ADMIN_IDS || '1' } : {};
  return readConfig({ ...env, ...placeholder }, readSettingsFile(), process.cwd());
};

const runSetup = async (options: Options): Promise<void> => {
  const words = cliWords().setup;
  // Fails early, because no answer could fix an unreadable settings file.
  readFileSettings();
  const prompt = openPrompt(words);
  const setup: Setup = { prompt, words, env: { ...readRawEnvironment() }, asksAnew: options.force === true };
  try {
    if (options.app !== undefined)
      return await makeOwnApp(setup, typeof options.app === 'string' ? options.app : null);
    if (!existsSync('.env')) prompt.say(words.intro);
    const found = await setUpChats(setup);
    const account = await setUpCodeHost(setup);
    const engine = await chooseAgent(prompt, words, () => configOf(setup));
    if (engine !== null) saveSetupAnswers(setup, { AGENTPR_ENGINE: engine });
    await setUpAuthor(setup, account);
    const start = await offerStart.ask(prompt, words);
    await setUpOwner(setup, found);
    prompt.say(words.wrote);
    prompt.close();
    const greeting = found.bot === null ? words.slack.greets(found.slack ?? '') : words.greets(found.bot);
    await offerStart.perform(start, prompt, words, greeting);
  } catch (error) {
    if (error instanceof ConfigError)
      throw new CommandExit(EXIT_CODES.config, { kind: 'told', says: error.inWords(cliWords()) });
    throw error;
  } finally {
    prompt.close();
  }
};

export const addInitCommand = (program: Command): void => {
  program
    .command('init')
    .option('--force', 'ask for everything anew, also for what .env has')
    .option('--app [organisation]', 'make a GitHub App in the browser and put its keys into .env')
    .action(runSetup);
};
