/** What a run wrote is ours to read and to remove: as an ordinary user we are bound by the modes that it left behind. */
import { readFileSync } from 'node:fs';
import { spawnProcess } from './spawn.ts';
import { MINUTE } from '../../orchestrator/core/units.ts';

const [LOCKED_FOLDER, LOCKED_FILE] = [
  ['-type', 'd', '!', '-perm', '-u=rwx'],
  ['-type', 'f', '!', '-perm', '-u=rw'],
];

/** CAP_DAC_OVERRIDE (capabilities(7)): modes bind nobody who has it. Without /proc it is not known. */
const unbound = (): boolean => {
  try {
    const [, held = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return (BigInt(`0x${held}`) & 2n) !== 0n;
  } catch {
    return false;
  }
};

/**
 * Every process of the run is dead. No link is followed, and nothing is made executable. What cannot be opened is met
 * again, and told of, by whoever reads it.
 */
export const openUp = async (...places: [string, ...string[]]): Promise<void> => {
  if (unbound()) return;
  // A folder before what is in it; files many at a time.
  const folders = [...LOCKED_FOLDER, '-exec', 'chmod', 'u+rwx', '{}', ';'];
  const files = [...LOCKED_FILE, '-exec', 'chmod', 'u+rw', '{}', '+'];
  await spawnProcess({
    argv: ['find', '-P', ...places, '(', ...folders, ')', '-o', '(', ...files, ')'],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    timeoutMs: MINUTE,
    maxOutputBytes: 1 << 20,
  });
};
