/** Checks that enough people signed exactly this with keys of their own that are trusted (G11). */
import { needsOwnKey } from '#model/assessment';
import type { OwnKeyFault } from '#model/failure';
import type { CheckOwnKeys, OwnKeyApproval } from '#ports/records';
import type { SignedByKey } from '../kernel/run/run.ts';
import { fingerprintOf, keyStatementOf } from './key-statement.ts';
import type { PasskeyStore } from './passkey-store.ts';
import { isSignedByKey } from './verify-signature.ts';

/** `registered`: each that the ledger has. Whoever can write the ledger could then add one of their own. */
export type TrustedKeys = 'registered' | readonly string[];

type Parts = { passkeys: Pick<PasskeyStore, 'of' | 'personOf'>; trusted: TrustedKeys };

export const createOwnKeyCheck = ({ passkeys, trusted }: Parts): CheckOwnKeys => {
  const faultOf = async (
    approval: OwnKeyApproval,
    { by, signature }: SignedByKey,
  ): Promise<OwnKeyFault | null> => {
    const keys = (await passkeys.of(by))?.keys ?? [];
    const known = keys.some(
      (key) =>
        key.credential === signature.credential &&
        key.publicKey === signature.publicKey &&
        key.rpId === signature.rpId,
    );
    // guard: G11-registered
    if (!known || signature.person !== passkeys.personOf(by)) return 'unknown_key';
    const mustBeNamed = needsOwnKey(approval.proposal.fields.assessment) && trusted !== 'registered';
    // guard: G11-named-outside
    if (mustBeNamed && !trusted.includes(fingerprintOf(signature.publicKey))) return 'untrusted_key';
    // guard: G11-signature
    return (await isSignedByKey(signature, keyStatementOf(approval, signature.person)))
      ? null
      : 'wrong_signature';
  };
  return async (approval, signatures, needed) => {
    for (const one of signatures) {
      const fault = await faultOf(approval, one);
      if (fault !== null) return fault;
    }
    const people = new Set(signatures.map(({ signature }) => signature.person));
    // guard: G11-enough
    return people.size < Math.max(1, needed) ? 'too_few' : null;
  };
};
