/** Keeps the beginning of a process's output. */
import { StringDecoder } from 'node:string_decoder';

export const createOutputBuffer = (limit: number) => {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    add: (chunk: Buffer): { kept: Buffer; over: boolean } => {
      const kept = chunk.subarray(0, limit - size);
      if (kept.length > 0) chunks.push(kept);
      size += kept.length;
      return { kept, over: kept.length < chunk.length };
    },
    bytes: (): Buffer => Buffer.concat(chunks),
  };
};

/** A partial character at the end of cut output is dropped. */
export const decodeOutput = (bytes: Buffer, { cut }: { cut: boolean }): string =>
  cut ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8');
