/**
 * Searches what a change adds, and the patch that people read: small ones here, large ones in a
 * thread of readers, since a hostile megabyte takes seconds.
 */
import { stat } from 'node:fs/promises';
import { namesDependencies, type DependencyChange } from '../../orchestrator/core/dependencies.ts';
import type { Finding } from '../../orchestrator/core/facts.ts';
import { KB } from '../../orchestrator/core/units.ts';
import type { Sides } from '../git/sides.ts';
import { readerThreads, type ReaderThreads } from '../process/reader-threads.ts';
import type { tasks } from './content-tasks.ts';
import { contentFindings } from './content.ts';
import { dependenciesIn } from './dependencies.ts';
import { patchFindings } from './patch-lines.ts';

/** Throws where the thread ends or goes past a limit: what was not searched is not published. */
export type Scan = {
  findings(sides: Sides): Promise<Finding[]>;
  /** What a manifest declares otherwise than before; none for other files. */
  dependencies(sides: Sides): Promise<DependencyChange[]>;
  /** Of the patch in this file of ours. */
  patch(file: string): Promise<Finding[]>;
};

const MODULE = '#programs/content-tasks';
/** Up to this many bytes a search is over before anybody has waited for it. */
const SMALL = 32 * KB;

export const createScan = ({ ask }: Pick<ReaderThreads, 'ask'> = readerThreads): Scan => ({
  findings: async (sides) => {
    const { before, after } = sides;
    const bytes = (before?.bytes.length ?? 0) + (after?.bytes.length ?? 0);
    if (bytes <= SMALL) return contentFindings(before, after);
    return ask<typeof tasks, 'findings'>(MODULE, 'findings', sides, bytes);
  },
  dependencies: async (sides) => {
    const { before, after } = sides;
    if (!namesDependencies((after ?? before)?.path ?? '')) return [];
    const bytes = (before?.bytes.length ?? 0) + (after?.bytes.length ?? 0);
    if (bytes <= SMALL) return dependenciesIn(before, after);
    return ask<typeof tasks, 'dependencies'>(MODULE, 'dependencies', sides, bytes);
  },
  patch: async (file) => {
    const { size } = await stat(file);
    return size <= SMALL ? patchFindings(file) : ask<typeof tasks, 'patch'>(MODULE, 'patch', file, size);
  },
});
