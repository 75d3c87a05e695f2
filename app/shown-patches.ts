/** O10: a long patch is made ready for people where it holds nobody up. */
import { readerThreads, type ReaderThreads } from '../executors/process/reader-threads.ts';
import { KB } from '../orchestrator/core/units.ts';
import { tasks } from './patch-tasks.ts';

const MODULE = '#programs/patch-tasks';
/** Up to this many characters one is ready before anybody has waited for it. */
const SMALL = 64 * KB;

export const createShownPatch =
  ({ ask }: Pick<ReaderThreads, 'ask'> = readerThreads) =>
  async (patch: string): Promise<string> =>
    patch.length <= SMALL
      ? tasks.show(patch)
      : ask<typeof tasks, 'show'>(MODULE, 'show', patch, patch.length);
