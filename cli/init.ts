/** `agentpr init`: asks for what is needed and writes `.env` (O2). */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { Api, GrammyError, HttpError } from 'grammy/web';
import { clientTo } from '../bot/client.ts';
import { BOT_API, readBotApi, readConfig, serverUrlOf } from '../app/config.ts';
import { githubChecks } from './doctor-github.ts';
import { print, printable, readEnvironment } from './environment.ts';
import { Exit, EXIT } from './exit.ts';
import { makeApp, settingsOf } from './make-app.ts';

type Question = {
  name: string;
  text: string;
  /** What is wrong with an answer; null for a good one. */
  wrong: (answer: string) => string | null;
};

const ID = 'TELEGRAM_ADMIN_IDS';
const needed = (answer: string): string | null => (answer === '' ? 'It is needed.' : null);
const QUESTIONS: readonly Question[] = [
  {
    name: 'TELEGRAM_BOT_TOKEN',
    text: 'Telegram bot token (talk to @BotFather, /newbot): ',
    wrong: (answer) => (/^\d+:\S+$/.test(answer) ? null : 'A bot token is a number, a colon and letters.'),
  },
  {
    name: ID,
    text: 'Your numeric Telegram id (empty: I read it from a message that you write to the bot now): ',
    wrong: (answer) =>
      /^\d+( *, *\d+)*$/.test(answer) ? null : 'An id is a number; several have commas between.',
  },
  {
    name: 'GITHUB_TOKEN',
    text: 'GitHub token (classic, scopes repo and workflow; docs/github.md), or “app” to make a GitHub App: ',
    wrong: needed,
  },
];
/** An App has no forks, and reaches only where it is installed. */
const BESIDE: Question = {
  name: 'GITHUB_TOKEN',
  text: 'A token besides, for repositories where the App is not installed (empty: none): ',
  wrong: () => null,
};

/** How often Telegram is asked for a message, and how long it may think each time (s). */
const LOOKS = 4;
const LOOK = 30;

/**
 * Who wrote to the bot last; null when nobody does. The message stays with Telegram: it is answered
 * when AgentPR starts.
 */
const writer = async (token: string): Promise<{ id: number; name: string } | null> => {
  const { TELEGRAM_API_ROOT: root, TELEGRAM_API_ALLOW_HTTP: allow } = process.env;
  const api = new Api(token, clientTo(readBotApi(root || BOT_API, allow === 'yes')));
  try {
    const { username } = await api.getMe();
    process.stderr.write(`Write anything to @${username} in Telegram; I wait for two minutes.\n`);
    for (let look = 0; look < LOOKS; look += 1) {
      const updates = await api.getUpdates({ timeout: LOOK, allowed_updates: ['message'] });
      const from = updates.findLast(({ message }) => message?.chat.type === 'private')?.message?.from;
      if (from) return { id: from.id, name: printable(from.first_name) };
    }
    return null;
  } catch (error) {
    if (error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404))
      throw new Exit(EXIT.config, 'Telegram does not know that bot token; nothing was written.');
    if (error instanceof GrammyError || error instanceof HttpError)
      throw new Exit(EXIT.failed, `Telegram could not be asked: ${error.message} Nothing was written.`);
    throw error;
  }
};

/** The App's settings, once somebody has made it in a browser. */
const appMade = async (organisation: string | null): Promise<Record<string, string>> => {
  const { GITHUB_API_URL: api, GITHUB_URL: pages, AGENTPR_PUBLIC_URL: publicUrl } = readEnvironment();
  const apiUrl = api ? api.replace(/\/+$/, '') : 'https://api.github.com';
  const made = await makeApp({
    apiUrl,
    serverUrl: serverUrlOf(apiUrl, pages || undefined),
    publicUrl: publicUrl || null,
    organisation,
    say: (address) =>
      process.stderr.write(
        `Open this page in a browser of this machine, and press its button:\n  ${address}\n` +
          `(From another machine, first: ssh -L ${new URL(address).port}:127.0.0.1:${new URL(address).port} <this host>)\n`,
      ),
  });
  print(`Made the App ${made.slug}. Install it where it is to work: ${made.html_url}/installations/new`);
  return settingsOf(made);
};

