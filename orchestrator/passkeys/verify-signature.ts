/** Checks a signature of WebAuthn by nothing but its own fields and the text that it should sign (G11). */
import { z } from 'zod';
import { loadWebauthn } from './load-webauthn.ts';
import type { OwnKeySignature, OwnKeyStatement } from '#model/seal';
import { challengeOf } from './key-statement.ts';

const ClientData = z.object({ origin: z.url().max(300) });

const readOrigin = (clientData: string): string | null => {
  try {
    const text = Buffer.from(clientData, 'base64url').toString();
    return ClientData.safeParse(JSON.parse(text)).data?.origin ?? null;
  } catch {
    return null;
  }
};

/** WebAuthn, "Relying Party Identifier": the origin's host, or a domain above it. */
const isOriginOf = (origin: string, rpId: string): boolean => {
  const { protocol, hostname } = new URL(origin);
  if (protocol !== 'https:' && hostname !== 'localhost') return false;
  return hostname === rpId || hostname.endsWith(`.${rpId}`);
};

/** `origin`: where it has to come from; without one, from anywhere below its `rpId`. */
export const isSignedByKey = async (
  signature: OwnKeySignature,
  statement: OwnKeyStatement,
  origin?: string,
): Promise<boolean> => {
  const from = readOrigin(signature.clientData);
  // guard: G11-origin
  if (from === null || !isOriginOf(from, signature.rpId) || (origin !== undefined && from !== origin))
    return false;
  const { verifyAuthenticationResponse } = await loadWebauthn();
  const { credential: id } = signature;
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          authenticatorData: signature.authenticatorData,
          clientDataJSON: signature.clientData,
          signature: signature.signature,
        },
      },
      // guard: G11-challenge
      expectedChallenge: challengeOf(statement),
      expectedOrigin: from,
      expectedRPID: signature.rpId,
      // Synced keys count nothing; a decision is used once by its approval.
      credential: {
        id,
        publicKey: new Uint8Array(Buffer.from(signature.publicKey, 'base64url')),
        counter: 0,
      },
      // guard: G11-person-verified
      requireUserVerification: true,
    });
    return verified;
  } catch (error) {
    // The library throws an Error for everything that does not hold.
    if (error instanceof Error) return false;
    throw error;
  }
};
