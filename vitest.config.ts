/** Projects: `quick` (pure and in-process, for `npm run check`), `whole` (real processes, git and HTTP), `playground` (its own package). */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // By itself vitest leaves a core idle, which is half of a small machine; and much of what runs here waits for others.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          name: 'quick',
          include: ['tests/core/**/*.test.ts', 'tests/contracts/**/*.test.ts'],
          testTimeout: 20_000,
          // Nothing here changes what modules hold: they are loaded once for each worker and not for each of sixty files.
          isolate: false,
        },
      },
      {
        test: {
          name: 'whole',
          include: ['tests/adapters/**/*.test.ts', 'tests/e2e/**/*.test.ts', 'tests/rules/**/*.test.ts'],
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
    ],
  },
});
