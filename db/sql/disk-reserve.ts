/** Disk space that is released when the disk is full, so that taps can still be stored (L8). */
import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { MB } from '#model/values';

const RESERVE_BYTES = 8 * MB;
const RESERVE_PIECE = Buffer.alloc(MB, 0x5a);

export type DiskReserve = {
  free(): void;
  /** True while the disk has no room for the reserve; checked periodically. */
  low(): boolean;
  refill(): void;
};

const RESERVE_RETRY_INTERVAL_MS = 5_000;

export const createDiskReserve = (file: string, now: () => number = () => performance.now()): DiskReserve => {
  let low = false;
  let looked = -Infinity;
  const removeFile = (): void => rmSync(file, { force: true });
  const hasReserve = (): boolean => statSync(file, { throwIfNoEntry: false })?.size === RESERVE_BYTES;
  const refill = (): void => {
    if (hasReserve()) return;
    looked = now();
    try {
      const fd = openSync(file, 'w', 0o600);
      try {
        // Written in full, as a sparse file would reserve nothing.
        for (let size = 0; size < RESERVE_BYTES; size += RESERVE_PIECE.length) {
          if (writeSync(fd, RESERVE_PIECE) < RESERVE_PIECE.length)
            throw new Error('the disk took only part of it');
        }
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
      low = false;
    } catch {
      low = true;
      removeFile();
    }
  };
  return {
    free: () => {
      low = true;
      looked = now();
      removeFile();
    },
    low: () => {
      if (low && now() - looked >= RESERVE_RETRY_INTERVAL_MS) refill();
      return low;
    },
    refill,
  };
};
