/** Passes an answer on as it is, no faster than the client takes it, and lets somebody read along. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createBrotliDecompress, createUnzip, createZstdDecompress } from 'node:zlib';
import type { Transform } from 'node:stream';
import { MB } from '../../orchestrator/core/units.ts';

/** No answer is larger, and none is unpacked beyond this. */
export const LARGEST_ANSWER = 64 * MB;

export type Ended = 'whole' | 'left' | 'cut' | 'too_large';

const unpacker = (encoding: string): Transform | null => {
  switch (encoding) {
    case 'gzip':
    case 'deflate':
      return createUnzip();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    default:
      return null;
  }
};

/** What is read along: a copy, unpacked where the server packed it. */
const along = (encoding: string, read: (chunk: Uint8Array) => void) => {
  const unpack = unpacker(encoding);
  if (unpack === null) return { write: read, end: () => Promise.resolve() };
  let size = 0;
  const closed = new Promise<void>((resolve) => unpack.once('close', resolve));
  unpack.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > LARGEST_ANSWER) unpack.destroy();
    else read(chunk);
  });
  // Not packed as it says: the client gets it as it is, and the estimate counts.
  unpack.on('error', () => unpack.destroy());
  return {
    write: (chunk: Uint8Array) => void (unpack.destroyed || unpack.write(chunk)),
    end: () => {
      if (!unpack.destroyed) unpack.end();
      return closed;
    },
  };
};

/** Resolves when the answer is over, however that came. The head is written already. */
export const passOn = async (
  from: IncomingMessage,
  to: ServerResponse,
  read: (chunk: Uint8Array) => void,
  largest: number = LARGEST_ANSWER,
): Promise<Ended> => {
  const copy = along(from.headers['content-encoding'] ?? '', read);
  const ended = await new Promise<Ended>((resolve) => {
    let size = 0;
    from.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > largest) {
        resolve('too_large');
        from.destroy();
        return;
      }
      copy.write(chunk);
      if (!to.write(chunk)) from.pause();
    });
    to.on('drain', () => from.resume());
    to.on('close', () => {
      resolve('left');
      from.destroy();
    });
    from.on('end', () => resolve('whole'));
    from.on('error', () => resolve('cut'));
    from.on('close', () => resolve('cut'));
  });
  await copy.end();
  // A client must see that something is missing.
  if (ended === 'whole') to.end();
  else to.destroy();
  return ended;
};
