/** Splits output into lines and JSON events; other output is dropped. */
import { hasMoreJsonValues, withoutStackTraces, MB } from '#model/values';

const NEWLINE = 0x0a;
/** A single line can contain a command's whole output (bytes). */
const LINE_LIMIT = 16 * MB;

const BOM = /^\ufeff/;

/** Each failed parse costs an exception. */
const BEGINNINGS: ReadonlySet<number> = new Set([...Buffer.from('{ \t\r\ufeff')]);
const isObject = (text: string): boolean => text.startsWith('{') && text.endsWith('}');

const MAX_VALUES = 50_000;

const parseEvent = (line: Buffer): unknown => {
  if (!BEGINNINGS.has(line[0] ?? 0)) return undefined;
  // guard: O10-event-values
  if (hasMoreJsonValues(line, MAX_VALUES)) return undefined;
  const text = line.toString('utf8').replace(BOM, '').trim();
  if (!isObject(text)) return undefined;
  try {
    return withoutStackTraces((): unknown => JSON.parse(text));
  } catch {
    return undefined;
  }
};

export type LineSplitter = {
  add: (chunk: Buffer) => void;
  end: () => void;
};

/** Longer lines are dropped, because half an event would be wrong. */
export const createLineSplitter = (take: (line: Buffer) => void, limit = LINE_LIMIT): LineSplitter => {
  let parts: Buffer[] = [];
  let size = 0;
  const keepPart = (part: Buffer): void => {
    size += part.length;
    if (size <= limit) parts.push(part);
    else parts = [];
  };
  const finishLine = (): void => {
    const [first] = parts;
    const whole = parts.length === 1 && first ? first : Buffer.concat(parts);
    const line = size === 0 || size > limit ? null : whole;
    parts = [];
    size = 0;
    if (line) take(line);
  };
  return {
    add: (chunk) => {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        keepPart(chunk.subarray(from, at));
        finishLine();
        from = at + 1;
      }
      if (from < chunk.length) keepPart(chunk.subarray(from));
    },
    end: finishLine,
  };
};

export const createJsonLineSplitter = (take: (event: unknown) => void, limit = LINE_LIMIT): LineSplitter =>
  createLineSplitter((line) => {
    const event = parseEvent(line);
    if (event !== undefined) take(event);
  }, limit);
