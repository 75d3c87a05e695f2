/** The log: pino to standard error, with what must never be read in a log taken out (C5). */
import { pino, type Logger } from 'pino';

export const createLogger = (level: string): Logger =>
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
      serializers: {
        err: (error: Error) => ({ type: error.name, message: error.message, stack: error.stack }),
      },
    },
    pino.destination({ fd: 2, sync: true }),
  );
