/** What is kept of what a process prints. */
import { StringDecoder } from 'node:string_decoder';

/** The first `limit` bytes of a stream. */
export const keepFirst = (limit: number) => {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    /** What of the chunk was kept, and whether there was more than fits. */
    add: (chunk: Buffer): { kept: Buffer; over: boolean } => {
      const kept = chunk.subarray(0, limit - size);
      if (kept.length > 0) chunks.push(kept);
      size += kept.length;
      return { kept, over: kept.length < chunk.length };
    },
    bytes: (): Buffer => Buffer.concat(chunks),
  };
};

/** UTF-8 text; half a character at the end of cut output is left out. */
export const outputText = (bytes: Buffer, cut: boolean): string =>
  cut ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8');
