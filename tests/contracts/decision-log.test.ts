/** G12: the log of published decisions, as its operator signs it and as strangers check it. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { verifyCheckpoint } from '@sigstore/verify/dist/tlog/checkpoint.js';
import { verifyMerkleInclusion } from '@sigstore/verify/dist/tlog/merkle.js';
import { expect, it } from 'vitest';
import { readCheckpoint, verifyProof } from '../../orchestrator/receipts/checkpoint.ts';
import { createDecisionLog } from '../../orchestrator/receipts/decision-log.ts';
import { envelopeOf, decisionLeafOf } from '../../orchestrator/receipts/decision-statement.ts';
import { isConsistent } from '../../orchestrator/receipts/merkle-tree.ts';
import {
  logVerifierOf,
  listPublishedKeys,
  revokeReceiptKey,
  rotateReceiptKey,
} from '../../orchestrator/receipts/receipt-keys.ts';
import { noteKeyText } from '../../orchestrator/receipts/signed-note.ts';
import { RECEIPT_SECRET, signedPull } from '../support/signed-pull.ts';

const BY = { id: null, name: 'the operator' };
const required = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Error('it is missing');
  return value;
};

/** A ledger of so many published decisions, each an event; between them others. */
const createWorld = async (decisions: number) => {
  const { book, published } = await signedPull({});
  const receipts = await Promise.all(
    Array.from({ length: decisions }, async (_, n) => (await signedPull({ run: `r${n}` })).receipt),
  );
  const leaves = receipts.map((receipt) => Buffer.from(required(decisionLeafOf(receipt))).toString('hex'));
  const events: (string | null)[] = leaves.flatMap((leaf) => [null, leaf]);
  const query = {
    ...book.query,
    newestEvent: async () => events.length,
    publishedLeaves: async ({ after, upto }: { after: number; upto: number }) =>
      events.slice(after, upto).flatMap((leaf) => leaf ?? []),
  };
  return { book, published, receipts, leaves, events, log: createDecisionLog({ query }, RECEIPT_SECRET) };
};

/** How Sigstore's library writes a log down that it trusts. */
const trustedLog = (published: Parameters<typeof logVerifierOf>[0]) => {
  const key = required(logVerifierOf(published).keys[0]);
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key.publicKey]);
  const publicKey: KeyObject = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const [, id = ''] = noteKeyText(key).split('+');
  return { logID: Buffer.from(id, 'hex'), baseURL: `https://${key.name}`, publicKey };
};

it('G12: each decision has its place in the signed head, for us and for a library of others', async () => {
  const { log, leaves, receipts, published } = await createWorld(13);
  const trusted = trustedLog(published);
  for (const [i, leaf] of leaves.entries()) {
    const proof = required(await log.proof(leaf));
    const place = verifyProof(proof, Buffer.from(leaf, 'hex'), logVerifierOf(published));
    expect([place?.index, place?.head.size]).toEqual([i, 13]);
    expect(
      verifyProof(proof, Buffer.from(required(leaves[(i + 1) % 13]), 'hex'), logVerifierOf(published)),
    ).toBe(null);

    const [path = '', ...note] = proof.split('\n\n');
    const hashes = path.split('\n').slice(2);
    const entry = {
      canonicalizedBody: Buffer.from(required(envelopeOf(required(receipts[i]))).payload, 'base64'),
      inclusionProof: {
        logIndex: String(i),
        treeSize: '13',
        rootHash: Buffer.alloc(0),
        hashes: hashes.map((one) => Buffer.from(one, 'base64')),
        checkpoint: { envelope: note.join('\n\n') },
      },
    } as unknown as Parameters<typeof verifyCheckpoint>[0];
    const head = verifyCheckpoint(entry, [trusted] as unknown as Parameters<typeof verifyCheckpoint>[1]);
    expect(() => verifyMerkleInclusion(entry, head)).not.toThrow();
    const other = { ...entry, canonicalizedBody: Buffer.from('another decision') };
    expect(() => verifyMerkleInclusion(other, head)).toThrow('does not match');
  }
});

