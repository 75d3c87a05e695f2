/** L5: how far the books had come, beside the key and not in the database: an older copy of the database shows by it. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { sameMark, type Seal } from './seal.ts';

export type Anchor = {
  /** The number of changes that were made at least; null when nothing (or nothing of ours) is written there, infinite when an older copy went on. */
  reached(): number | null;
  /** Called at each start and now and then. Whoever puts an older copy back on purpose removes the file. */
  set(changes: number): void;
};

export const createAnchor = (file: string, seal: Seal): Anchor => {
  const markOf = (changes: string): string => seal('anchor', ['changes'], { changes }).mark;
  const reached = (): number | null => {
    try {
      const [changes = '', mark] = readFileSync(file, 'utf8').trim().split(' ');
      // guard: L5-anchor-mark
      return sameMark(markOf(changes), mark) ? Number(changes) : null;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  };
  const write = (changes: string): void => {
    const fd = openSync(`${file}.new`, 'w', 0o600);
    try {
      writeSync(fd, `${changes} ${markOf(changes)}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(`${file}.new`, file);
  };
  return {
    reached,
    set: (changes) => {
      const known = reached() ?? -1;
      if (changes === known) return;
      // However far an older copy goes on, what was lost with the newer one stays lost.
      // guard: L5-older-copy
      write(changes < known ? 'Infinity' : String(changes));
    },
  };
};
