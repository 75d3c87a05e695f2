/**
 * Runs around each test file: how much processor it took, with the programs that it started, goes
 * to the report of `npm test` (report-layers.ts).
 */
import { afterAll } from 'vitest';
import { readProcessorSeconds } from './processor-seconds.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Processor seconds of a test file, with those of programs that have ended. */
    processorSeconds?: number;
  }
}

/** A worker that loads modules once counts its start to its first file. */
const counted = globalThis as { agentprCountedSeconds?: number };

// Registered before any hook of the file, so it runs after all of them.
afterAll(({}, file) => {
  const seconds = readProcessorSeconds();
  if (seconds === null) return;
  file.meta.processorSeconds = seconds - (counted.agentprCountedSeconds ?? 0);
  counted.agentprCountedSeconds = seconds;
});
