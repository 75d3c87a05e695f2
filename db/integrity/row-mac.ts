/** MACs over columns of a row, by a key outside the database (L5). */
import { hash, timingSafeEqual, type KeyObject } from 'node:crypto';

export type RowMac = (table: string, columns: readonly string[], row: object) => string;

export const createRowMac = (key: KeyObject): RowMac => {
  // BLAKE2b takes a key prefix without HMAC (RFC 7693, 2.9).
  const prefix = hash('blake2b512', `agentpr rows 1 ${key.export().toString('hex')}`);
  return (table, columns, row) => {
    let text = `${prefix}${table}:`;
    for (const column of columns) text += encodeValue((row as Record<string, unknown>)[column]);
    return hash('blake2b512', text).slice(0, 64);
  };
};

/** Length prefixes: no two rows give the same text. */
const encodeValue = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'number') return `${value};`;
  return typeof value === 'string' ? `${value.length}"${value}` : '?';
};

export const isSameRowMac = (left: string, right: unknown): boolean =>
  typeof right === 'string' &&
  left.length === right.length &&
  timingSafeEqual(Buffer.from(left), Buffer.from(right));
