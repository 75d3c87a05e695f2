/** Receipts of an installation that has no key yet for outsiders: the MAC alone. */
import { createReceiptSigner, type ReceiptSigner } from '../../orchestrator/engine/receipt-keys.ts';

export const receiptsWith = (mac: Uint8Array): ReceiptSigner =>
  createReceiptSigner({ mac, secret: mac }, { query: { setting: async () => null } });
