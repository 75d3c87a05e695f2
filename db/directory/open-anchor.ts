/** The anchor of a data directory, stored beside the key that signs it. */
import type { KeyObject } from 'node:crypto';
import { anchorFile } from '../backup/data-paths.ts';
import { createAnchor, type LedgerAnchor } from '../integrity/anchor.ts';
import { createSeal } from '../integrity/row-mac.ts';

export const anchorOf = (dataDir: string, key: KeyObject): LedgerAnchor =>
  createAnchor(anchorFile(dataDir), createSeal(key));

/** The ledger lost acknowledged data; it counts as an older copy until a person accepts that. */
export const markOlder = (anchor: LedgerAnchor): void =>
  anchor.set({ seq: (anchor.reached()?.seq ?? 0) + 1, hash: 'lost' });
