/** Takes a new key of a person from their browser (G11). */
import { z } from 'zod';
import { loadWebauthn, loadWebauthnHelpers } from './load-webauthn.ts';
import type { Person } from '#model/order';
import type { PasskeyStore } from './passkey-store.ts';
import { fingerprintOf } from './key-statement.ts';

/** Where keys are made and used: `rpId` is the host name, for which they hold for ever. */
export type KeyOrigin = { origin: string; rpId: string };

/** Null where browsers have no keys: over plain HTTP, and at an address without a name. */
export const keyOriginOf = (address: string): KeyOrigin | null => {
  const { protocol, hostname, port, origin } = new URL(address);
  const isLocal = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  if (isLocal) return { origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}`, rpId: 'localhost' };
  const isName = /[a-z]/i.test(hostname) && !hostname.startsWith('[');
  return protocol === 'https:' && isName ? { origin, rpId: hostname } : null;
};

/** COSE: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/);
export const NewPasskey = z.strictObject({
  id: base64url.max(1_400),
  clientData: base64url.max(2_000),
  attestation: base64url.max(20_000),
});
export type NewPasskey = z.infer<typeof NewPasskey>;

type Registering = {
  passkeys: PasskeyStore;
  user: string;
  name: string;
  challenge: string;
  at: KeyOrigin;
};

/** What a browser is asked for (`PublicKeyCredentialCreationOptionsJSON`). */
export const registrationOptions = async ({ passkeys, user, name, challenge, at }: Registering) => {
  const { generateRegistrationOptions } = await loadWebauthn();
  const known = (await passkeys.of(user))?.keys ?? [];
  return generateRegistrationOptions({
    rpName: 'AgentPR',
    rpID: at.rpId,
    userName: name,
    userID: new Uint8Array(Buffer.from(passkeys.personOf(user))),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    attestationType: 'none',
    excludeCredentials: known.filter((key) => key.rpId === at.rpId).map((key) => ({ id: key.credential })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
};

/**
 * We ask for no attestation. Of one that comes all the same, the library would fetch what its
 * certificates name, from wherever a browser says.
 */
const isUnattested = async (attestation: string): Promise<boolean> => {
  const { decodeAttestationObject } = await loadWebauthnHelpers();
  try {
    const made = decodeAttestationObject(new Uint8Array(Buffer.from(attestation, 'base64url')));
    const format = made.get('fmt');
    return format === 'none' || (format === 'packed' && made.get('attStmt').get('x5c') === undefined);
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
};

export const registerPasskey = async (
  { passkeys, user, name, challenge, at }: Registering,
  { id, clientData, attestation }: NewPasskey,
  now: number,
  /** The link from the chat allows one key. */
  takeLink: () => Promise<boolean>,
): Promise<{ fingerprint: string } | 'refused' | 'used' | 'known' | 'too_many'> => {
  if (!(await isUnattested(attestation))) return 'refused';
  const { verifyRegistrationResponse } = await loadWebauthn();
  const verified = await verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: clientData, attestationObject: attestation },
    },
    expectedChallenge: challenge,
    expectedOrigin: at.origin,
    expectedRPID: at.rpId,
    // guard: G11-registered-by-person
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    if (error instanceof Error) return null;
    throw error;
  });
  if (!verified?.verified) return 'refused';
  if (!(await takeLink())) return 'used';
  const { credential, credentialBackedUp } = verified.registrationInfo;
  const publicKey = Buffer.from(credential.publicKey).toString('base64url');
  const by: Person = { id: user, name };
  const key = { credential: credential.id, publicKey, rpId: at.rpId, at: now, synced: credentialBackedUp };
  const added = await passkeys.add(user, key, by);
  return added === 'added' ? { fingerprint: fingerprintOf(publicKey) } : added;
};
