/** L5: marks: a MAC over every column of a row, by the key outside the database. Who writes beside the ledger cannot make one. */
import { hash, timingSafeEqual, type KeyObject } from 'node:crypto';

export type Seal = (table: string, columns: readonly string[], row: object) => Mark;
export type Mark = {
  /** Stored with the row. */
  mark: string;
  /** What the row adds to the books. Never stored, so that nobody can do sums with it. */
  share: bigint;
};

/** Columns whose every byte is covered; a table's name is part of its marks. */
export const createSeal = (key: KeyObject): Seal => {
  // One block of BLAKE2b, which needs no HMAC around it: a key in front is enough (RFC 7693, 2.9).
  const prefix = hash('blake2b512', `agentpr rows 1 ${key.export().toString('hex')}`);
  return (table, columns, row) => {
    let text = `${prefix}${table}:`;
    for (const column of columns) text += piece((row as Record<string, unknown>)[column]);
    const digest = hash('blake2b512', text);
    return { mark: digest.slice(0, 64), share: BigInt(`0x${digest.slice(64)}`) };
  };
};

/** Lengths first: no two rows give the same text. */
const piece = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'number') return `${value};`;
  // A blob or anything else is never ours.
  return typeof value === 'string' ? `${value.length}"${value}` : '?';
};

export const sameMark = (a: string, b: unknown): boolean =>
  typeof b === 'string' && a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
