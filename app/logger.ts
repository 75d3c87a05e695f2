/** The log: pino to standard error, with what must never be read in a log taken out (C5). */
import { z } from 'zod';
import { pino, type DestinationStream, type Logger } from 'pino';
import { redactAll } from '#text-safety';
import { MB, MINUTE } from '../orchestrator/core/units.ts';

/**
 * SIGUSR2 makes the log tell everything, and a second one what it told before: for as long as
 * somebody looks for something, without a start. Returns what ends it.
 */
export const raiseLogLevelOnSignal = (log: Logger): (() => void) => {
  const usual = log.level;
  const turn = (): void => {
    log.level = log.level === 'debug' ? usual : 'debug';
    log.info({ level: log.level }, 'the log tells from this level on');
  };
  process.on('SIGUSR2', turn);
  return () => void process.off('SIGUSR2', turn);
};

const WARN = 40;
/** Different troubles that are remembered at a time. */
const MAX_REMEMBERED_FAILURES = 200;

/**
 * What is tried every second and cannot be done for an hour is told once a minute, with how often it
 * was left out since. Lines of different runs are different lines.
 */
const createRepeats = () => {
  const told = new Map<string, { at: number; again: number }>();
  /** How often it was left out; null for a line to be left out. */
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

/** Lines that could not be written wait up to here; later ones are left out. */
const MAX_WAITING_BYTES = MB;
/**
 * A log that cannot be written, because its disk is full, must not end the work that it tells of:
 * what waits is written when there is room again.
 */
const standardError = (): DestinationStream => {
  const out = pino.destination({ fd: 2, sync: true, maxLength: MAX_WAITING_BYTES });
  // guard: O1-full-log
  out.on('error', () => undefined);
  return process.stderr.isTTY ? { write: (line: string) => void out.write(lineForPeople(line)) } : out;
};

const LEVELS: Readonly<Record<number, string>> = { 40: 'warning', 50: 'error', 60: 'fatal' };
const Line = z.looseObject({ level: z.number(), msg: z.string().optional() });

/** One line as people read it in a terminal; fields that say more stand behind. */
export const lineForPeople = (json: string): string => {
  const { level, msg = '', time: _, ...fields } = Line.parse(JSON.parse(json));
  const more = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
  return `${LEVELS[level] ?? 'info'}: ${msg}${more}\n`;
};

export const createLogger = (
  level: string,
  out: DestinationStream = standardError(),
  /** Takes out what nobody can tell by its form: what was lent to agents. */
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
      // Over the finished line, so that no field is forgotten.
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
