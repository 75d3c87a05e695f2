/** Verifies calls by Standard Webhooks (F5). */
import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { MINUTE, SECOND } from '#model/values';
import type { HttpRefusal } from './delivery-headers.ts';

/** Standard Webhooks, "Signature scheme": 24 to 64 bytes in base64. */
const SECRET = /^(?:whsec_)?([A-Za-z0-9+/_-]{32,88}={0,2})$/;
const LEAST_BYTES = 24;

export const parseWebhookKey = (secret: string): KeyObject | null => {
  const bytes = Buffer.from(SECRET.exec(secret.trim())?.[1] ?? '', 'base64');
  return bytes.length < LEAST_BYTES ? null : createSecretKey(bytes);
};

/** Maximum size (bytes), enough for thousands of repositories. */
export const MAX_CALL_BYTES = 256 * 1024;
export const TOO_LARGE = 'The body may have 256 KB.';
const CLOCK_TOLERANCE_LIMIT_MS = 5 * MINUTE;
/** Callers may sign with both secrets during a rotation. */
const MOST_SIGNATURES = 4;

/**
 * Stable across retries. Begins with the webhook's name, as the URL is not signed; no dots, which
 * separate the signed parts.
 */
type CallHead = { id: string; at: string; signatures: Buffer[]; length: number | null };

const createRefusal = (status: number, error: string): HttpRefusal => ({ status, error });

export const readCallHead = (
  name: string,
  headers: IncomingHttpHeaders,
  now: number,
): CallHead | HttpRefusal => {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given } = headers;
  const signed = typeof given === 'string' ? given.split(' ').slice(0, MOST_SIGNATURES) : [];
  const signatures = signed.flatMap((one) => {
    const [, text] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(one) ?? [];
    return text === undefined ? [] : [Buffer.from(text, 'base64')];
  });
  if (signatures.length === 0)
    return createRefusal(
      401,
      'The header webhook-signature is missing, or is not v1, and 32 bytes in base64.',
    );
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(id))
    return createRefusal(
      400,
      'The header webhook-id is missing, or has other signs than letters, digits, _ and -.',
    );
  // guard: F2-hook-name-signed
  if (!id.startsWith(`${name}_`))
    return createRefusal(
      401,
      `The header webhook-id must begin with ${name}_, so that the signature is for this webhook alone.`,
    );
  if (typeof at !== 'string' || !/^\d{1,12}$/.test(at))
    return createRefusal(400, 'The header webhook-timestamp is missing, or is not the seconds since 1970.');
  if (Math.abs(now - Number(at) * SECOND) > CLOCK_TOLERANCE_LIMIT_MS)
    return createRefusal(401, 'The header webhook-timestamp is more than five minutes away from now.');
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length']);
  if (length !== null && !(length <= MAX_CALL_BYTES)) return createRefusal(413, TOO_LARGE);
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity')
    return createRefusal(415, 'The body must not be encoded: what is signed is what is sent.');
  return { id, at, signatures, length };
};

export const isCallSigned = (
  keys: readonly KeyObject[],
  { id, at, signatures }: Pick<CallHead, 'id' | 'at' | 'signatures'>,
  body: readonly Uint8Array[],
): boolean => {
  let known = false;
  for (const key of keys) {
    const hmac = createHmac('sha256', key).update(`${id}.${at}.`);
    for (const piece of body) hmac.update(piece);
    const ours = hmac.digest();
    for (const theirs of signatures)
      if (ours.length === theirs.length && timingSafeEqual(ours, theirs)) known = true;
  }
  return known;
};
