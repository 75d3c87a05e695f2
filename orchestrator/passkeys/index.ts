/** People's own keys: registered in a browser, and what is signed with them. */
export { createOwnKeyCheck, type TrustedKeys } from './check-own-keys.ts';
export {
  createKeyDecisions,
  KeyDecision,
  type KeyDecisionOutcome,
  type KeyDecisions,
  type OfferedDecision,
} from './decide-by-key.ts';
export { challengeOf, fingerprintOf, keyStatementOf } from './key-statement.ts';
export { createPasskeyStore, type Passkey, type PasskeyStore } from './passkey-store.ts';
export {
  keyOriginOf,
  NewPasskey,
  registerPasskey,
  registrationOptions,
  type KeyOrigin,
} from './register-passkey.ts';
export { isSignedByKey } from './verify-signature.ts';
