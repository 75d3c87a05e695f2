/** `agentpr init`: asks for what is needed and writes `.env` (O2). */
import { existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { Api, GrammyError, HttpError } from 'grammy';
import { readConfig } from '../app/config.ts';
import { githubChecks } from './doctor-github.ts';
import { Exit, EXIT, print, printable } from './environment.ts';

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
    text: 'GitHub token (classic, scopes repo and workflow; docs/github.md): ',
    wrong: needed,
  },
];

/** How often Telegram is asked for a message, and how long it may think each time (s). */
const LOOKS = 4;
const LOOK = 30;

/**
 * Who wrote to the bot last; null when nobody does. The message stays with Telegram: it is answered
 * when AgentPR starts.
 */
const writer = async (token: string): Promise<{ id: number; name: string } | null> => {
  const { TELEGRAM_API_ROOT: apiRoot } = process.env;
  const api = new Api(token, apiRoot ? { apiRoot } : {});
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

const init = async (options: { force?: boolean }): Promise<void> => {
  if (existsSync('.env') && !options.force)
    throw new Exit(EXIT.refused, '.env is there already; --force replaces it.');
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
    for (const question of QUESTIONS)
      answers[question.name] = process.env[question.name] ?? (await ask(question));
  } finally {
    lines.close();
  }
  const config = readConfig(answers, null, process.cwd());
  const text = Object.entries(answers).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync('.env', text.join(''), { mode: 0o600 });
  for (const { says, fix } of await githubChecks(config))
    print(`GitHub: ${says}${fix === '' ? '' : `\n  → ${fix}`}`);
  print('Wrote .env. Next: `npx agentpr doctor`, then `npx agentpr start`.');
};

export const addInitCommand = (program: Command): void => {
  program
    .command('init')
    .description('ask for the settings and write .env')
    .option('--force', 'replace an existing .env')
    .action(init);
};
