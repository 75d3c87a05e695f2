/** Receipts of an installation that has no key yet for outsiders: the MAC alone. */
import type { IssueReceipt } from '#ports/records';
import { createReceiptIssuer } from '../../orchestrator/receipts/pull-receipt.ts';

/** The same with a first key since 1970. */
export const signedReceiptsWith = (mac: Uint8Array, page: string | null = null): IssueReceipt => {
  const periods = JSON.stringify([{ number: 1, from: 0, until: null, revokedAt: null }]);
  const settings = new Map([
    ['receipt_keys', periods],
    ...(page === null ? [] : [['receipt_page', JSON.stringify([{ from: 0, page }])] as const]),
  ]);
  return createReceiptIssuer(
    { mac, secret: mac },
    { query: { setting: async (name) => settings.get(name) ?? null } },
  );
};

export const receiptsWith = (mac: Uint8Array): IssueReceipt =>
  createReceiptIssuer({ mac, secret: mac }, { query: { setting: async () => null } });
