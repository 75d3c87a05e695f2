/** Ed25519 keys of receipts, made from the installation's secret; the ledger keeps their periods (G9). */
import { createHmac, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { isReceiptPage } from '#pull-text';
import { z } from 'zod';
import { noteKeyText, type NoteKey, type NoteVerifier } from './signed-note.ts';
import type { Person } from '#model/order';
import type { Ledger } from '#ports/ledger';
import { sha256Hex } from '../kernel/runtime/content-hash.ts';

/** Times in epoch ms. A retired key still confirms what it signed; a revoked one nothing since then. */
const KeyPeriod = z.strictObject({
  number: z.int().min(1),
  from: z.int(),
  until: z.int().nullable(),
  revokedAt: z.int().nullable(),
});
const KeyPeriods = z.array(KeyPeriod).min(1);
type KeyPeriod = z.infer<typeof KeyPeriod>;

/** What `/.well-known/agentpr.json` holds: all that somebody else needs to check a receipt. */
export const PublishedKeys = z.object({
  agentpr: z.literal('receipt keys 1'),
  keys: z
    .array(
      z.object({
        id: z.string().regex(/^[0-9a-f]{16}$/),
        /** Raw Ed25519 public key, base64url. */
        publicKey: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
        /** G12: the same for tools that read signed notes, such as heads of the log. */
        noteKey: z.string().max(300).exactOptional(),
        from: z.iso.datetime(),
        until: z.iso.datetime().nullable(),
        revokedAt: z.iso.datetime().nullable(),
      }),
    )
    .min(1)
    .max(200),
  /** G11: fingerprints of the keys of approvers that the operator names. */
  approvers: z
    .array(z.string().regex(/^[0-9a-f]{32}$/))
    .max(200)
    .exactOptional(),
});
export type PublishedKeys = z.infer<typeof PublishedKeys>;

export type ReceiptSigner = {
  /** G7: key of the MAC, which only this installation can check. */
  mac: Uint8Array;
  /** G9: signs with the key that was in force at the time; null when there was none. */
  signAt: (
    at: number,
    bytes: (keyId: string) => Uint8Array,
  ) => Promise<{ key: string; signature: string } | null>;
  /** Address of the page for maintainers at that time; null where nobody outside could reach one. */
  pageAt: (at: number) => Promise<string | null>;
};

const PERIODS_SETTING = 'receipt_keys';
const PAGE_SETTING = 'receipt_page';
export const RECEIPT_PAGE_PATH = '/receipts';
/** DER of an Ed25519 private and public key, up to its 32 bytes (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

const privateKey = (secret: Uint8Array, number: number): KeyObject => {
  const seed = createHmac('sha256', secret).update(`receipt key ${number}`).digest();
  return createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' });
};
const rawPublicKey = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length);
const keyIdOf = (raw: Uint8Array): string => sha256Hex(raw).slice(0, 16);

type KeyLedger = Pick<Ledger, 'changeSetting'> & { query: Pick<Ledger['query'], 'setting'> };

const parsePeriods = (text: string | null): KeyPeriod[] =>
  text === null ? [] : KeyPeriods.parse(JSON.parse(text));
const readPeriods = async ({ query }: Pick<KeyLedger, 'query'>): Promise<KeyPeriod[]> =>
  parsePeriods(await query.setting(PERIODS_SETTING));
/** Gives whether something was changed; `change` gives null where nothing is to be. */
const changePeriods = (
  ledger: KeyLedger,
  change: (periods: readonly KeyPeriod[]) => readonly KeyPeriod[] | null,
  by: Person | null,
): Promise<boolean> =>
  ledger.changeSetting(
    PERIODS_SETTING,
    (before) => {
      const periods = change(parsePeriods(before));
      return { to: periods && JSON.stringify(periods), answer: periods !== null };
    },
    by,
  );

/** Begins the first key; a later start changes nothing. */
export const ensureReceiptKey = async (ledger: KeyLedger, now: number): Promise<void> => {
  const first = { number: 1, from: now, until: null, revokedAt: null };
  await changePeriods(ledger, (periods) => (periods.length === 0 ? [first] : null), null);
};

/** An empty `page`: nobody outside could reach one. The newest is last. */
const PagePeriods = z.array(z.strictObject({ from: z.int(), page: z.string() }));
const MAX_PAGE_PERIODS = 50;
const parsePages = (text: string | null): z.infer<typeof PagePeriods> =>
  text === null ? [] : PagePeriods.parse(JSON.parse(text));
const readPages = async ({ query }: Pick<KeyLedger, 'query'>): Promise<z.infer<typeof PagePeriods>> =>
  parsePages(await query.setting(PAGE_SETTING));

/** Workers open pull requests too and know no public address, so the ledger keeps it. */
export const setReceiptPage = async (
  ledger: KeyLedger,
  publicUrl: string | null,
  now: number,
): Promise<void> => {
  const address = publicUrl === null ? '' : `${new URL(publicUrl).origin}${RECEIPT_PAGE_PATH}`;
  const page = isReceiptPage(address) ? address : '';
  await ledger.changeSetting(PAGE_SETTING, (before) => {
    const pages = parsePages(before);
    const isSame = (pages.at(-1)?.page ?? '') === page;
    const kept = [...pages, { from: now, page }].slice(-MAX_PAGE_PERIODS);
    return { to: isSame ? null : JSON.stringify(kept), answer: undefined };
  });
};

const rotateKeys = (periods: readonly KeyPeriod[], now: number): KeyPeriod[] => [
  ...periods.map((period) => ({ ...period, until: period.until ?? now })),
  {
    number: Math.max(0, ...periods.map(({ number }) => number)) + 1,
    from: now,
    until: null,
    revokedAt: null,
  },
];

export const rotateReceiptKey = async (ledger: KeyLedger, now: number, by: Person): Promise<void> => {
  await changePeriods(ledger, (periods) => rotateKeys(periods, now), by);
};

/** Revokes a key, and begins a new one where it was in force. False for an unknown key. */
export const revokeReceiptKey = async (
  ledger: KeyLedger,
  secret: Uint8Array,
  { id, now, by }: { id: string; now: number; by: Person },
): Promise<boolean> =>
  changePeriods(
    ledger,
    (periods) => {
      const revoked = periods.find(({ number }) => keyIdOf(rawPublicKey(privateKey(secret, number))) === id);
      if (!revoked) return null;
      const marked = periods.map((one) =>
        one === revoked ? { ...one, revokedAt: one.revokedAt ?? now } : one,
      );
      return revoked.until === null ? rotateKeys(marked, now) : marked;
    },
    by,
  );

/** Stays when keys change, so that heads of one log can be compared. */
const originOf = (firstKey: string): string => `agentpr/${firstKey}`;

export const listPublishedKeys = async (
  ledger: Pick<KeyLedger, 'query'>,
  secret: Uint8Array,
): Promise<PublishedKeys> => {
  const periods = await readPeriods(ledger);
  const rawOf = (number: number): Buffer => rawPublicKey(privateKey(secret, number));
  const name = originOf(keyIdOf(rawOf(periods[0]?.number ?? 1)));
  const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
  return {
    agentpr: 'receipt keys 1',
    keys: periods.map(({ number, from, until, revokedAt }) => {
      const publicKey = rawOf(number);
      return {
        id: keyIdOf(publicKey),
        publicKey: publicKey.toString('base64url'),
        noteKey: noteKeyText({ name, publicKey }),
        from: new Date(from).toISOString(),
        until: iso(until),
        revokedAt: iso(revokedAt),
      };
    }),
  };
};

export const createReceiptSigner = (
  { mac, secret }: { mac: Uint8Array; secret: Uint8Array },
  ledger: Pick<KeyLedger, 'query'>,
): ReceiptSigner => ({
  mac,
  pageAt: async (at) => {
    // guard: G9-page-at-approval
    const page = (await readPages(ledger)).findLast(({ from }) => from <= at)?.page ?? '';
    return isReceiptPage(page) ? page : null;
  },
  signAt: async (at, bytes) => {
    const periods = await readPeriods(ledger);
    const period = periods.find(
      (one) => one.from <= at && at < (one.until ?? Infinity) && one.revokedAt === null,
    );
    if (!period) return null;
    const key = privateKey(secret, period.number);
    const id = keyIdOf(rawPublicKey(key));
    return { key: id, signature: sign(null, bytes(id), key).toString('base64url') };
  },
});

/** G12: the key that signs heads now; null before the first one. */
export const findLogSigner = async (
  ledger: Pick<KeyLedger, 'query'>,
  secret: Uint8Array,
): Promise<(NoteKey & { sign: (bytes: Uint8Array) => Uint8Array }) | null> => {
  const periods = await readPeriods(ledger);
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last) return null;
  const raw = (number: number): Buffer => rawPublicKey(privateKey(secret, number));
  return {
    name: originOf(keyIdOf(raw(first.number))),
    publicKey: raw(last.number),
    sign: (bytes) => sign(null, bytes, privateKey(secret, last.number)),
  };
};

/** G12: what signs heads of the operator's log, as their published keys say. */
export const logVerifierOf = ({ keys }: PublishedKeys): { origin: string; keys: NoteVerifier[] } => {
  const origin = originOf(keys[0]?.id ?? '');
  return {
    origin,
    // guard: G12-revoked
    keys: keys
      .filter(({ revokedAt }) => revokedAt === null)
      .map((key) => ({
        name: origin,
        publicKey: Buffer.from(key.publicKey, 'base64url'),
        verify: (text, signature) => isSignedBy(key, text, Buffer.from(signature).toString('base64url')),
      })),
  };
};

export const isSignedBy = (
  { publicKey }: PublishedKeys['keys'][number],
  text: Uint8Array,
  signature: string,
): boolean => {
  const raw = Buffer.from(publicKey, 'base64url');
  const bytes = Buffer.from(signature, 'base64url');
  // Spare bits of the last character would be a second form of the same signature.
  // guard: G9-one-form
  if (bytes.toString('base64url') !== signature) return false;
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, raw]), format: 'der', type: 'spki' });
  return verify(null, text, key, bytes);
};
