/**
 * O10: a long request of a box is read where it holds nobody up: a conversation with pictures has
 * megabytes, and a hostile one of the largest size takes a second.
 */
import { UnreadableFailure } from '../../orchestrator/ports.ts';
import { KB, SECOND } from '../../orchestrator/core/units.ts';
import { createReaderThreads, type ReaderThreads } from '../process/reader-threads.ts';
import { readModelRequest, type ModelRequestTarget } from './read-model-request.ts';
import type { tasks } from './request-tasks.ts';

const MODULE = '#programs/request-tasks';
/** Up to this many bytes one is read before anybody has waited for it. */
const SMALL = 256 * KB;

export type ReadRequest = (
  bytes: Uint8Array,
  asks: ModelRequestTarget,
) => Promise<ReturnType<typeof readModelRequest>>;

/** Of their own: a repository that is hard to read keeps no agent from its model. */
export const createRequestThreads = (): ReaderThreads =>
  createReaderThreads({ threads: 2, totalMs: 10 * SECOND, heapMb: 512 });

export const createRequestReader =
  ({ ask }: Pick<ReaderThreads, 'ask'>): ReadRequest =>
  async (bytes, asks) => {
    if (bytes.length <= SMALL) return readModelRequest(bytes, asks);
    try {
      return await ask<typeof tasks, 'read'>(MODULE, 'read', { bytes, asks });
    } catch (error) {
      // guard: O10-request-unread
      if (error instanceof UnreadableFailure) return { refused: 'The request takes too long to read.' };
      throw error;
    }
  };
