/** A reporter that lists the slowest test files at the end of a long run. */
import type { Reporter, TestModule } from 'vitest/node';

const FILES = 10;
/** Shorter runs need no list (files). */
const LONG_RUN_FILES = 50;

export const slowestFiles = {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < LONG_RUN_FILES) return;
    const timed = modules
      .map((module) => ({ file: module.relativeModuleId, ms: module.diagnostic().duration }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, FILES);
    console.log(`\nSlowest files:`);
    for (const { file, ms } of timed) console.log(`  ${(ms / 1_000).toFixed(1).padStart(6)} s  ${file}`);
  },
} satisfies Reporter;
