/**
 * Searches what a change adds, and the patch that people read: small ones here, large ones in a
 * thread of readers, since a hostile megabyte takes seconds.
 */
import { stat } from 'node:fs/promises';
import { namesDependencies, type DependencyChange } from '../../../orchestrator/core/dependency-changes.ts';
import type { Finding } from '../../../orchestrator/core/change-facts.ts';
import { KB } from '../../../orchestrator/core/units.ts';
import type { BlobPair } from '../blob-pairs.ts';
import { readerThreads, type ReaderThreads } from '../../process/reader-threads.ts';
import type { tasks } from './content-tasks.ts';
import { contentFindings } from './content-findings.ts';
import { dependenciesIn } from './changed-dependencies.ts';
import { patchFindings } from './patch-lines.ts';

/** Throws where the thread ends or goes past a limit: what was not searched is not published. */
export type ContentScan = {
  findings(sides: BlobPair): Promise<Finding[]>;
  /** What a manifest declares otherwise than before; none for other files. */
  dependencies(sides: BlobPair): Promise<DependencyChange[]>;
  /** Of the patch in this file of ours. */
  patch(file: string): Promise<Finding[]>;
};

const CONTENT_TASKS_MODULE = '#programs/content-tasks';
/** Up to this many bytes a search is over before anybody has waited for it. */
const MAX_INLINE_SCAN_BYTES = 32 * KB;

export const createScan = ({ ask }: Pick<ReaderThreads, 'ask'> = readerThreads): ContentScan => ({
  findings: async (sides) => {
    const { before, after } = sides;
    const bytes = (before?.bytes.length ?? 0) + (after?.bytes.length ?? 0);
    if (bytes <= MAX_INLINE_SCAN_BYTES) return contentFindings(before, after);
    return ask<typeof tasks, 'findings'>(CONTENT_TASKS_MODULE, 'findings', sides, bytes);
  },
  dependencies: async (sides) => {
    const { before, after } = sides;
    if (!namesDependencies((after ?? before)?.path ?? '')) return [];
    const bytes = (before?.bytes.length ?? 0) + (after?.bytes.length ?? 0);
    if (bytes <= MAX_INLINE_SCAN_BYTES) return dependenciesIn(before, after);
    return ask<typeof tasks, 'dependencies'>(CONTENT_TASKS_MODULE, 'dependencies', sides, bytes);
  },
  patch: async (file) => {
    const { size } = await stat(file);
    return size <= MAX_INLINE_SCAN_BYTES
      ? patchFindings(file)
      : ask<typeof tasks, 'patch'>(CONTENT_TASKS_MODULE, 'patch', file, size);
  },
});