it('G12: says counts and hashes alone', async () => {
  const { log, published } = await createWorld(3);
  const head = required(await log.checkpoint());
  const lines = head.split('\n');
  expect(lines[0]).toBe(`agentpr/${published.keys[0]?.id}`);
  expect(lines[1]).toBe('3');
  expect(Buffer.from(required(lines[2]), 'base64')).toHaveLength(32);
  expect(lines[4]).toMatch(/^— agentpr\/[0-9a-f]{16} [A-Za-z0-9+/=]+$/);
  expect(lines).toHaveLength(6);
});

it('G12: between any two heads it is proven that nothing was taken out, and a ledger from which something was taken is found out', async () => {
  const { log, leaves, events, published, book } = await createWorld(0);
  const whole = await createWorld(9);
  const heads = [required(await log.checkpoint())];
  for (const leaf of whole.leaves) {
    events.push(leaf);
    leaves.push(leaf);
    heads.push(required(await log.checkpoint()));
  }
  const read = heads.map((head) => required(readCheckpoint(head, logVerifierOf(published))));
  for (const before of read)
    for (const after of read) {
      const proof = await log.consistency(before.size, after.size);
      expect(proof !== null && isConsistent(before, after, proof)).toBe(before.size <= after.size);
    }
  // The operator takes out the third and goes on: no head of the new tree continues one of the old.
  const query = {
    ...book.query,
    newestEvent: async () => 9,
    publishedLeaves: async () => [...leaves.slice(0, 2), ...leaves.slice(3), '0'.repeat(64)],
  };
  const forged = createDecisionLog({ query }, RECEIPT_SECRET);
  const after = required(readCheckpoint(required(await forged.checkpoint()), logVerifierOf(published)));
  expect(after.size).toBe(9);
  for (const before of read.slice(3)) {
    const proof = required(await forged.consistency(before.size, after.size));
    expect([before.size, isConsistent(before, after, proof)]).toEqual([before.size, false]);
  }
});

it('G12: no head holds that was changed in one place, or is of another log', async () => {
  const { log, published } = await createWorld(2);
  const head = required(await log.checkpoint());
  for (let at = 0; at < head.length; at += 1)
    for (const put of ['', '1', '\n']) {
      const altered = head.slice(0, at) + put + head.slice(at + 1);
      if (altered !== head)
        expect([at, put, readCheckpoint(altered, logVerifierOf(published))]).toEqual([at, put, null]);
    }
  const other = { ...logVerifierOf(published), origin: 'agentpr/0000000000000000' };
  expect(readCheckpoint(head, other)).toBe(null);
});

it('G12: a proof that was changed in one place proves nothing', async () => {
  const { log, leaves, published } = await createWorld(7);
  const leaf = required(leaves[2]);
  const proof = required(await log.proof(leaf));
  const [path = ''] = proof.split('\n\n');
  for (let at = 0; at < path.length; at += 1) {
    const altered = `${proof.slice(0, at)}${proof[at] === 'A' ? 'B' : 'A'}${proof.slice(at + 1)}`;
    const place = verifyProof(altered, Buffer.from(leaf, 'hex'), logVerifierOf(published));
    expect([at, place]).toEqual([at, null]);
  }
});

it('G12: goes on as the same log under a new key, and heads of a revoked key hold no more', async () => {
  const { log, book, published } = await createWorld(2);
  const first = required(await log.checkpoint());
  await rotateReceiptKey(book, 5_000, BY);
  const second = required(await log.checkpoint());
  const both = await listPublishedKeys(book, RECEIPT_SECRET);
  expect(second.split('\n')[0]).toBe(first.split('\n')[0]);
  expect(second).not.toBe(first);
  expect(readCheckpoint(second, logVerifierOf(published))).toBe(null);
  for (const head of [first, second]) expect(readCheckpoint(head, logVerifierOf(both))?.size).toBe(2);
  const id = required(both.keys[0]).id;
  await revokeReceiptKey(book, RECEIPT_SECRET, { id, now: 6_000, by: BY });
  const after = logVerifierOf(await listPublishedKeys(book, RECEIPT_SECRET));
  expect(readCheckpoint(first, after)).toBe(null);
  expect(readCheckpoint(second, after)?.size).toBe(2);
});
