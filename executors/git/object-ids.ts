/** Computes ids of git objects: SHA-1, or SHA-256 in repositories that use it. */
import { createHash } from 'node:crypto';

export const OBJECT_ID = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

export const requireSha = (sha: string): string => {
  if (!OBJECT_ID.test(sha)) throw new Error(`"${sha}" is not a commit id.`);
  return sha;
};

export const createObjectHash = (type: string, size: number, idLength: number) =>
  createHash(idLength === 64 ? 'sha256' : 'sha1').update(`${type} ${size}\0`);

export const objectId = (type: string, bytes: Uint8Array, idLength = 40): string =>
  createObjectHash(type, bytes.length, idLength).update(bytes).digest('hex');
