/** The log: pino to standard error, with what must never be read in a log taken out (C5). */
import { pino, type DestinationStream, type Logger } from 'pino';
import { redactAll } from '../orchestrator/core/govern/secrets.ts';

/**
 * SIGUSR2 makes the log tell everything, and a second one what it told before: for as long as
 * somebody looks for something, without a start. Returns what ends it.
 */
export const louderOnSignal = (log: Logger): (() => void) => {
  const usual = log.level;
  const turn = (): void => {
    log.level = log.level === 'debug' ? usual : 'debug';
    log.info({ level: log.level }, 'the log tells from this level on');
  };
  process.on('SIGUSR2', turn);
  return () => void process.off('SIGUSR2', turn);
};

export const createLogger = (
  level: string,
  out: DestinationStream = pino.destination({ fd: 2, sync: true }),
  /** Takes out what nobody can tell by its form: what was lent to agents. */
  hide: (line: string) => string = (line) => line,
): Logger =>
  pino(
    {
      level,
      base: null,
      redact: {
        paths: [
          'token',
          '*.token',
          'authorization',
          '*.authorization',
          'headers',
          '*.headers',
          'request',
          '*.request',
        ],
        remove: true,
      },
      // Over the finished line, so that no field is forgotten.
      hooks: { streamWrite: (line) => `${JSON.stringify(redactAll(JSON.parse(line)))}\n` },
      serializers: {
        err: (error: Error) => ({ type: error.name, message: error.message, stack: error.stack }),
      },
    },
    { write: (line: string) => out.write(hide(line)) },
  );
