/** L8: room on the disk that is given up when the disk is full, so that taps and approvals can still be written. */
import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';

const BYTES = 8 * 2 ** 20;
const PIECE = Buffer.alloc(2 ** 20, 0x5a);

export type Reserve = {
  /** Gives the room up. */
  free(): void;
  /** Whether it was given up and could not be taken again: what can come later must wait. */
  low(): boolean;
  /** Takes the room again, as far as there is some. */
  refill(): void;
};

export const createReserve = (file: string): Reserve => {
  let low = false;
  const remove = (): void => rmSync(file, { force: true });
  const there = (): boolean => statSync(file, { throwIfNoEntry: false })?.size === BYTES;
  return {
    free: () => {
      low = true;
      remove();
    },
    low: () => low,
    refill: () => {
      if (there()) return;
      try {
        const fd = openSync(file, 'w', 0o600);
        try {
          // Written, not only claimed: a sparse file would hold no room.
          for (let size = 0; size < BYTES; size += PIECE.length) {
            if (writeSync(fd, PIECE) < PIECE.length) throw new Error('the disk took only part of it');
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
    },
  };
};
