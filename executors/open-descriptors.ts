/** Descriptors that whoever started us left open, and that every child would therefore get. */
import { readdirSync, readFileSync } from 'node:fs';

const O_CLOEXEC = 0o2000000;

const isInherited = (fd: number): boolean => {
  try {
    const flags = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    return flags !== undefined && (parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    return false; // The descriptor of the listing itself.
  }
};

const find = (): number[] => {
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter((fd) => fd > 2 && isInherited(fd));
  } catch {
    return []; // No /proc on this system.
  }
};

let found: readonly number[] | undefined;

/** Looked for once, before the first child: what node opens itself is never inheritable. */
export const strayDescriptors = (): readonly number[] => (found ??= find());
