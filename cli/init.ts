/** `agentpr init`: asks for what is needed and writes `.env` (O2). */
import { existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { Exit, EXIT, print } from './environment.ts';

type Question = { name: string; text: string };

const QUESTIONS: readonly Question[] = [
  { name: 'TELEGRAM_BOT_TOKEN', text: 'Telegram bot token (talk to @BotFather, /newbot): ' },
  {
    name: 'TELEGRAM_ADMIN_IDS',
    text: 'Your numeric Telegram id (send your bot a message to learn it, or ask @userinfobot): ',
  },
  { name: 'GITHUB_TOKEN', text: 'GitHub token with access to your repositories: ' },
];

const init = async (options: { force?: boolean }): Promise<void> => {
  if (existsSync('.env') && !options.force)
    throw new Exit(EXIT.refused, '.env is there already; --force replaces it.');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // Answers may be typed or piped: a piped one that comes before its question must not be lost.
  const given = lines[Symbol.asyncIterator]();
  const ask = async ({ name, text }: Question): Promise<string> => {
    process.stderr.write(text);
    const line = await given.next();
    if (line.done) throw new Exit(EXIT.usage, `\nNo answer for ${name}; nothing was written.`);
    return line.value.trim();
  };
  const answers: Record<string, string> = {};
  try {
    // Values already in the environment are taken without a question.
    for (const question of QUESTIONS)
      answers[question.name] = process.env[question.name] ?? (await ask(question));
  } finally {
    lines.close();
  }
  readConfig(answers, null, process.cwd());
  const text = Object.entries(answers).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync('.env', text.join(''), { mode: 0o600 });
  print('Wrote .env. Next: `npx agentpr doctor`, then `npx agentpr start`.');
};

export const addInitCommand = (program: Command): void => {
  program
    .command('init')
    .description('ask for the settings and write .env')
    .option('--force', 'replace an existing .env')
    .action(init);
};
