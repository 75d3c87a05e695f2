/** Descriptors that whoever started us left open, and that every child would therefore get. */
import { closeSync, readdirSync, readFileSync } from 'node:fs';

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

let closed = false;

/**
 * Once, before the first child: nobody here uses them, and to keep a high one from each child by
 * itself costs more than the rest of its start. What node opens itself is never inheritable.
 */
export const closeInheritedDescriptors = (): void => {
  if (closed) return;
  closed = true;
  for (const fd of find()) closeSync(fd);
};
