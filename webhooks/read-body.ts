/** Reads untrusted bodies within limits of size, total memory and time. */
import type { Readable } from 'node:stream';
import { MAX_DELIVERY_BYTES, type HttpRefusal } from './delivery-headers.ts';
import { MB } from '#model/values';

type RequestBody = { pieces: readonly Buffer[]; free: () => void };

export type BodyLimits = {
  /** Maximum announced size that does not wait (bytes). */
  ordinary?: number;
  held?: number;
  room?: number;
  /** Time from the last header to the last byte, including waits (ms). */
  patienceMs?: number;
};

const MAX_UNSIZED_BODY_BYTES = MB;
const MAX_HELD_BYTES = 20 * MB;
const MIN_FREE_BODY_BYTES = MAX_DELIVERY_BYTES + 7 * MB;
/** GitHub's own timeout is ten seconds. */
const BODY_TIMEOUT_MS = 10_000;

const TOO_MUCH = { status: 503, error: 'Too much arrives at once. Deliver it again later.' };

export const createBodyReader = ({
  ordinary = MAX_UNSIZED_BODY_BYTES,
  held = MAX_HELD_BYTES,
  room = MIN_FREE_BODY_BYTES,
  patienceMs = BODY_TIMEOUT_MS,
}: BodyLimits = {}) => {
  const take = createPlaces(room);
  const crowd = createCrowd(held);

  return (stream: Readable, length: number | null): Promise<RequestBody | HttpRefusal> =>
    new Promise((resolve) => {
      const most = length ?? MAX_UNSIZED_BODY_BYTES;
      const pieces: Buffer[] = [];
      let size = 0;
      let reading = false;
      const addPiece = (piece: Buffer): void => {
        size += piece.length;
        if (size > most)
          return finishReading({ status: 413, error: 'Without Content-Length a body may have 1 MB.' });
        pieces.push(piece);
        place.holds(size);
      };
      const completeBody = (): void => finishReading({ pieces, free: place.free });
      const cutOff = (): void =>
        finishReading({ status: 400, error: 'The body ended before it was complete.' });
      const refuseLate = (): void =>
        finishReading(reading ? { status: 408, error: 'The body took too long to arrive.' } : TOO_MUCH);
      const finishReading = (answer: RequestBody | HttpRefusal): void => {
        clearTimeout(timer);
        stream.off('data', addPiece).off('end', completeBody).off('error', cutOff).off('close', cutOff);
        if ('error' in answer) place.free();
        else place.keeps();
        resolve(answer);
      };
      const timer = setTimeout(refuseLate, patienceMs);
      stream.on('error', cutOff).on('close', cutOff);
      const beginReading = (): void => {
        reading = true;
        stream.on('data', addPiece).on('end', completeBody);
      };
      // guard: L8-ordinary-waits-for-nobody
      const isOrdinary = most <= ordinary;
      const place = isOrdinary ? crowd(() => finishReading(TOO_MUCH)) : take(most, beginReading);
      if (isOrdinary) beginReading();
    });
};

type Place = {
  holds: (size: number) => void;
  keeps: () => void;
  free: () => void;
};

/** Drops the largest unfinished body over the limit, never a small complete one. */
const createCrowd = (most: number) => {
  let total = 0;
  const sizes = new Map<object, { size: number; giveWay: () => void }>();
  return (giveWay: () => void): Place => {
    const name = {};
    let size = 0;
    sizes.set(name, { size, giveWay });
    return {
      holds: (now) => {
        total += now - size;
        size = now;
        sizes.set(name, { size, giveWay });
        while (total > most && sizes.size > 0)
          [...sizes.values()].reduce((a, b) => (b.size > a.size ? b : a)).giveWay();
      },
      keeps: () => void sizes.delete(name),
      free: () => {
        sizes.delete(name);
        total -= size;
        size = 0;
      },
    };
  };
};

/** Room is reserved before reading, to avoid deadlocks; the first body that fits continues. */
const createPlaces = (room: number) => {
  let left = room;
  const waiting = new Map<object, { size: number; begin: () => void }>();
  return (size: number, begin: () => void): Place => {
    const name = {};
    let held = false;
    const startReading = (): void => {
      waiting.delete(name);
      left -= size;
      held = true;
      begin();
    };
    if (size <= left) startReading();
    else waiting.set(name, { size, begin: startReading });
    const free = (): void => {
      waiting.delete(name);
      if (!held) return;
      held = false;
      left += size;
      for (const next of waiting.values()) if (next.size <= left) next.begin();
    };
    return { holds: () => {}, keeps: () => {}, free };
  };
};
