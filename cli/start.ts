/** `agentpr start`: runs until it is told to stop, or cannot go on. */
import type { Command } from 'commander';
import { GrammyError } from 'grammy';
import { startApp, type AppOptions } from '../app/start.ts';
import { Exit, EXIT, loadConfig, print, printable } from './environment.ts';
import { change, summary } from '../app/looks.ts';

/** What to do about a bot that cannot work any more; other errors keep their own words. */
const explained = (error: unknown): unknown => {
  if (!(error instanceof GrammyError)) return error;
  if (error.error_code === 401 || error.error_code === 404)
    return new Exit(EXIT.config, 'Telegram does not know the bot token. Check TELEGRAM_BOT_TOKEN.');
  if (error.error_code === 409)
    return new Exit(
      EXIT.failed,
      'Another program fetches this bot’s updates. Stop it first, or use another bot.',
    );
  return new Exit(EXIT.failed, `Telegram refused us: ${error.description}`);
};

export const addStartCommand = (program: Command): void => {
  program
    .command('start')
    .description('run the bot, the orchestrator and the health pages')
    .action(async () => {
      const onConnection: AppOptions['onConnection'] = (all, changed) => {
        for (const line of changed ? [change(changed)] : summary(all)) print(printable(line));
      };
      const app = await startApp(loadConfig(), { onConnection }).catch((error: unknown) => {
        throw explained(error);
      });
      print(`AgentPR is running. Health: ${app.address}/healthz. Ctrl-C stops it.`);
      const ended = new Promise<void>((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
      });
      try {
        await Promise.race([ended, app.failed]);
      } catch (error) {
        throw explained(error);
      } finally {
        await app.stop();
      }
    });
};
