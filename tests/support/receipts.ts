/** Receipts of an installation that has no key yet for outsiders: the MAC alone. */
import {
  createReceiptSigner,
  type ReceiptSigner,
} from '../../orchestrator/kernel/gate/receipt-keys.effect.ts';

/** The same with a first key since 1970. */
export const signedReceiptsWith = (mac: Uint8Array): ReceiptSigner => {
  const periods = JSON.stringify([{ number: 1, from: 0, until: null, revokedAt: null }]);
  return createReceiptSigner(
    { mac, secret: mac },
    { query: { setting: async (name) => (name === 'receipt_keys' ? periods : null) } },
  );
};

export const receiptsWith = (mac: Uint8Array): ReceiptSigner =>
  createReceiptSigner({ mac, secret: mac }, { query: { setting: async () => null } });
