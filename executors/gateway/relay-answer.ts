/** Streams an answer at the client's speed and lets a reader see a copy. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createBrotliDecompress, createUnzip, createZstdDecompress } from 'node:zlib';
import type { Transform } from 'node:stream';
import type { EchoFilter } from './credential-echo-filter.ts';
import { MB } from '#model/values';

/** Maximum size of an answer, compressed or not (bytes). */
export const MAX_ANSWER_BYTES = 64 * MB;

export type RelayEnd = 'whole' | 'left' | 'cut' | 'too_large';

const createUnpacker = (encoding: string): Transform | null => {
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

export const isReadableEncoding = (encoding: string | undefined): boolean =>
  encoding === undefined || encoding === 'identity' || createUnpacker(encoding) !== null;

const createUnpackingReader = (encoding: string, read: (chunk: Uint8Array) => void) => {
  const unpack = createUnpacker(encoding);
  if (unpack === null) return { write: read, end: () => Promise.resolve() };
  let size = 0;
  const closed = new Promise<void>((resolve) => unpack.once('close', resolve));
  unpack.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) unpack.destroy();
    else read(chunk);
  });
  // Wrong content-encoding: pass through unchanged and bill the estimate.
  unpack.on('error', () => unpack.destroy());
  return {
    write: (chunk: Uint8Array) => void (unpack.destroyed || unpack.write(chunk)),
    end: () => {
      if (!unpack.destroyed) unpack.end();
      return closed;
    },
  };
};

/** Resolves at any end of the answer. The head must be written already. */
export const relayAnswer = async (
  from: IncomingMessage,
  to: ServerResponse,
  read: (chunk: Uint8Array) => void,
  largest: number = MAX_ANSWER_BYTES,
  filter: EchoFilter | null = null,
): Promise<RelayEnd> => {
  const encoding = from.headers['content-encoding'] ?? '';
  const unpack = filter === null ? null : createUnpacker(encoding);
  const source = unpack === null ? from : from.pipe(unpack);
  const copy = createUnpackingReader(filter === null ? encoding : '', read);
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
      writeChunk(filter === null ? chunk : filter.add(chunk));
    });
    const writeChunk = (out: Buffer | null): void => {
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
      if (filter !== null) writeChunk(filter.end());
      resolve('whole');
    });
    source.on('error', () => resolve('cut'));
    from.on('error', () => resolve('cut'));
    // Decompression streams do not notice an aborted source.
    from.on('close', () => {
      if (source === from || !from.complete) resolve('cut');
    });
  });
  await copy.end();
  // The client must notice the missing part.
  if (ended === 'whole') to.end();
  else to.destroy();
  return ended;
};
