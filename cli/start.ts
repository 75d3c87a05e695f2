/** `agentpr start`: runs until it is told to stop. */
import type { Command } from 'commander';
import { startApp } from '../main.ts';
import { loadConfig } from './environment.ts';

export const addStartCommand = (program: Command): void => {
  program
    .command('start')
    .description('run the bot, the orchestrator and the health pages')
    .action(async () => {
      const app = await startApp(loadConfig());
      const ended = new Promise<void>((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
      });
      await ended;
      await app.stop();
    });
};
