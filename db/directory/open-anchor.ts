/** The anchor of a data directory, stored beside the key that signs it, and its witness outside. */
import { closeSync, openSync } from 'node:fs';
import type { KeyObject } from 'node:crypto';
import { anchorFile, isThere, witnessFile } from '../data-directory-paths.ts';
import { createAnchor, type LedgerAnchor } from '../integrity/anchor.ts';
import { createRowMac } from '../integrity/row-mac.ts';

/** Where it may be written, the witness follows the anchor; it tells when the whole directory is put back. */
export const createWitnessFile = (dataDir: string): void =>
  whereAllowed(() => closeSync(openSync(witnessFile(dataDir), 'a', 0o600)));

const whereAllowed = (act: () => void): void => {
  try {
    act();
  } catch (error) {
    // The parent of a data directory often belongs to somebody else.
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
};

export const openLedgerAnchor = (dataDir: string, key: KeyObject): LedgerAnchor => {
  const seal = createRowMac(key);
  const own = createAnchor(anchorFile(dataDir), seal);
  const witness = createAnchor(witnessFile(dataDir), seal);
  return {
    reached: () => {
      const [here, outside] = [own.reached(), findWitnessed(dataDir, witness)];
      // guard: L5-witness
      return here && outside && outside.seq > here.seq ? outside : here;
    },
    set: (reached) => {
      own.set(reached);
      if (isPlaced(dataDir)) whereAllowed(() => witness.set(reached));
    },
  };
};

const isPlaced = (dataDir: string): boolean => {
  let placed = false;
  whereAllowed(() => (placed = isThere(witnessFile(dataDir))));
  return placed;
};

const findWitnessed = (dataDir: string, witness: LedgerAnchor): ReturnType<LedgerAnchor['reached']> => {
  let found: ReturnType<LedgerAnchor['reached']> = null;
  if (isPlaced(dataDir)) whereAllowed(() => (found = witness.reached()));
  return found;
};

/** The ledger lost acknowledged data; it counts as an older copy until a person accepts that. */
export const markLedgerOlder = (anchor: LedgerAnchor): void =>
  anchor.set({ seq: (anchor.reached()?.seq ?? 0) + 1, hash: 'lost' });