/** Settings in place of those of the same names; whatever else stands there stays. */
const withSettings = (text: string, settings: Readonly<Record<string, string>>): string => {
  const others = text.split('\n').filter((line) => !Object.hasOwn(settings, line.split('=', 1)[0] ?? ''));
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return `${[others.join('\n').trimEnd(), ...lines].filter((part) => part !== '').join('\n')}\n`;
};
/** It holds keys: nobody else reads it, also where it was there with other rights. */
const writeEnv = (text: string): void => {
  if (existsSync('.env')) chmodSync('.env', 0o600);
  writeFileSync('.env', text, { mode: 0o600 });
};

type Options = { force?: boolean; app?: string | true };

const init = async (options: Options): Promise<void> => {
  const organisation = typeof options.app === 'string' ? options.app : null;
  if (existsSync('.env') && !options.force) {
    if (!options.app) throw new Exit(EXIT.refused, '.env is there already; --force replaces it.');
    const made = await appMade(organisation);
    writeEnv(withSettings(readFileSync('.env', 'utf8'), made));
    return print('Wrote the App into .env. Next: `npx agentpr doctor`, then `npx agentpr start`.');
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // Answers may be typed or piped: a piped one that comes before its question must not be lost.
  const given = lines[Symbol.asyncIterator]();
  const line = async (name: string, text: string): Promise<string> => {
    process.stderr.write(text);
    const next = await given.next();
    if (next.done) throw new Exit(EXIT.usage, `\nNo answer for ${name}; nothing was written.`);
    return next.value.trim();
  };
  const answers: Record<string, string> = {};
  const ownId = async (): Promise<string> => {
    const found = await writer(answers.TELEGRAM_BOT_TOKEN ?? '');
    if (!found) return '';
    // Anybody may write to a bot: who administers it is said here, on the host.
    const sure = await line(ID, `${found.name}, ${found.id}, wrote. Is that you? [y/N] `);
    return /^y/i.test(sure) ? String(found.id) : '';
  };
  const ask = async ({ name, text, wrong }: Question): Promise<string> => {
    for (;;) {
      const typed = await line(name, text);
      const answer = name === ID && typed === '' ? await ownId() : typed;
      const problem = wrong(answer);
      if (problem === null) return answer;
      process.stderr.write(`${problem}\n`);
    }
  };
  try {
    // Values already in the environment are taken without a question.
    for (const question of QUESTIONS) {
      const asksApp = question.name === BESIDE.name && options.app !== undefined;
      answers[question.name] = process.env[question.name] ?? (await ask(asksApp ? BESIDE : question));
    }
    const wantsApp = options.app !== undefined || answers.GITHUB_TOKEN === 'app';
    // GitHub gives its keys once: everything else is known by then.
    if (answers.GITHUB_TOKEN === 'app') answers.GITHUB_TOKEN = await ask(BESIDE);
    if (answers.GITHUB_TOKEN === '') delete answers.GITHUB_TOKEN;
    if (wantsApp) Object.assign(answers, await appMade(organisation));
  } finally {
    lines.close();
  }
  const config = readConfig(answers, null, process.cwd());
  writeEnv(withSettings('', answers));
  for (const { says, fix } of await githubChecks(config))
    print(`GitHub: ${says}${fix === '' ? '' : `\n  → ${fix}`}`);
  print('Wrote .env. Next: `npx agentpr doctor`, then `npx agentpr start`.');
};

export const addInitCommand = (program: Command): void => {
  program
    .command('init')
    .option('--force', 'replace an existing .env')
    .option('--app [organisation]', 'make a GitHub App in the browser and put its keys into .env')
    .action(init);
};
