/**
 * Temporary files of tests lie in memory where the machine has enough of it: databases write through
 * to a disk after each step, which is most of what their tests would wait for. What tests prove
 * about the ledger is a killed process, and a file in memory outlives that as one on a disk does.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 4 * 2 ** 30;

const hasRoom = (): boolean => {
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= MIN_FREE_BYTES && freemem() >= 2 * MIN_FREE_BYTES;
};

/** Containers often mount it without the right to run programs. */
const runsPrograms = (folder: string): boolean => {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  return spawnSync(program).status === 0;
};

/** The folder, which goes with this process; null where temporary files stay where they are. */
export const makeMemoryDirectory = (): string | null => {
  try {
    if (!hasRoom()) return null;
    const folder = mkdtempSync(join(IN_MEMORY, 'agentpr-tests-'));
    // As /tmp is: servers of tests run as users of their own.
    chmodSync(folder, 0o1777);
    const remove = (): void => rmSync(folder, { recursive: true, force: true });
    if (runsPrograms(folder)) {
      process.once('exit', remove);
      return folder;
    }
    remove();
  } catch {
    // There is none, or it belongs to somebody else.
  }
  return null;
};
