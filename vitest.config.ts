/**
 * One project for each layer of the suite (`tests/layers.ts`). Two more need what a machine may
 * lack: the real agents, and a container daemon.
 */
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LAYERS, type Layer } from './tests/layers.ts';
import { makeMemoryDirectory } from './tests/support/memory-directory.ts';
import { rememberFailedFiles } from './tests/support/remember-failed-files.ts';
import { reportLayers } from './tests/support/report-layers.ts';

/** Whole stories first: they take longest and wait most, and one that comes last runs alone. */
class StoriesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isStory = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/stories/');
    return [...sorted.filter(isStory), ...sorted.filter((file) => !isStory(file))];
  }
}

// Tests are loaded by Node itself, as the product is, and what Node compiled of them is kept.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');
/** For the layers that start no program: a box hides what lies in memory. */
const memory = makeMemoryDirectory() ?? tmpdir();

const toProject = ({ name, folder, slowFolder, programs, shared, timeoutMs }: Layer) => ({
  test: {
    name,
    include: [`${folder}/**/*.test.ts`, `${slowFolder}/**/*.test.ts`],
    ...(programs ? { globalSetup: ['tests/support/build-bundle.js'] } : {}),
    setupFiles: ['tests/support/count-costs.ts', ...(programs ? [] : ['tests/support/refuse-programs.ts'])],
    isolate: !shared,
    ...(programs ? {} : { env: { TMPDIR: memory } }),
    testTimeout: timeoutMs,
    hookTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    // A text that nobody committed is red here as under CI; `-u` writes it.
    update: 'none',
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // By itself vitest leaves a core idle, which is half of a small machine; and much of what runs
    // here waits for others.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: StoriesFirst },
    reporters: ['default', reportLayers, rememberFailedFiles],
    projects: [
      ...LAYERS.map(toProject),
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
          globalSetup: ['tests/support/build-bundle.js'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
