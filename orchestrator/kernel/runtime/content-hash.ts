/** Hashes and MACs of canonical JSON. The core only compares digests. */
import { createHmac, createSecretKey, hash, timingSafeEqual, type KeyObject } from 'node:crypto';
import { canonicalJson, type SealFields } from '#model/seal';
import type { ReplyFields } from '#model/review';

export const sha256Hex = (text: string | Uint8Array): string => hash('sha256', text);

// guard: G2-seal
export const sealFields = <F extends SealFields | ReplyFields>(fields: F): { digest: string; fields: F } => ({
  digest: sha256Hex(canonicalJson(fields)),
  fields,
});

/** Cached, as preparing a key costs more than a MAC. */
const prepared = new WeakMap<Uint8Array, KeyObject>();
const prepareKey = (key: Uint8Array): KeyObject => {
  const known = prepared.get(key) ?? createSecretKey(key);
  prepared.set(key, known);
  return known;
};

/** HMAC-SHA-256 in base64url, cut to `length` characters (11 characters are 66 bits). */
export const computeMac = (key: Uint8Array, text: string, length = 43): string =>
  createHmac('sha256', prepareKey(key)).update(text).digest('base64url').slice(0, length);

export const isSameMac = (mac: string, otherMac: string): boolean => {
  const left = Buffer.from(mac);
  const right = Buffer.from(otherMac);
  return left.length === right.length && timingSafeEqual(left, right);
};
