/** Judges a pull request by its receipt and the published keys alone (G9). */
import { normalizeBody, readReceipt, withoutReceipt, type Receipt } from '#pull-text';
import { textToSign } from './pull-receipt.ts';
import { sha256Hex } from '../kernel/runtime/content-hash.ts';
import { isSignedBy, type PublishedKeys } from './receipt-keys.ts';

export type ShownPull = { repo: string; base: string; head: string; title: string; body: string };

/** What a repository of the reader's has under the id of the commit; null where it has none. */
type FoundTree = { tree: string } | null;

const RECEIPT_DOUBTS = [
  'no_receipt',
  'no_envelope',
  'not_signed',
  'key_unknown',
  'key_not_in_force',
  'key_revoked',
  'signature_wrong',
  'other_repository',
  'other_commit',
  'other_base',
  'other_title',
  'other_body',
  'other_tree',
  'commit_missing',
  'not_logged',
] as const;
export type ReceiptDoubt = (typeof RECEIPT_DOUBTS)[number];

type PullVerdict = { receipt: Receipt | null; doubts: ReceiptDoubt[] };

/** Null when the key that it names has signed all that it says, and is to be believed. */
export const checkReceipt = (receipt: Receipt, { keys }: PublishedKeys): ReceiptDoubt | null => {
  const { signed } = receipt;
  if (!signed) return 'not_signed';
  const key = keys.find(({ id }) => id === signed.key);
  if (!key) return 'key_unknown';
  // guard: G9-signature
  if (!isSignedBy(key, textToSign(receipt, signed), signed.signature)) return 'signature_wrong';
  // guard: G9-key-period
  if (signed.at < Date.parse(key.from) || (key.until !== null && signed.at >= Date.parse(key.until)))
    return 'key_not_in_force';
  // Whoever has a revoked key may name any time, so nothing that it signed is believed.
  // guard: G9-key-revoked
  return key.revokedAt === null ? null : 'key_revoked';
};

/** All that does not hold; nothing when the receipt confirms exactly this pull request. */
export const verifyPull = (pull: ShownPull, published: PublishedKeys): PullVerdict => {
  const receipt = readReceipt(pull.body);
  if (!receipt) return { receipt, doubts: ['no_receipt'] };
  const doubt = checkReceipt(receipt, published);
  const { signed } = receipt;
  if (doubt !== null || !signed) return { receipt, doubts: [doubt ?? 'not_signed'] };
  const compared: [ReceiptDoubt, boolean][] = [
    // guard: G9-repository
    ['other_repository', signed.repo.toLowerCase() === pull.repo.toLowerCase()],
    // guard: G9-commit
    ['other_commit', signed.commit === pull.head],
    ['other_base', signed.base === pull.base],
    ['other_title', signed.title === null || signed.title === sha256Hex(pull.title.trim())],
    // guard: G9-body
    ['other_body', signed.body === sha256Hex(normalizeBody(withoutReceipt(pull.body)))],
  ];
  return { receipt, doubts: compared.flatMap(([what, holds]) => (holds ? [] : [what])) };
};

/** For who has the repository: a tree that a receipt names is that of its commit. */
export const checkTree = ({ signed }: Receipt, found: FoundTree): ReceiptDoubt | null => {
  // guard: G9-commit-there
  if (found === null) return 'commit_missing';
  // guard: G9-tree
  return signed?.tree === undefined || signed.tree === found.tree ? null : 'other_tree';
};
