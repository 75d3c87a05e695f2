/** G7: the receipt in a pull request's body: run, digest and the approver's public name or alias, no ids. */
import { aliasOf, type Receipt } from '#pull-text';
import type { ConsumedApproval } from '../core/machine/run.ts';
import { computeMac, isSameMac, sha256Hex } from './content-hash.ts';

type Claims = Pick<Receipt, 'run' | 'digest' | 'policyVersion' | 'approver'>;

const text = (c: Claims): string =>
  JSON.stringify(['agentpr receipt 1', c.run, c.digest, c.policyVersion, c.approver]);

const MAX_APPROVER = 80;

/** Who chose no public name gets an alias, which only the ledger's owner can resolve. */
export const receiptFor = (
  key: Uint8Array,
  claims: Claims & { signers?: ConsumedApproval['signers'] | undefined },
): Receipt => {
  const { signers = [], ...said } = claims;
  const alias = (name: string): string => aliasOf(sha256Hex(computeMac(key, `alias ${name}`)));
  const names = signers.map(({ name, publicName }) => publicName ?? alias(name)).join(', ');
  const approver = names === '' || names.length > MAX_APPROVER ? alias(claims.approver) : names;
  const named = { ...said, approver };
  return { version: 1, ...named, mac: computeMac(key, text(named)) };
};

export const receiptIsOurs = (key: Uint8Array, receipt: Receipt): boolean =>
  isSameMac(receipt.mac, computeMac(key, text(receipt)));
