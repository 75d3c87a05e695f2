/** Reads single source texts by their grammars, in a thread that lives as long as somebody asks. */
import { UnreadableFailure } from '#ports/forge';
import { SECOND } from '#model/values';
import { createReaderThreads, type ReaderLimits } from '../process/reader-threads.ts';
import { languageOf } from './languages.ts';
import { OUTLINE_TASKS_MODULE } from './map-repository.ts';
import type { FileOutline, SyntaxFault } from './outline-types.ts';
import type { readerTasks } from './outline-tasks.ts';

const SOURCE_THREADS = {
  threads: 1,
  fileMs: 4 * SECOND,
  totalMs: 20 * SECOND,
  heapMb: 96,
  youngMb: 8,
  idleMs: 20 * SECOND,
};

export const createSourceReader = (limits: Partial<ReaderLimits> = {}) => {
  const threads = createReaderThreads({ ...SOURCE_THREADS, ...limits });
  const broke = new Set<string>();
  const readUnlessBroken = async <T>(path: string, ask: () => Promise<T>): Promise<T | null> => {
    // guard: O10-source-not-again
    if (broke.has(path)) return null;
    if (languageOf(path) === null) return null;
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof UnreadableFailure)) throw error;
      broke.add(path);
      return null;
    }
  };
  return {
    outline: (path: string, text: string): Promise<FileOutline | null> =>
      readUnlessBroken(path, async () => {
        const files = [{ path, text }];
        const [one] = await threads.ask<typeof readerTasks, 'outline'>(OUTLINE_TASKS_MODULE, 'outline', {
          files,
        });
        return one ?? null;
      }),
    faults: (path: string, before: string | null, after: string): Promise<readonly SyntaxFault[] | null> =>
      readUnlessBroken(path, () =>
        threads.ask<typeof readerTasks, 'faults'>(OUTLINE_TASKS_MODULE, 'faults', { path, before, after }),
      ),
    count: threads.count,
    end: threads.end,
  };
};
export type SourceReader = ReturnType<typeof createSourceReader>;
