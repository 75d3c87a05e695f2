/**
 * Reads bodies from strangers: at most so many bytes of one, so many of all together, and not for
 * ever.
 */
import type { Readable } from 'node:stream';
import { LARGEST, type HttpRefusal } from './head.ts';
import { MB } from '../orchestrator/core/units.ts';

/** `free` makes room for the next: call it when the pieces are no longer needed. */
export type Body = { pieces: readonly Buffer[]; free: () => void };

export type ReaderLimits = {
  /** For all bodies that are being read, in bytes. */
  room?: number;
  /** From the last header to the last byte, waiting for room included (ms). */
  patienceMs?: number;
};

/** Of a body that does not say its size, which GitHub's do (bytes). */
export const LARGEST_UNSAID = MB;
/** One of the largest, and ordinary ones beside it. */
const ROOM = LARGEST + 7 * MB;
/** GitHub gives up after ten seconds itself. */
const PATIENCE = 10_000;

export const createReader = ({ room = ROOM, patienceMs = PATIENCE }: ReaderLimits = {}) => {
  const take = createPlaces(room);

  /** `length` is what the headers said, in bytes; null when they did not. */
  return (stream: Readable, length: number | null): Promise<Body | HttpRefusal> =>
    new Promise((resolve) => {
      const most = length ?? LARGEST_UNSAID;
      const pieces: Buffer[] = [];
      let size = 0;
      let reading = false;
      const add = (piece: Buffer): void => {
        size += piece.length;
        if (size <= most) pieces.push(piece);
        else finish({ status: 413, error: 'Without Content-Length a body may have 1 MB.' });
      };
      const complete = (): void => finish({ pieces, free });
      const cutOff = (): void => finish({ status: 400, error: 'The body ended before it was complete.' });
      const late = (): void =>
        finish(
          reading
            ? { status: 408, error: 'The body took too long to arrive.' }
            : { status: 503, error: 'Too much arrives at once. Deliver it again later.' },
        );
      const finish = (answer: Body | HttpRefusal): void => {
        clearTimeout(timer);
        stream.off('data', add).off('end', complete).off('error', cutOff).off('close', cutOff);
        if ('error' in answer) free();
        resolve(answer);
      };
      const timer = setTimeout(late, patienceMs);
      stream.on('error', cutOff).on('close', cutOff);
      const free = take(most, () => {
        reading = true;
        stream.on('data', add).on('end', complete);
      });
    });
};

/**
 * Room is given as a whole before reading begins, so that nobody who has some waits for more; the
 * first whom it fits goes on.
 */
const createPlaces = (room: number) => {
  let left = room;
  const waiting = new Map<object, { size: number; begin: () => void }>();
  return (size: number, begin: () => void): (() => void) => {
    const name = {};
    let held = false;
    const go = (): void => {
      waiting.delete(name);
      left -= size;
      held = true;
      begin();
    };
    if (size <= left) go();
    else waiting.set(name, { size, begin: go });
    return () => {
      waiting.delete(name);
      if (!held) return;
      held = false;
      left += size;
      for (const next of waiting.values()) if (next.size <= left) next.begin();
    };
  };
};
