/** Why a process could not be started, in words for whoever can change that. */
import { existsSync } from 'node:fs';

/**
 * What a machine can run out of when a process is to be started. It may be there again a moment
 * later.
 */
export const SCARCE: Readonly<Record<string, string>> = {
  EMFILE: 'too many files are open; allow more (`ulimit -n`, or LimitNOFILE of the service)',
  ENFILE: 'too many files are open on this machine',
  EAGAIN: 'no more processes may be started; allow more (`ulimit -u`, or TasksMax of the service)',
  ENOMEM: 'the machine has no memory left',
};

/** `code` is the code of the error that the start gave. */
export const whyNotStarted = (
  { argv: [program], cwd }: { argv: readonly [string, ...string[]]; cwd: string },
  code: string,
): string => {
  if (!existsSync(cwd)) return `"${program}" was not started: the directory ${cwd} is missing.`;
  if (code === 'ENOENT') return `"${program}" was not found. Install it, or put it on the PATH.`;
  // A directory of the PATH that may not be read gives EACCES as well.
  if (code === 'EACCES' && !program.includes('/'))
    return `"${program}" was not found, or may not be executed. Install it, or put it on the PATH.`;
  if (code === 'EACCES') return `"${program}" may not be executed. Look at its permissions.`;
  return `"${program}" could not be started: ${SCARCE[code] ?? code}.`;
};
