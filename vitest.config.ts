/**
 * Projects: `quick` (pure and in-process, for `npm run check`), `whole` (real processes, git and
 * HTTP), `playground` (its own package).
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { slowestFiles } from './tests/support/slowest-files.ts';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Whole stories first: they take longest and wait most, and one that comes last runs alone. */
class StoriesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isStory = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/tests/e2e/');
    return [...sorted.filter(isStory), ...sorted.filter((file) => !isStory(file))];
  }
}

// Tests are loaded by Node itself, as the product is, and what Node compiled of them is kept.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

export default defineConfig({
  test: {
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // By itself vitest leaves a core idle, which is half of a small machine; and much of what runs
    // here waits for others.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: StoriesFirst },
    reporters: ['default', slowestFiles],
    projects: [
      {
        test: {
          name: 'quick',
          include: ['tests/core/**/*.test.ts', 'tests/contracts/**/*.test.ts'],
          testTimeout: 20_000,
          // Nothing here changes what modules hold: they are loaded once for each worker and not
          // for each of sixty files.
          isolate: false,
        },
      },
      {
        test: {
          name: 'whole',
          include: ['tests/adapters/**/*.test.ts', 'tests/e2e/**/*.test.ts', 'tests/rules/**/*.test.ts'],
          globalSetup: ['tests/support/build-bundle.js'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'playground',
          include: ['playground/tests/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The real agent programs, where they are installed.
        test: {
          name: 'agents',
          include: ['tests/agents/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        // compose.yaml on a real container daemon, where there is one.
        test: {
          name: 'containers',
          include: ['tests/containers/**/*.test.ts'],
        },
      },
    ],
  },
});
