/** G12: the tree and its signed heads are those of RFC 9162 and C2SP, by their published vectors. */
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createMerkleTree,
  isConsistent,
  isIncluded,
  leafHashOf,
} from '../../orchestrator/receipts/merkle-tree.ts';
import { isSignedBy } from '../../orchestrator/receipts/receipt-keys.ts';
import { noteKeyText, openNote, signNote } from '../../orchestrator/receipts/signed-note.ts';

const read = <T>(name: string, schema: z.ZodType<T>): T =>
  schema.parse(
    JSON.parse(readFileSync(new URL(`../fixtures/transparency/${name}.json`, import.meta.url), 'utf8')),
  );
const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const texts = z.array(z.string());
const merkle = read(
  'merkle',
  z.object({
    leaves: texts,
    roots: texts,
    inclusion: z.array(z.object({ index: z.int(), size: z.int(), proof: texts })),
    consistency: z.array(z.object({ before: z.int(), size: z.int(), proof: texts })),
  }),
);
const vector = read(
  'note',
  z.object({ name: z.string(), key: z.string(), secret: z.string(), text: z.string(), note: z.string() }),
);
const tree = createMerkleTree();
for (const leaf of merkle.leaves) tree.append(leafHashOf(hex(leaf)));
const rootOf = (size: number): Buffer => hex(merkle.roots[size] ?? '');
const hexes = (hashes: readonly Uint8Array[]): string[] =>
  hashes.map((one) => Buffer.from(one).toString('hex'));

describe('the tree of RFC 9162', () => {
  it('G12: has the published roots at every size', () => {
    expect(merkle.roots.map((_, size) => Buffer.from(tree.root(size)).toString('hex'))).toEqual(merkle.roots);
  });

  it.each(merkle.inclusion)('G12: proves leaf $index of $size as published', ({ index, size, proof }) => {
    const leaf = leafHashOf(hex(merkle.leaves[index] ?? ''));
    expect(hexes(tree.inclusion(index, size))).toEqual(proof);
    const place = { index, size, proof: proof.map(hex), root: rootOf(size) };
    expect(isIncluded(leaf, place)).toBe(true);
    expect(isIncluded(leafHashOf(hex('ff')), place)).toBe(false);
    expect(isIncluded(leaf, { ...place, index: size })).toBe(false);
    expect(isIncluded(leaf, { ...place, root: rootOf(size - 1) })).toBe(false);
    expect(isIncluded(leaf, { ...place, proof: [...place.proof, leaf] })).toBe(false);
    if (proof.length > 0) expect(isIncluded(leaf, { ...place, proof: place.proof.slice(1) })).toBe(false);
  });

  it.each(merkle.consistency)('G12: proves $before in $size as published', ({ before, size, proof }) => {
    expect(hexes(tree.consistency(before, size))).toEqual(proof);
    const [old, now] = [
      { size: before, root: rootOf(before) },
      { size, root: rootOf(size) },
    ];
    expect(isConsistent(old, now, proof.map(hex))).toBe(true);
    expect(isConsistent({ ...old, root: rootOf(0) }, now, proof.map(hex))).toBe(false);
    expect(isConsistent(old, { ...now, root: rootOf(0) }, proof.map(hex))).toBe(false);
  });

  it('G12: proves every leaf and every earlier size of forty, and nothing beside it', () => {
    const many = createMerkleTree();
    const leaves = Array.from({ length: 40 }, (_, i) => leafHashOf(Buffer.from(`leaf ${i}`)));
    for (const leaf of leaves) many.append(leaf);
    for (let size = 1; size <= leaves.length; size += 1) {
      const root = many.root(size);
      for (let i = 0; i < size; i += 1) {
        const place = { index: i, size, proof: many.inclusion(i, size), root };
        const leaf = leaves[i] ?? root;
        expect([i, size, isIncluded(leaf, place)]).toEqual([i, size, true]);
        expect([i, size, isIncluded(leaf, { ...place, index: i + 1 })]).toEqual([i, size, false]);
        const old = { size: i, root: many.root(i) };
        const proof = many.consistency(i, size);
        expect([i, size, isConsistent(old, { size, root }, proof)]).toEqual([i, size, true]);
        expect([i, size, isConsistent({ ...old, root }, { size, root }, proof)]).toEqual([i, size, false]);
      }
    }
  });
});

/** DER of an Ed25519 private key, up to its seed (RFC 8410). */
const PREFIX = hex('302e020100300506032b657004220420');

describe('a signed note', () => {
  const publicKey = Buffer.from(vector.key.split('+').slice(2).join('+'), 'base64').subarray(1);
  const published = {
    id: '0'.repeat(16),
    publicKey: publicKey.toString('base64url'),
    from: '',
    until: null,
    revokedAt: null,
  };
  const key = {
    name: vector.name,
    publicKey,
    verify: (text: Uint8Array, signature: Uint8Array) =>
      isSignedBy(published, text, Buffer.from(signature).toString('base64url')),
  };

  it('G12: is signed, and its key written, byte for byte as the reference does', () => {
    const seed = Buffer.from(vector.secret, 'base64').subarray(1);
    const secret = createPrivateKey({ key: Buffer.concat([PREFIX, seed]), format: 'der', type: 'pkcs8' });
    const signer = { ...key, sign: (bytes: Uint8Array) => sign(null, bytes, secret) };
    expect(signNote(vector.text, signer)).toBe(vector.note);
    expect(noteKeyText(key)).toBe(vector.key);
  });

  it('G12: opens with its key, whoever else has signed it', () => {
    expect(openNote(vector.note, [key])).toBe(vector.text);
    expect(openNote(`${vector.note}— somebody ABCDEFGH\n`, [key])).toBe(vector.text);
    expect(openNote(vector.note, [])).toBe(null);
    expect(openNote(vector.note, [{ ...key, name: 'other' }])).toBe(null);
  });

  it('G12: does not open when a character is changed, taken out or put in', () => {
    for (let at = 0; at < vector.note.length; at += 1) {
      const [before, after] = [vector.note.slice(0, at), vector.note.slice(at + 1)];
      for (const put of ['', 'B', '\u0000'])
        if (put !== vector.note[at])
          expect([at, put, openNote(`${before}${put}${after}`, [key])]).toEqual([at, put, null]);
    }
    expect(openNote(vector.note.slice(0, -1), [key])).toBe(null);
    // Spare bits of the last character would be a second form of the same signature.
    expect(openNote(vector.note.replace('nAM=', 'nAN='), [key])).toBe(null);
    // A false signature of a known key is worse than none.
    const [line = ''] = vector.note.split('\n').slice(-2);
    expect(openNote(`${vector.note}${line.replace('x08go/Z', 'x08go/A')}\n`, [key])).toBe(null);
  });
});
