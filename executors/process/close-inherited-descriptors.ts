/** Closes descriptors that our parent left open, so that no child inherits them. */
import { closeSync, readdirSync, readFileSync } from 'node:fs';

const O_CLOEXEC = 0o2000000;

const isInherited = (fd: number): boolean => {
  try {
    const flags = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    return flags !== undefined && (parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    return false;
  }
};

const listInherited = (): number[] => {
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter((fd) => fd > 2 && isInherited(fd));
  } catch {
    return []; // This system has no /proc.
  }
};

let closed = false;

/** Closing once is cheaper than excluding them from every child. */
export const closeInheritedDescriptors = (): void => {
  if (closed) return;
  closed = true;
  for (const fd of listInherited()) closeSync(fd);
};
