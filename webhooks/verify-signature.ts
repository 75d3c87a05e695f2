/** Verifies HMAC SHA-256 over the raw body, in constant time (F2). */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

/** Shorter secrets can be guessed (characters). */
export const SHORTEST_SECRET = 16;
const PREFIX = 'sha256=';

export type VerifySignature = (body: readonly Uint8Array[], signature: Uint8Array) => boolean;

/** X-Hub-Signature-256 (GitHub, "Validating webhook deliveries"). */
export const signPayload = (secret: string, body: string | Uint8Array): string =>
  PREFIX + createHmac('sha256', secret).update(body).digest('hex');

export const parseSignatureHeader = (header: string | string[] | undefined): Buffer | null =>
  typeof header === 'string' && /^sha256=[0-9a-f]{64}$/i.test(header)
    ? Buffer.from(header.slice(PREFIX.length), 'hex')
    : null;

/** Accepts any of the secrets. Throws when there is none or one is too short. */
export const createSignatureVerifier = (secrets: readonly string[]): VerifySignature => {
  if (secrets.length === 0 || secrets.some((secret) => secret.trim().length < SHORTEST_SECRET)) {
    throw new Error(
      `The webhook secret is missing or shorter than ${SHORTEST_SECRET} characters. ` +
        'Make one with `openssl rand -hex 32`, and set it here and on GitHub.',
    );
  }
  const keys = secrets.map((secret) => createSecretKey(secret, 'utf8'));
  return (body, signature) => {
    let known = false;
    for (const key of keys) {
      const hmac = createHmac('sha256', key);
      for (const piece of body) hmac.update(piece);
      const ours = hmac.digest();
      if (ours.length === signature.length && timingSafeEqual(ours, signature)) known = true;
    }
    return known;
  };
};
