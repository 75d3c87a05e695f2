/** Two projects: `quick` (pure and in-process, for `npm run check`) and `whole` (real processes, git and HTTP). */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'quick',
          include: ['tests/core/**/*.test.ts', 'tests/contracts/**/*.test.ts'],
          testTimeout: 20_000,
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
