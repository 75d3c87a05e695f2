/**
 * Runs vitest with its arguments. Under CI, where nobody looks after what else the machine does,
 * the files that failed run once more, one after the other with nothing beside them, and only what
 * fails again is red. Both outcomes are printed: a file that needs this is to be mended.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FAILED_FILES } from './support/remember-failed-files.ts';

const ROOT = join(import.meta.dirname, '..');
/** More than this is no accident (files). */
const MOST_REPEATED = 8;

const startVitest = (args: readonly string[]): void => {
  execFileSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    cwd: ROOT,
    stdio: 'inherit',
  });
};

const readFailedFiles = (): string[] =>
  existsSync(FAILED_FILES) ? (JSON.parse(readFileSync(FAILED_FILES, 'utf8')) as string[]) : [];

/** Throws what `execFileSync` throws where tests failed; what vitest said stands above by then. */
export const runVitest = (...args: readonly string[]): void => {
  rmSync(FAILED_FILES, { force: true });
  try {
    startVitest(args);
  } catch (error) {
    const failed = readFailedFiles();
    if (!process.env['CI'] || failed.length === 0 || failed.length > MOST_REPEATED) throw error;
    console.log(`\nOnce more, alone: ${failed.join(' ')}\n`);
    startVitest(['--no-file-parallelism', ...failed]);
    console.log(`\nFailed beside others and passed alone, to be mended: ${failed.join(' ')}`);
  }
};

if (import.meta.main)
  try {
    runVitest(...process.argv.slice(2));
  } catch {
    process.exitCode = 1;
  }
