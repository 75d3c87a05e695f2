/** The receipt in a pull request's body: run, digest and the approver's public name or alias, no ids (G7). */
import { canonicalJson } from '#model/seal';
import { aliasOf, normalizeBody, type Receipt, type SignedReceipt } from '#pull-text';
import type { IssueReceipt, ReceiptClaims, ReceiptPublication } from '#ports/records';
import { computeMac, isSameMac, sha256Hex } from '../kernel/runtime/content-hash.ts';
import { hasDecisionStatement, decisionLeafOf, bytesToSign } from './decision-statement.ts';
import { createReceiptSigner, type ReceiptSigner } from './receipt-keys.ts';

const claimsText = (receiptClaims: Omit<ReceiptClaims, 'signers' | 'byKeys'>): string =>
  JSON.stringify([
    'agentpr receipt 1',
    receiptClaims.run,
    receiptClaims.digest,
    receiptClaims.policyVersion,
    receiptClaims.approver,
  ]);

const MAX_APPROVER = 80;

/** Who chose no public name gets an alias, which only the ledger's owner can resolve. */
export const createReceipt = (key: Uint8Array, claims: ReceiptClaims): Receipt => {
  const { signers = [], byKeys: _, ...said } = claims;
  const aliasFor = (name: string): string => aliasOf(sha256Hex(computeMac(key, `alias ${name}`)));
  const names = signers.map(({ name, publicName }) => publicName ?? aliasFor(name)).join(', ');
  const approver = names === '' || names.length > MAX_APPROVER ? aliasFor(claims.approver) : names;
  const named = { ...said, approver };
  return { version: 1, ...named, mac: computeMac(key, claimsText(named)) };
};

type Claimed = Omit<Receipt, 'version' | 'signed'>;

/** What receipts without a tree sign. */
const statementText = (
  { run, digest, policyVersion, approver, mac }: Claimed,
  { repo, base, commit, title, body, at, key, page, byKeys }: Omit<SignedReceipt, 'signature'>,
): string =>
  JSON.stringify([
    byKeys === undefined
      ? page === undefined
        ? 'agentpr statement 1'
        : 'agentpr statement 2'
      : 'agentpr statement 3',
    ...[run, digest, policyVersion, approver, mac],
    ...[repo, base, commit, title, body, at, key],
    // guard: G9-page
    ...(page === undefined ? [] : [page]),
    // guard: G11-receipt-whole
    ...(byKeys === undefined ? [] : [page === undefined, sha256Hex(canonicalJson(byKeys))]),
  ]);

/** What the key of a receipt signs. */
export const textToSign = (receipt: Claimed, signed: Omit<SignedReceipt, 'signature'>): Uint8Array =>
  hasDecisionStatement(signed) ? bytesToSign(receipt, signed) : Buffer.from(statementText(receipt, signed));

/** A receipt that outsiders can check too, where the time of the approval is known. */
export const signReceipt = async (
  { mac, signAt, pageAt }: ReceiptSigner,
  claims: Parameters<IssueReceipt>[0],
  publication: ReceiptPublication,
): Promise<Receipt> => {
  const { at, page: given, ...said } = claims;
  const receipt = createReceipt(mac, said);
  if (at === undefined) return receipt;
  const { title, body } = publication;
  const readMe = given === undefined ? await pageAt(at) : given;
  const statement = {
    ...publication,
    title: title === null ? null : sha256Hex(title.trim()),
    body: sha256Hex(normalizeBody(body)),
    at,
    ...(readMe === null ? {} : { page: readMe }),
    ...(claims.byKeys === undefined ? {} : { byKeys: claims.byKeys }),
  };
  const signature = await signAt(at, (key) => textToSign(receipt, { ...statement, key }));
  return signature ? { ...receipt, signed: { ...statement, ...signature } } : receipt;
};

export const createReceiptIssuer = (...given: Parameters<typeof createReceiptSigner>): IssueReceipt => {
  const signer = createReceiptSigner(...given);
  return async (claims, publication) => {
    const receipt = await signReceipt(signer, claims, publication);
    const leaf = decisionLeafOf(receipt);
    return { receipt, leaf: leaf && Buffer.from(leaf).toString('hex') };
  };
};

export const isOurReceipt = (key: Uint8Array, receipt: Receipt): boolean =>
  isSameMac(receipt.mac, computeMac(key, claimsText(receipt)));
