/** G7: the receipt in a pull request's body: run, digest and the approver's alias, no ids. */
import type { Receipt } from '#pull-text';
import { computeMac, isSameMac, sha256Hex } from './content-hash.ts';

type Claims = Pick<Receipt, 'run' | 'digest' | 'policyVersion' | 'approver'>;

const text = (c: Claims): string =>
  JSON.stringify(['agentpr receipt 1', c.run, c.digest, c.policyVersion, c.approver]);

/** Publishes an alias of `approver`, which only the ledger's owner can resolve. */
export const receiptFor = (key: Uint8Array, claims: Claims): Receipt => {
  const approver = `approver-${sha256Hex(computeMac(key, `alias ${claims.approver}`)).slice(0, 8)}`;
  const named = { ...claims, approver };
  return { version: 1, ...named, mac: computeMac(key, text(named)) };
};

export const receiptIsOurs = (key: Uint8Array, receipt: Receipt): boolean =>
  isSameMac(receipt.mac, computeMac(key, text(receipt)));
