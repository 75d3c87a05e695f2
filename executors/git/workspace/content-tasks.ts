/** Searches added content and patches in a reader thread. */
import type { BlobPair } from '../blob-pairs.ts';
import { contentFindings } from './content-findings.ts';
import { findDependencyChanges, isOwnVersionChange } from './changed-dependencies.ts';
import { findHiddenLines } from './find-hidden-lines.ts';

type OnReading = (file: string) => void;

export const readerTasks = {
  findings: ({ before, after }: BlobPair, reading: OnReading) => {
    reading((after ?? before)?.path ?? '');
    return contentFindings(before, after);
  },
  dependencies: ({ before, after }: BlobPair) => findDependencyChanges(before, after),
  ownVersion: ({ before, after }: BlobPair) => isOwnVersionChange(before, after),
  patch: (file: string) => findHiddenLines(file),
};
