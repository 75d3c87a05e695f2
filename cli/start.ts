/** `agentpr start`: runs until it is told to stop, or cannot go on. */
import { Option, type Command } from 'commander';
import { GrammyError } from 'grammy/web';
import { PROCESS_ROLES, type ProcessRole } from '../app/environment-schema.ts';
import type { AppOptions } from '../app/start-app.ts';
import {
  isWorker,
  loadConfig,
  loadWorkerConfig,
  printRedacted,
  escapeControlCharacters,
} from './environment.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';
import { describeConnection, summariseConnections } from '../app/connection-probes.ts';

/** What to do about a bot that cannot work any more; other errors keep their own words. */
const explained = (error: unknown): unknown => {
  if (!(error instanceof GrammyError)) return error;
  if (error.error_code === 401 || error.error_code === 404)
    return new CommandExit(
      EXIT_CODES.config,
      'Telegram does not know the bot token. Check TELEGRAM_BOT_TOKEN.',
    );
  if (error.error_code === 409)
    return new CommandExit(
      EXIT_CODES.failed,
      'Another program fetches this bot’s updates. Stop it first, or use another bot.',
    );
  return new CommandExit(EXIT_CODES.failed, `Telegram refused us: ${error.description}`);
};

type Started = { says: string; failed: Promise<never>; stop(): Promise<void> };

/** What starts is loaded once the settings are right: most of the program. */
const startAs = async (role: ProcessRole | undefined): Promise<Started> => {
  const onConnection: AppOptions['onConnection'] = (all, changed) => {
    for (const line of changed ? [describeConnection(changed)] : summariseConnections(all))
      printRedacted(escapeControlCharacters(line));
  };
  if (isWorker(role)) {
    const config = loadWorkerConfig();
    const { startWorker } = await import('../app/start-worker.ts');
    const { place, address, ...worker } = await startWorker(config, { onConnection });
    const says = `This worker of AgentPR is running, in ${place}. Health: ${address}/healthz. Ctrl-C stops it.`;
    return { ...worker, says };
  }
  const config = loadConfig(role);
  const { startApp } = await import('../app/start-app.ts');
  const { address, ...app } = await startApp(config, { onConnection });
  return { ...app, says: `AgentPR is running. Health: ${address}/healthz. Ctrl-C stops it.` };
};

export const addStartCommand = (program: Command): void => {
  program
    .command('start')
    .addOption(
      new Option(
        '--role <role>',
        'what this process does: everything, or one part of several over a Postgres (default: AGENTPR_ROLE, or all)',
      ).choices(PROCESS_ROLES),
    )
    .action(({ role }: { role?: ProcessRole }) => runStart(role));
};

/** Runs until a signal or a failure; `onStarted` hears that it runs. */
export const runStart = async (role: ProcessRole | undefined, onStarted?: () => void): Promise<void> => {
  const app = await startAs(role).catch((error: unknown) => {
    throw explained(error);
  });
  printRedacted(app.says);
  onStarted?.();
  const ended = new Promise<void>((resolve) => {
    // A terminal that is closed hangs up.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  try {
    await Promise.race([ended, app.failed]);
  } catch (error) {
    throw explained(error);
  } finally {
    await app.stop();
  }
};
