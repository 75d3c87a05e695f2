/** Searches added content and patches, large ones in a thread: a hostile MB takes seconds. */
import { stat } from 'node:fs/promises';
import type { DependencyChange, Finding } from '#model/change';
import { namesOwnVersion } from '../own-version.ts';
import { KB } from '#model/values';
import { isDependencyManifest } from '#tools/packages';
import type { BlobPair } from '../blob-pairs.ts';
import { readerThreads, type ReaderThreads } from '../../process/reader-threads.ts';
import type { readerTasks } from './content-tasks.ts';
import { contentFindings } from './content-findings.ts';
import { findDependencyChanges, isOwnVersionChange } from './changed-dependencies.ts';
import { findHiddenLines } from './find-hidden-lines.ts';

/** Throws past a limit, so that unsearched content is not published. */
export type ContentScan = {
  findings(sides: BlobPair): Promise<Finding[]>;
  dependencies(sides: BlobPair): Promise<DependencyChange[]>;
  /** Only the version of the package itself differs. */
  ownVersion(sides: BlobPair): Promise<boolean>;
  patch(file: string): Promise<Finding[]>;
};

const CONTENT_TASKS_MODULE = '#programs/content-tasks';
const MAX_INLINE_SCAN_BYTES = 32 * KB;

export const createContentScan = ({ ask }: Pick<ReaderThreads, 'ask'> = readerThreads): ContentScan => ({
  findings: async (sides) => {
    const { before, after } = sides;
    const bytes = (before?.bytes.length ?? 0) + (after?.bytes.length ?? 0);
    if (bytes <= MAX_INLINE_SCAN_BYTES) return contentFindings(before, after);
    return ask<typeof readerTasks, 'findings'>(CONTENT_TASKS_MODULE, 'findings', sides, bytes);
  },
  dependencies: async (sides) => {
    const { before, after } = sides;
    if (!isDependencyManifest((after ?? before)?.path ?? '')) return [];
    const bytes = (before?.bytes.length ?? 0) + (after?.bytes.length ?? 0);
    if (bytes <= MAX_INLINE_SCAN_BYTES) return findDependencyChanges(before, after);
    return ask<typeof readerTasks, 'dependencies'>(CONTENT_TASKS_MODULE, 'dependencies', sides, bytes);
  },
  ownVersion: async (sides) => {
    const { before, after } = sides;
    if (!namesOwnVersion((after ?? before)?.path ?? '')) return false;
    const bytes = (before?.bytes.length ?? 0) + (after?.bytes.length ?? 0);
    if (bytes <= MAX_INLINE_SCAN_BYTES) return isOwnVersionChange(before, after);
    return ask<typeof readerTasks, 'ownVersion'>(CONTENT_TASKS_MODULE, 'ownVersion', sides, bytes);
  },
  patch: async (file) => {
    const { size } = await stat(file);
    return size <= MAX_INLINE_SCAN_BYTES
      ? findHiddenLines(file)
      : ask<typeof readerTasks, 'patch'>(CONTENT_TASKS_MODULE, 'patch', file, size);
  },
});
