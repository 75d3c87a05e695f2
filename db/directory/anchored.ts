/** The anchor of a data directory, beside the key it is signed with. */
import type { KeyObject } from 'node:crypto';
import { anchorFile } from '../backup/places.ts';
import { createAnchor, type Anchor } from '../integrity/anchor.ts';
import { createSeal } from '../integrity/seal.ts';

export const anchorOf = (dataDir: string, key: KeyObject): Anchor =>
  createAnchor(anchorFile(dataDir), createSeal(key));

/** The ledger lost what it had acknowledged: an older copy from now on, until a person accepts that. */
export const markOlder = (anchor: Anchor): void =>
  anchor.set({ seq: (anchor.reached()?.seq ?? 0) + 1, hash: 'lost' });
