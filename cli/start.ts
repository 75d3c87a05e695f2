/** `agentpr start`: runs until it is stopped or cannot go on. */
import { Option, type Command } from 'commander';
import { GrammyError } from 'grammy/web';
import { PROCESS_ROLES, type ProcessRole } from '../app/environment-schema.ts';
import type { AppOptions } from '../app/running-app.ts';
import { isWorker, loadConfig, loadWorkerConfig } from './load-config.ts';
import { printRedacted, escapeControlCharacters } from './output.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';
import { cliWords } from './language.ts';
import { toProbeLine } from '../app/probes/host-result.ts';
import { describeConnection, summariseConnections } from '../app/connection-monitor.ts';

const explainStartError = (error: unknown): unknown => {
  if (!(error instanceof GrammyError)) return error;
  if (error.error_code === 401 || error.error_code === 404)
    return new CommandExit(EXIT_CODES.config, { kind: 'bot_token_unknown' });
  if (error.error_code === 409) return new CommandExit(EXIT_CODES.failed, { kind: 'fetched_elsewhere' });
  return new CommandExit(EXIT_CODES.failed, { kind: 'telegram_refused', says: error.description });
};

type Started = { says: string; failed: Promise<never>; stop(): Promise<void> };

/** Loaded after the settings were validated, because it is most of the program. */
const startAs = async (role: ProcessRole | undefined): Promise<Started> => {
  const texts = cliWords();
  const onConnection: AppOptions['onConnection'] = (all, changed) => {
    for (const line of changed ? [describeConnection(changed, texts)] : summariseConnections(all, texts))
      printRedacted(escapeControlCharacters(line));
  };
  if (isWorker(role)) {
    const config = loadWorkerConfig();
    const { startWorker } = await import('../app/start-worker.ts');
    const { place, address, ...worker } = await startWorker(config, { onConnection });
    return { ...worker, says: texts.setup.workerRuns(place, address) };
  }
  const config = loadConfig(role);
  const { startApp } = await import('../app/start-app.ts');
  const { address, ...app } = await startApp(config, { onConnection });
  const { checkApprovalsAtStart } = await import('../app/probes/rules.ts');
  const warnings = (await checkApprovalsAtStart(config)).map((one) => toProbeLine(texts, one));
  const says = [texts.setup.running(address), ...warnings.map((one) => `! ${one.says}. ${one.fix}`)];
  return { ...app, says: says.join('\n') };
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

export const runStart = async (role: ProcessRole | undefined, onStarted?: () => void): Promise<void> => {
  const app = await startAs(role).catch((error: unknown) => {
    throw explainStartError(error);
  });
  printRedacted(app.says);
  onStarted?.();
  const ended = new Promise<void>((resolve) => {
    // Closing a terminal sends SIGHUP.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  try {
    await Promise.race([ended, app.failed]);
  } catch (error) {
    throw explainStartError(error);
  } finally {
    await app.stop();
  }
};
