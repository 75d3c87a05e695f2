/** A reporter that leaves the names of the files with failures to whoever started vitest. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

export const FAILED_FILES = join(import.meta.dirname, '../../node_modules/.cache/agentpr/failed-files.json');

export const rememberFailedFiles = {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    // What was thrown outside of every test belongs to no file that could run again.
    const failed = unhandled.length > 0 ? [] : modules.filter((module) => module.state() === 'failed');
    mkdirSync(dirname(FAILED_FILES), { recursive: true });
    writeFileSync(FAILED_FILES, JSON.stringify(failed.map((module) => module.relativeModuleId)));
  },
} satisfies Reporter;
