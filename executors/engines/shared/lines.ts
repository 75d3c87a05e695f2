/**
 * Cuts what a program prints into lines, and those into JSON events; everything else on standard
 * output is passed over.
 */
import { MB } from '../../../orchestrator/core/units.ts';

const NEWLINE = 0x0a;
/** One command's whole output can be inside a single line. */
const LINE_LIMIT = 16 * MB;

/** Some programs begin what they print with a byte order mark. */
const BOM = /^\ufeff/;

const parse = (line: Buffer): unknown => {
  try {
    return JSON.parse(line.toString('utf8').replace(BOM, ''));
  } catch {
    return undefined; // A line for people, or half of one.
  }
};

export type Lines = {
  add: (chunk: Buffer) => void;
  /** The last line counts although nothing ends it. */
  end: () => void;
};

/**
 * Whole lines as bytes. Those above `limit` bytes are dropped, not cut: half an event would be a
 * lie.
 */
export const createLines = (take: (line: Buffer) => void, limit = LINE_LIMIT): Lines => {
  let parts: Buffer[] = [];
  let size = 0;
  const keep = (part: Buffer): void => {
    size += part.length;
    if (size <= limit) parts.push(part);
    else parts = [];
  };
  const finish = (): void => {
    const line = size === 0 || size > limit ? null : Buffer.concat(parts);
    parts = [];
    size = 0;
    if (line) take(line);
  };
  return {
    add: (chunk) => {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        keep(chunk.subarray(from, at));
        finish();
        from = at + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
    },
    end: finish,
  };
};

export const createJsonLines = (take: (event: unknown) => void, limit = LINE_LIMIT): Lines =>
  createLines((line) => {
    const event = parse(line);
    if (event !== undefined) take(event);
  }, limit);
