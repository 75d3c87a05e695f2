/** Parses long requests of a box in a thread, because hostile ones take a second (O10). */
import { UnreadableFailure } from '#ports/forge';
import { KB, SECOND } from '#model/values';
import { createReaderThreads, type ReaderThreads } from '../process/reader-threads.ts';
import { readModelRequest, type ModelRequestTarget } from './read-model-request.ts';
import type { readerTasks } from './request-tasks.ts';

const MODULE = '#programs/request-tasks';
/** Parsing up to this size is not noticeable (bytes). */
const SMALL = 256 * KB;

export type ReadRequest = (
  bytes: Uint8Array,
  asks: ModelRequestTarget,
) => Promise<ReturnType<typeof readModelRequest>>;

/** Separate threads, so that hard repositories do not block agents. */
export const createRequestThreads = (): ReaderThreads =>
  createReaderThreads({ threads: 2, totalMs: 5 * SECOND, heapMb: 512 });

export const createRequestReader =
  ({ ask }: Pick<ReaderThreads, 'ask'>): ReadRequest =>
  async (bytes, asks) => {
    if (bytes.length <= SMALL) return readModelRequest(bytes, asks);
    try {
      return await ask<typeof readerTasks, 'read'>(MODULE, 'read', { bytes, asks }, bytes.length);
    } catch (error) {
      // guard: O10-request-unread
      if (error instanceof UnreadableFailure) return { refused: 'The request takes too long to read.' };
      throw error;
    }
  };
