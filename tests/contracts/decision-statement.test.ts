/** G9: a receipt as an envelope that tools of others verify: it says yes to the right one alone. */
import { createPublicKey } from 'node:crypto';
import { bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, Verifier } from '@sigstore/verify';
import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '#passkeys';
import { readReceipt, withReceipt, type Receipt } from '#pull-text';
import { aliasOf } from '../../pull-text/receipt.ts';
import {
  envelopeOf,
  readReceiptEnvelope,
  type ReceiptEnvelope,
} from '../../orchestrator/receipts/decision-statement.ts';
import type { PublishedKeys } from '../../orchestrator/receipts/receipt-keys.ts';
import { verifyOwnKeys } from '../../orchestrator/receipts/verify-approver-keys.ts';
import { checkReceipt, checkTree, verifyPull } from '../../orchestrator/receipts/verify-receipt.ts';
import { signedPull } from '../support/signed-pull.ts';
import { createSoftKey } from '../support/soft-key.ts';
import { listTampered } from '../support/tampered.ts';

const key = createSoftKey();
const fingerprint = fingerprintOf(key.publicKey);
const TREE = 'd'.repeat(40);
const world = await signedPull({ key, tree: TREE });

const required = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Error('it is missing');
  return value;
};
const envelope: ReceiptEnvelope = required(envelopeOf(world.receipt));

/** All that a stranger has: the receipt, the tree of its commit, and two public keys. */
const judge = async (
  receipt: Receipt | null,
  published: PublishedKeys = world.published,
): Promise<string[]> => {
  if (!receipt) return ['no_envelope'];
  const doubt = checkReceipt(receipt, published) ?? checkTree(receipt, { tree: TREE });
  return doubt === null ? (await verifyOwnKeys(receipt, [fingerprint])).doubts : [doubt];
};

/** A library of others: Sigstore's verifier, with our public key in place of a log of theirs. */
const isVerifiedByOthers = (shown: ReceiptEnvelope): boolean => {
  const raw = Buffer.from(required(world.published.keys[0]).publicKey, 'base64url');
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]);
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const verifier = new Verifier(
    {
      certificateAuthorities: [],
      timestampAuthorities: [],
      tlogs: [],
      ctlogs: [],
      publicKey: () => ({ publicKey, validFor: () => true }),
    },
    { ctlogThreshold: 0, tlogThreshold: 0, timestampThreshold: 0 },
  );
  const bundle = bundleFromJSON({
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    dsseEnvelope: shown,
    verificationMaterial: { publicKey: { hint: shown.signatures[0]?.keyid ?? '' }, tlogEntries: [] },
  });
  try {
    verifier.verify(toSignedEntity(bundle));
    return true;
  } catch {
    return false;
  }
};

const receiptIn = (value: unknown): Receipt | null => readReceiptEnvelope(value)?.receipt ?? null;

