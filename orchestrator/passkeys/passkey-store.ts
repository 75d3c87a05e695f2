/** Keys of people, and whose they are (G11). They lie in the installation's log, with its MACs, like roles. */
import { z } from 'zod';
import { OwnKeySignature } from '#model/seal';
import type { Person } from '#model/order';
import type { Ledger } from '#ports/ledger';
import { computeMac } from '../kernel/runtime/content-hash.ts';
import { fingerprintOf } from './key-statement.ts';

const MAX_KEYS = 10;

const { credential, publicKey, rpId } = OwnKeySignature.shape;
const Passkey = z.strictObject({
  credential,
  publicKey,
  rpId,
  /** Epoch ms. */
  at: z.int(),
  /** The maker of the device keeps a copy, as iCloud and Google do. */
  synced: z.boolean(),
});
export type Passkey = z.infer<typeof Passkey>;
/** `name`: what the chat called its owner. */
const PersonKeys = z.strictObject({ name: z.string(), keys: z.array(Passkey).max(MAX_KEYS) });
type PersonKeys = z.infer<typeof PersonKeys>;

export type PasskeyStore = {
  /** Opaque; the same for all keys of one account. */
  personOf(user: string): string;
  of(user: string): Promise<PersonKeys | null>;
  add(user: string, key: Passkey, by: Person): Promise<'added' | 'known' | 'too_many'>;
  /** Returns false when there is no such key. */
  revoke(user: string, fingerprint: string, by: Person): Promise<boolean>;
};

type Parts = {
  ledger: Pick<Ledger, 'changeSetting'> & { query: Pick<Ledger['query'], 'setting'> };
  /** Without it nobody can tell whose id in the chat an opaque one is. */
  secret: Uint8Array;
};

const settingOf = (user: string): string => `passkeys:${user}`;

const parseKeys = (stored: string | null): PersonKeys | null =>
  stored === null ? null : PersonKeys.parse(JSON.parse(stored));

export const createPasskeyStore = ({ ledger, secret }: Parts): PasskeyStore => ({
  personOf: (user) => computeMac(secret, `person ${user}`, 22),
  of: async (user) => parseKeys(await ledger.query.setting(settingOf(user))),
  add: (user, key, by) =>
    ledger.changeSetting<'added' | 'known' | 'too_many'>(
      settingOf(user),
      (stored) => {
        const known = parseKeys(stored)?.keys ?? [];
        if (known.some((one) => one.credential === key.credential)) return { to: null, answer: 'known' };
        if (known.length >= MAX_KEYS) return { to: null, answer: 'too_many' };
        return { to: JSON.stringify({ name: by.name, keys: [...known, key] }), answer: 'added' };
      },
      by,
    ),
  revoke: (user, fingerprint, by) =>
    ledger.changeSetting(
      settingOf(user),
      (stored) => {
        const known = parseKeys(stored);
        const left = known?.keys.filter((one) => fingerprintOf(one.publicKey) !== fingerprint) ?? [];
        if (!known || left.length === known.keys.length) return { to: null, answer: false };
        return { to: JSON.stringify({ ...known, keys: left }), answer: true };
      },
      by,
    ),
});
