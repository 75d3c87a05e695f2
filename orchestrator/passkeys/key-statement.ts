/** The statement that an approver's key signs: the digest of a text that strangers can write down, too (G11). */
import { normalizeBody } from '#pull-text';
import { ownKeyText, type OwnKeyStatement } from '#model/seal';
import type { OwnKeyApproval } from '#ports/records';
import { sha256Hex } from '../kernel/runtime/content-hash.ts';
import { repositoryOf } from '../kernel/run/run.ts';

export const titleDigest = (title: string): string => sha256Hex(title.trim());
export const bodyDigest = (body: string): string => sha256Hex(normalizeBody(body));

export const keyStatementOf = (
  { run, action, approvalId, proposal, words }: OwnKeyApproval,
  person: string,
): OwnKeyStatement => {
  const { digest, fields } = proposal;
  const isPush = fields.action === 'push';
  return {
    run: run.id,
    action,
    person,
    approval: approvalId,
    seal: digest,
    repo: repositoryOf(run),
    base: fields.baseRef,
    commit: fields.headSha,
    title: isPush ? null : titleDigest(fields.title),
    body: bodyDigest(isPush ? (fields.pullBody ?? '') : fields.body),
    words: words === undefined ? null : sha256Hex(words),
  };
};

/** The challenge of WebAuthn, base64url. */
export const challengeOf = (statement: OwnKeyStatement): string =>
  Buffer.from(sha256Hex(ownKeyText(statement)), 'hex').toString('base64url');

/** Names a key: the first 128 bits of the SHA-256 of its COSE bytes. */
export const fingerprintOf = (publicKey: string): string =>
  sha256Hex(Buffer.from(publicKey, 'base64url')).slice(0, 32);
