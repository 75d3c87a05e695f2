/** Receipts of pull requests, their keys, and how an outsider checks them. */
export { createReceiptIssuer, receiptIsOurs } from './pull-receipt.ts';
export {
  openReceiptKeys,
  publishedKeys,
  PublishedKeys,
  RECEIPT_PAGE_PATH,
  revokeReceiptKey,
  rotateReceiptKey,
  setReceiptPage,
} from './receipt-keys.ts';
export { verifyOwnKeys, type OwnKeyDoubt } from './verify-own-keys.ts';
export { verifyPull, type ReceiptDoubt, type ShownPull } from './verify-receipt.ts';
