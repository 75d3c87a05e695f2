/** Passes an answer on as it is, no faster than the client takes it, and lets somebody read along. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createBrotliDecompress, createUnzip, createZstdDecompress } from 'node:zlib';
import type { Transform } from 'node:stream';
import type { EchoFilter } from './echo-filter.ts';
import { MB } from '../../orchestrator/core/units.ts';

/** No answer is larger, and none is unpacked beyond this. */
export const MAX_ANSWER_BYTES = 64 * MB;

export type RelayEnd = 'whole' | 'left' | 'cut' | 'too_large';

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

/** Whether an answer that is packed so can be unpacked here. */
export const isReadable = (encoding: string | undefined): boolean =>
  encoding === undefined || encoding === 'identity' || unpacker(encoding) !== null;

/** What is read along: a copy, unpacked where the server packed it. */
const along = (encoding: string, read: (chunk: Uint8Array) => void) => {
  const unpack = unpacker(encoding);
  if (unpack === null) return { write: read, end: () => Promise.resolve() };
  let size = 0;
  const closed = new Promise<void>((resolve) => unpack.once('close', resolve));
  unpack.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) unpack.destroy();
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
export const relayAnswer = async (
  from: IncomingMessage,
  to: ServerResponse,
  read: (chunk: Uint8Array) => void,
  largest: number = MAX_ANSWER_BYTES,
  filter: EchoFilter | null = null,
): Promise<RelayEnd> => {
  const encoding = from.headers['content-encoding'] ?? '';
  // What is searched is unpacked first, and passed on so.
  const unpack = filter === null ? null : unpacker(encoding);
  const source = unpack === null ? from : from.pipe(unpack);
  const copy = along(filter === null ? encoding : '', read);
  const ended = await new Promise<RelayEnd>((resolve) => {
    let size = 0;
    source.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > largest) {
        resolve('too_large');
        from.destroy();
        return;
      }
      copy.write(chunk);
      give(filter === null ? chunk : filter.add(chunk));
    });
    const give = (out: Buffer | null): void => {
      if (out === null) {
        resolve('cut');
        from.destroy();
      } else if (out.length > 0 && !to.write(out)) source.pause();
    };
    to.on('drain', () => source.resume());
    to.on('close', () => {
      resolve('left');
      from.destroy();
    });
    source.on('end', () => {
      if (filter !== null) give(filter.end());
      resolve('whole');
    });
    source.on('error', () => resolve('cut'));
    from.on('error', () => resolve('cut'));
    // A cut is no end for what unpacks it.
    from.on('close', () => {
      if (source === from || !from.complete) resolve('cut');
    });
  });
  await copy.end();
  // A client must see that something is missing.
  if (ended === 'whole') to.end();
  else to.destroy();
  return ended;
};
