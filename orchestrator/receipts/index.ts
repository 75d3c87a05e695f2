/** Receipts of pull requests, their keys, the log of published decisions, and how an outsider checks them. */
export { readCheckpoint, readHashes, verifyProof, writeHashes, type TreeHead } from './checkpoint.ts';
export { createDecisionLog } from './decision-log.ts';
export { envelopeOf, isEnvelope, decisionLeafOf, readReceiptEnvelope } from './decision-statement.ts';
export { isConsistent } from './merkle-tree.ts';
export { createReceiptIssuer, isOurReceipt } from './pull-receipt.ts';
export {
  logVerifierOf,
  ensureReceiptKey,
  listPublishedKeys,
  PublishedKeys,
  RECEIPT_PAGE_PATH,
  revokeReceiptKey,
  rotateReceiptKey,
  setReceiptPage,
} from './receipt-keys.ts';
export { verifyOwnKeys } from './verify-approver-keys.ts';
export { checkReceipt, checkTree, verifyPull, type ReceiptDoubt, type ShownPull } from './verify-receipt.ts';
