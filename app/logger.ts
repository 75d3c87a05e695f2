/** Creates the log (pino to standard error) with secrets redacted (C5). */
import { z } from 'zod';
import { pino, type DestinationStream, type Logger } from 'pino';
import { redactAll } from '#text-safety';
import { MB, MINUTE } from '#model/values';

/** SIGUSR2 toggles the most detailed level. Returns a function that removes the handler. */
export const raiseLogLevelOnSignal = (log: Logger): (() => void) => {
  const usual = log.level;
  const toggleDebugLevel = (): void => {
    log.level = log.level === 'debug' ? usual : 'debug';
    log.info({ level: log.level }, 'the log tells from this level on');
  };
  process.on('SIGUSR2', toggleDebugLevel);
  return () => void process.off('SIGUSR2', toggleDebugLevel);
};

const WARN = 40;
const MAX_REMEMBERED_FAILURES = 200;

const createRepeats = () => {
  const told = new Map<string, { at: number; again: number }>();
  /** Returns the number of omitted lines; null to omit this one. */
  return (fields: object, message: unknown): number | null => {
    const key = JSON.stringify([message, fields], (_, value: unknown) =>
      value instanceof Error ? value.message : value,
    );
    const now = performance.now();
    const last = told.get(key);
    if (last && now - last.at < MINUTE) {
      last.again += 1;
      return null;
    }
    told.delete(key);
    told.set(key, { at: now, again: 0 });
    if (told.size > MAX_REMEMBERED_FAILURES) told.delete([...told.keys()][0] ?? '');
    return last?.again ?? 0;
  };
};

const MAX_WAITING_BYTES = MB;
/** A full disk must not end the process; pending lines are written later. */
const standardError = (): DestinationStream => {
  const out = pino.destination({ fd: 2, sync: true, maxLength: MAX_WAITING_BYTES });
  // guard: O1-full-log
  out.on('error', () => undefined);
  return process.stderr.isTTY ? { write: (line: string) => void out.write(lineForPeople(line)) } : out;
};

const LEVELS: Readonly<Record<number, string>> = { 40: 'warning', 50: 'error', 60: 'fatal' };
const Line = z.looseObject({ level: z.number(), msg: z.string().optional() });

const lineForPeople = (json: string): string => {
  const { level, msg = '', time: _, ...fields } = Line.parse(JSON.parse(json));
  const more = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
  return `${LEVELS[level] ?? 'info'}: ${msg}${more}\n`;
};

export const createLogger = (
  level: string,
  out: DestinationStream = standardError(),
  /** Hides lent credentials, which no pattern recognises. */
  hide: (line: string) => string = (line) => line,
): Logger => {
  const repeats = createRepeats();
  return pino(
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
      // Redacts the finished line, so that no field is missed.
      hooks: {
        streamWrite: (line) => `${JSON.stringify(redactAll(JSON.parse(line)))}\n`,
        logMethod(given, write, level) {
          const [fields, message] = given as unknown[];
          if (level < WARN || typeof fields !== 'object' || fields === null) return write.apply(this, given);
          const again = repeats(fields, message);
          if (again === 0) return write.apply(this, given);
          if (again !== null) write.apply(this, [{ ...fields, again }, message as string]);
        },
      },
      serializers: {
        err: (error: Error) => ({ type: error.name, message: error.message, stack: error.stack }),
      },
    },
    { write: (line: string) => out.write(hide(line)) },
  );
};
