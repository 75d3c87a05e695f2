/**
 * L8: room on the disk that is given up when the disk is full, so that taps and approvals can still
 * be written.
 */
import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { MB } from '../../orchestrator/core/units.ts';

const RESERVE_BYTES = 8 * MB;
const RESERVE_PIECE = Buffer.alloc(MB, 0x5a);

export type DiskReserve = {
  /** Gives the room up. */
  free(): void;
  /**
   * Whether it was given up and cannot be taken again: what can come later must wait. Looks for
   * room now and then.
   */
  low(): boolean;
  /** Takes the room again, as far as there is some. */
  refill(): void;
};

/** Between two looks for room: each writes what fits (ms). */
const RESERVE_RETRY_INTERVAL_MS = 5_000;

export const createReserve = (file: string, now: () => number = () => performance.now()): DiskReserve => {
  let low = false;
  let looked = -Infinity;
  const remove = (): void => rmSync(file, { force: true });
  const there = (): boolean => statSync(file, { throwIfNoEntry: false })?.size === RESERVE_BYTES;
  const refill = (): void => {
    if (there()) return;
    looked = now();
    try {
      const fd = openSync(file, 'w', 0o600);
      try {
        // Written, not only claimed: a sparse file would hold no room.
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
      // No room for a reserve, whatever the reason: what little there is goes to the ledger.
      low = true;
      remove();
    }
  };
  return {
    free: () => {
      low = true;
      looked = now();
      remove();
    },
    low: () => {
      if (low && now() - looked >= RESERVE_RETRY_INTERVAL_MS) refill();
      return low;
    },
    refill,
  };
};
