/** Searches added content and patches in a reader thread. */
import type { BlobPair } from '../blob-pairs.ts';
import { contentFindings } from './content-findings.ts';
import { dependenciesIn } from './changed-dependencies.ts';
import { patchFindings } from './patch-lines.ts';

type OnReading = (file: string) => void;

export const tasks = {
  findings: ({ before, after }: BlobPair, reading: OnReading) => {
    reading((after ?? before)?.path ?? '');
    return contentFindings(before, after);
  },
  dependencies: ({ before, after }: BlobPair) => dependenciesIn(before, after),
  patch: (file: string) => patchFindings(file),
};
