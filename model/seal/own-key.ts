/** A signature by an approver's own key (WebAuthn), and the text whose digest it signs (G11). */
import { z } from 'zod';

const bytesSchema = (mostCharacters: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .max(mostCharacters);

/** Fields are base64url, as WebAuthn has them; receipts publish all of it. */
export const OwnKeySignature = z.strictObject({
  /** Opaque id of the person, alike for all keys of theirs; no chat id. */
  person: bytesSchema(43),
  credential: bytesSchema(1_400),
  /** COSE, as the authenticator gave it. */
  publicKey: bytesSchema(1_200),
  /** Host name that the key was registered for. */
  rpId: z
    .string()
    .regex(/^[a-z0-9.-]+$/)
    .max(253),
  authenticatorData: bytesSchema(2_000),
  clientData: bytesSchema(2_000),
  signature: bytesSchema(1_000),
});
export type OwnKeySignature = z.infer<typeof OwnKeySignature>;

const OWN_KEY_ACTIONS = ['push', 'open_pr', 'deny', 'changes', 'ask'] as const;
export type OwnKeyAction = (typeof OWN_KEY_ACTIONS)[number];

/** Digests are SHA-256 in hexadecimal. Strangers can make each of them from a pull request and its receipt. */
export type OwnKeyStatement = {
  run: string;
  action: OwnKeyAction;
  person: string;
  approval: string;
  seal: string;
  repo: string;
  base: string;
  commit: string;
  /** Null for a push, which publishes no title. */
  title: string | null;
  body: string;
  /** What somebody wrote with a refusal; null for an approval. */
  words: string | null;
};

/** The first part keeps a signature from being taken for one of another protocol or version. */
export const ownKeyText = (statement: OwnKeyStatement): string =>
  JSON.stringify([
    'agentpr/approve/v1',
    // guard: G11-statement
    ...[statement.run, statement.action, statement.person, statement.approval, statement.seal],
    ...[statement.repo, statement.base, statement.commit, statement.title, statement.body],
    statement.words,
  ]);