describe('the envelope of a receipt', () => {
  it('G9: holds for strangers who have the receipt, the tree and two public keys', async () => {
    expect(await judge(receiptIn(envelope))).toEqual([]);
    expect(receiptIn(JSON.parse(JSON.stringify(envelope)))).toEqual(world.receipt);
    expect(verifyPull(world.pull, world.published).doubts).toEqual([]);
  });

  it('G9: is an in-toto statement about commit and tree, of what was seen and who decided', () => {
    expect(envelope.payloadType).toBe('application/vnd.in-toto+json');
    expect(JSON.parse(Buffer.from(envelope.payload, 'base64').toString())).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'urn:agentpr:decision:v1',
      subject: [{ name: 'acme/site', digest: { gitCommit: 'c'.repeat(40), gitTree: TREE } }],
      predicate: {
        seen: { base: 'main', card: { sha256: 'd'.repeat(64) } },
        decided: { by: aliasOf('3221259c'), at: '1970-01-01T00:00:02.000Z', ownKeys: { approval: 'card-1' } },
      },
    });
  });

  it('G9: is verified by a library of others, and refused by it when one byte is other', () => {
    expect(isVerifiedByOthers(envelope)).toBe(true);
    const payload = Buffer.from(envelope.payload, 'base64').toString().replace('"main"', '"next"');
    expect(isVerifiedByOthers({ ...envelope, payload: Buffer.from(payload).toString('base64') })).toBe(false);
  });

  it('G9, G11: none of the envelopes holds that were changed in a field, cut or swapped', async () => {
    const statement: unknown = JSON.parse(Buffer.from(envelope.payload, 'base64').toString());
    const inside = listTampered(statement).map(({ how, value }) => ({
      how,
      value: { ...envelope, payload: Buffer.from(JSON.stringify(value)).toString('base64') },
    }));
    const all = [...listTampered(envelope), ...inside];
    expect(all.length).toBeGreaterThanOrEqual(50);
    for (const { how, value } of all)
      expect({ how, doubts: await judge(receiptIn(value)) }).not.toEqual({ how, doubts: [] });
  });

  it('G9, G11: none of the receipts in a description holds that were changed in a field, cut or swapped', async () => {
    const all = listTampered(world.receipt);
    expect(all.length).toBeGreaterThanOrEqual(50);
    for (const { how, value } of all) {
      let body: string;
      try {
        body = withReceipt('What\n\nAdds a page.', value as Receipt);
      } catch {
        // No receipt has this form.
        continue;
      }
      const { receipt, doubts } = verifyPull({ ...world.pull, body }, world.published);
      const own = receipt && doubts.length === 0 ? await judge(receipt) : [];
      expect({ how, doubts: [...doubts, ...own] }).not.toEqual({ how, doubts: [] });
    }
  });

  it('G9: what has the same meaning in other bytes is no envelope of ours', () => {
    const spaced = JSON.stringify(JSON.parse(Buffer.from(envelope.payload, 'base64').toString()), null, 1);
    expect(readReceiptEnvelope({ ...envelope, payload: Buffer.from(spaced).toString('base64') })).toBe(null);
    expect(readReceiptEnvelope({ ...envelope, payload: `${envelope.payload}\n` })).toBe(null);
    expect(readReceiptEnvelope({ ...envelope, extra: 1 })).toBe(null);
  });

  it('G12: carries the proof of its place in the log beside what is signed, and needs none', () => {
    expect(readReceiptEnvelope(envelope)).toEqual({ receipt: world.receipt, inclusionProof: null });
    const carrying = envelopeOf(world.receipt, 'c2sp.org/tlog-proof@v1\n');
    expect(carrying).toEqual({ ...envelope, inclusionProof: 'c2sp.org/tlog-proof@v1\n' });
    expect(readReceiptEnvelope(carrying)).toEqual({
      receipt: world.receipt,
      inclusionProof: 'c2sp.org/tlog-proof@v1\n',
    });
    expect(isVerifiedByOthers({ ...envelope, inclusionProof: 'x' })).toBe(true);
    expect(readReceiptEnvelope({ ...envelope, inclusionProof: 1 })).toBe(null);
  });

  it('G9: the tree has to be that of the commit, and the commit has to be there', () => {
    expect(checkTree(world.receipt, { tree: 'e'.repeat(40) })).toBe('other_tree');
    expect(checkTree(world.receipt, null)).toBe('commit_missing');
  });

  it('G9: a receipt of the earlier form holds as before, and has no envelope', async () => {
    const { receipt } = world;
    expect(readReceipt(world.pull.body)).toEqual(receipt);
    const { tree: _, ...signed } = required(receipt.signed);
    const without = { ...receipt, signed };
    expect(envelopeOf(without)).toBe(null);
    // Its signature is over the statement with the tree, so leaving the tree out is noticed.
    expect(checkReceipt(without, world.published)).toBe('signature_wrong');
  });
});
