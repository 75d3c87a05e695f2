/** Renders patches for people, long ones in a thread (O10). */
import { readerThreads, type ReaderThreads } from '#process';
import { isPatchPaginated, cachePatchPages, type PatchBook } from '#chat-text';
import { KB } from '#model/values';
import { readerTasks } from './patch-tasks.ts';

const MODULE = '#programs/patch-tasks';
/** Shorter patches are rendered at once (characters). */
const SMALL = 64 * KB;

export const createShownPatch =
  ({ ask }: Pick<ReaderThreads, 'ask'> = readerThreads) =>
  async (patch: string): Promise<string> =>
    patch.length <= SMALL
      ? readerTasks.show(patch)
      : ask<typeof readerTasks, 'show'>(MODULE, 'show', patch, patch.length);

/** Resolves when the pages of the patch are kept. */
export const createPagesReader =
  ({ ask }: Pick<ReaderThreads, 'ask'> = readerThreads) =>
  async (patch: string): Promise<void> => {
    if (patch.length <= SMALL || isPatchPaginated(patch)) return;
    cachePatchPages(patch, await ask<typeof readerTasks, 'pages'>(MODULE, 'pages', patch, patch.length));
  };

export const createBookReader =
  ({ ask }: Pick<ReaderThreads, 'ask'> = readerThreads) =>
  async (patch: string): Promise<PatchBook> =>
    patch.length <= SMALL
      ? readerTasks.book(patch)
      : ask<typeof readerTasks, 'book'>(MODULE, 'book', patch, patch.length);
