/** RFC 9162, section 2.1: Merkle tree over published decisions, and its proofs (G12). */
import { createHash } from 'node:crypto';

export type Hash = Uint8Array;
/** Larger trees do not fit into the integers of the proofs. */
export const MAX_TREE_SIZE = 2 ** 31 - 1;

const hashOf = (...parts: readonly Uint8Array[]): Hash => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);
export const EMPTY_ROOT: Hash = hashOf();
export const leafHashOf = (entry: Uint8Array): Hash => hashOf(LEAF, entry);
const nodeHashOf = (left: Hash, right: Hash): Hash => hashOf(NODE, left, right);
const isSameHash = (one: Hash, other: Hash): boolean => Buffer.compare(one, other) === 0;

/** Largest power of two below the size. */
const splitOf = (size: number): number => 2 ** (31 - Math.clz32(size - 1));

export type MerkleTree = {
  readonly size: number;
  append(leaf: Hash): void;
  /** Roots and proofs are of the tree as it was at that size. */
  root(size: number): Hash;
  inclusion(index: number, size: number): Hash[];
  consistency(before: number, size: number): Hash[];
};

export const createMerkleTree = (): MerkleTree => {
  /** Complete subtrees: by level, then from the left. */
  const levels: Hash[][] = [[]];
  const wholeAt = (level: number, index: number): Hash => {
    const hash = levels[level]?.[index];
    if (hash === undefined) throw new RangeError('this is outside of the tree');
    return hash;
  };
  const append = (leaf: Hash): void => {
    let hash = leaf;
    for (let level = 0; ; level += 1) {
      const row = (levels[level] ??= []);
      row.push(hash);
      if (row.length % 2 === 1) return;
      hash = nodeHashOf(wholeAt(level, row.length - 2), hash);
    }
  };
  const rangeHash = (from: number, to: number): Hash => {
    const size = to - from;
    if (size === 0) return EMPTY_ROOT;
    const level = Math.log2(size);
    if (Number.isInteger(level) && from % size === 0) return wholeAt(level, from / size);
    const middle = from + splitOf(size);
    return nodeHashOf(rangeHash(from, middle), rangeHash(middle, to));
  };
  /** RFC 9162, 2.1.3.1. */
  const pathOf = (index: number, from: number, to: number): Hash[] => {
    if (to - from === 1) return [];
    const middle = from + splitOf(to - from);
    return index < middle
      ? [...pathOf(index, from, middle), rangeHash(middle, to)]
      : [...pathOf(index, middle, to), rangeHash(from, middle)];
  };
  /** RFC 9162, 2.1.4.1; `known`: the reader has the hash of this part. */
  const partsOf = (before: number, from: number, to: number, { known }: { known: boolean }): Hash[] => {
    if (before === to) return known ? [] : [rangeHash(from, to)];
    const middle = from + splitOf(to - from);
    return before <= middle
      ? [...partsOf(before, from, middle, { known }), rangeHash(middle, to)]
      : [...partsOf(before, middle, to, { known: false }), rangeHash(from, middle)];
  };
  return {
    get size() {
      return levels[0]?.length ?? 0;
    },
    append,
    root: (size) => rangeHash(0, size),
    inclusion: (index, size) => pathOf(index, 0, size),
    consistency: (before, size) =>
      before === 0 || before === size ? [] : partsOf(before, 0, size, { known: true }),
  };
};

const isOdd = (n: number): boolean => n % 2 === 1;

/** RFC 9162, 2.1.3.2. */
export const isIncluded = (
  leaf: Hash,
  { index, size, proof, root }: { index: number; size: number; proof: readonly Hash[]; root: Hash },
): boolean => {
  // guard: G12-index-inside
  if (index >= size) return false;
  let [at, last, hash] = [index, size - 1, leaf];
  for (const part of proof) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      hash = nodeHashOf(part, hash);
      for (; !isOdd(at) && at !== 0; at >>= 1) last >>= 1;
    } else hash = nodeHashOf(hash, part);
    at >>= 1;
    last >>= 1;
  }
  // guard: G12-inclusion
  return last === 0 && isSameHash(hash, root);
};

type Head = { size: number; root: Hash };

/** RFC 9162, 2.1.4.2: the first leaves of `after` are exactly those of `before`. */
export const isConsistent = (before: Head, after: Head, proof: readonly Hash[]): boolean => {
  if (before.size > after.size) return false;
  if (before.size === after.size) return proof.length === 0 && isSameHash(before.root, after.root);
  if (before.size === 0) return proof.length === 0 && isSameHash(before.root, EMPTY_ROOT);
  const whole = Number.isInteger(Math.log2(before.size));
  const [first, ...rest] = whole ? [before.root, ...proof] : proof;
  if (!first) return false;
  let [at, last] = [before.size - 1, after.size - 1];
  for (; isOdd(at); at >>= 1) last >>= 1;
  let [old, now] = [first, first];
  for (const part of rest) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      old = nodeHashOf(part, old);
      now = nodeHashOf(part, now);
      for (; !isOdd(at) && at !== 0; at >>= 1) last >>= 1;
    } else now = nodeHashOf(now, part);
    at >>= 1;
    last >>= 1;
  }
  // guard: G12-consistency
  return last === 0 && isSameHash(old, before.root) && isSameHash(now, after.root);
};
