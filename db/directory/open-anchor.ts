/** The anchor of a data directory, beside the key it is signed with. */
import type { KeyObject } from 'node:crypto';
import { anchorFile } from '../backup/data-paths.ts';
import { createAnchor, type LedgerAnchor } from '../integrity/anchor.ts';
import { createSeal } from '../integrity/row-mac.ts';

export const anchorOf = (dataDir: string, key: KeyObject): LedgerAnchor =>
  createAnchor(anchorFile(dataDir), createSeal(key));

/** The ledger lost what it had acknowledged: an older copy from now on, until a person accepts that. */
export const markOlder = (anchor: LedgerAnchor): void =>
  anchor.set({ seq: (anchor.reached()?.seq ?? 0) + 1, hash: 'lost' });
