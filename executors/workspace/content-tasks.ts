/** Searching of what a change adds, and of the patch that people read, in a thread of readers. */
import type { Sides } from '../git/sides.ts';
import { contentFindings } from './content.ts';
import { dependenciesIn } from './dependencies.ts';
import { patchFindings } from './patch-lines.ts';

type OnReading = (file: string) => void;

export const tasks = {
  findings: ({ before, after }: Sides, reading: OnReading) => {
    reading((after ?? before)?.path ?? '');
    return contentFindings(before, after);
  },
  dependencies: ({ before, after }: Sides) => dependenciesIn(before, after),
  patch: (file: string) => patchFindings(file),
};
