/** Reads the head of a call whose body alone is signed, by HMAC-SHA256 in a header (F5). */
import type { IncomingHttpHeaders } from 'node:http';
import type { HttpRefusal } from './delivery-headers.ts';
import { MAX_CALL_BYTES, TOO_LARGE } from './standard-webhooks.ts';

type SignedHead = { signature: Buffer; length: number | null };

export const readBodySignedHead = (
  { header, prefix }: { header: string; prefix: string },
  headers: IncomingHttpHeaders,
): SignedHead | HttpRefusal => {
  const given = headers[header];
  const hex = typeof given === 'string' && given.startsWith(prefix) ? given.slice(prefix.length) : '';
  if (!/^[0-9a-f]{64}$/i.test(hex))
    return {
      status: 401,
      error: `The header ${header} is missing, or is not ${prefix} and 32 bytes in hexadecimal.`,
    };
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length']);
  if (length !== null && !(length <= MAX_CALL_BYTES)) return { status: 413, error: TOO_LARGE };
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity')
    return { status: 415, error: 'The body must not be encoded: what is signed is what is sent.' };
  return { signature: Buffer.from(hex, 'hex'), length };
};
