/** Verifies the `initData` of a Mini App. Telegram, "Validating data received via the Mini App". */
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { z } from 'zod';
import { DAY, MINUTE, SECOND } from '#model/values';

/** Telegram Desktop sends the same `initData` for a day after a reload. */
const MAX_AGE_MS = DAY;
const MAX_CLOCK_SKEW_MS = 10 * MINUTE;
/** Telegram's public key; the one of its test servers, which have other people, is refused. */
const TELEGRAM_KEY = 'e7bf03a2fa4602af4580703d88dda5bb59f32ed8b02a56c187fe7d34caed242d';

const User = z.object({ id: z.number().int().positive() });

type ProvenUser = { user: string; proof: string; until: number };

const dataCheckText = (pairs: readonly (readonly [string, string])[], without: readonly string[]): string =>
  pairs
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('\n');

type Pairs = readonly (readonly [string, string])[];
const hasOurHash = (pairs: Pairs, hash: string, token: string): boolean => {
  if (!/^[0-9a-f]{64}$/.test(hash)) return false;
  const key = createHmac('sha256', 'WebAppData').update(token).digest();
  const made = createHmac('sha256', key)
    .update(dataCheckText(pairs, ['hash']))
    .digest();
  return timingSafeEqual(made, Buffer.from(hash, 'hex'));
};
const hasTelegramsSignature = (pairs: Pairs, signature: string, token: string): boolean => {
  const [bot = ''] = token.split(':');
  const key = createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(TELEGRAM_KEY, 'hex').toString('base64url') },
  });
  const text = `${bot}:WebAppData\n${dataCheckText(pairs, ['hash', 'signature'])}`;
  const bytes = Buffer.from(signature, 'base64url');
  return bytes.length === 64 && verify(null, Buffer.from(text), key, bytes);
};

/** Returns null for data that is forged or of another bot, and `expired` for proven data that is old. */
export const verifyInitData = (
  initData: string,
  token: string,
  now: number,
): ProvenUser | 'expired' | null => {
  const pairs = [...new URLSearchParams(initData)];
  const fields = new Map(pairs);
  if (fields.size !== pairs.length) return null;
  const hash = fields.get('hash') ?? '';
  const signature = fields.get('signature') ?? '';
  // guard: O5-init-data
  if (!hasOurHash(pairs, hash, token) && !hasTelegramsSignature(pairs, signature, token)) return null;
  const at = Number(fields.get('auth_date')) * SECOND;
  // guard: O5-init-data-age
  if (!(at > now - MAX_AGE_MS && at < now + MAX_CLOCK_SKEW_MS)) return at < now ? 'expired' : null;
  const user = User.safeParse(jsonOrNull(fields.get('user') ?? '')).data;
  const proof = dataCheckText(pairs, ['hash', 'signature']);
  return user ? { user: String(user.id), proof, until: at + MAX_AGE_MS + MAX_CLOCK_SKEW_MS } : null;
};

const jsonOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
