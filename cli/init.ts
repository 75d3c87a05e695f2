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
  const answers: Record<string, string> = {};
  try {
    for (const { name, text } of QUESTIONS) {
      // Values already in the environment are taken without a question.
      answers[name] = process.env[name] ?? (await lines.question(text)).trim();
    }
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
