/** Implements the reader port with threads that end at their limits (O10). */
import { UnreadableFailure } from '#ports/forge';
import type { RepositoryReader } from '#ports/workspaces';
import { toDisplayLog } from '#checks';
import { readerThreads, type ReaderThreads } from '../../process/reader-threads.ts';
import type { readerTasks } from './repository-tasks.ts';

const REPOSITORY_TASKS_MODULE = '#programs/repository-tasks';
const LOG_END = 4_000;

const hostOf = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : new URL(url).hostname;

export const createRepositoryReader = (
  { ask }: Pick<ReaderThreads, 'ask'> = readerThreads,
  /** `images`: whether boxes have any, so that what a repository asks for is of use (E20). */
  { images = false, serverUrl }: { images?: boolean; serverUrl?: string } = {},
): RepositoryReader => ({
  contract: (texts) =>
    ask<typeof readerTasks, 'contract'>(REPOSITORY_TASKS_MODULE, 'contract', {
      ...texts,
      host: hostOf(serverUrl),
      images,
    }),
  refine: (read) => ask<typeof readerTasks, 'refine'>(REPOSITORY_TASKS_MODULE, 'refine', read),
  contribution: (texts) =>
    ask<typeof readerTasks, 'contribution'>(REPOSITORY_TASKS_MODULE, 'contribution', {
      ...texts,
      host: hostOf(serverUrl),
    }),
  checkConfig: (known) =>
    ask<typeof readerTasks, 'readCheckConfig'>(REPOSITORY_TASKS_MODULE, 'readCheckConfig', known),
  distillLog: async (log) => {
    try {
      return await ask<typeof readerTasks, 'distillLog'>(REPOSITORY_TASKS_MODULE, 'distillLog', log);
    } catch (error) {
      if (!(error instanceof UnreadableFailure)) throw error;
      return log.slice(-LOG_END);
    }
  },
  readLog: async (log) => {
    try {
      return await ask<typeof readerTasks, 'readLog'>(REPOSITORY_TASKS_MODULE, 'readLog', log);
    } catch (error) {
      if (!(error instanceof UnreadableFailure)) throw error;
      const end = log.slice(-LOG_END);
      return { text: end, steps: [], shown: toDisplayLog(end) };
    }
  },
});
