/** Derives all keys from one secret outside the database. */
import { createHmac, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { loadOrCreateKey } from '#db';

const deriveKey = (secret: KeyObject, use: string): Uint8Array =>
  createHmac('sha256', secret).update(use).digest();
export const loadDerivedKeys = (
  dataDir: string,
  { mayMake }: { mayMake: boolean },
): {
  buttons: Uint8Array;
  receipts: Uint8Array;
  receiptSeed: Uint8Array;
  webhook: Uint8Array;
  moving: Uint8Array;
} => {
  const secret = loadOrCreateKey(join(dataDir, 'keys', 'seal.key'), { mayMake });
  return {
    buttons: deriveKey(secret, 'buttons'),
    receipts: deriveKey(secret, 'receipts'),
    receiptSeed: deriveKey(secret, 'receipt seed'),
    webhook: deriveKey(secret, 'webhook'),
    moving: deriveKey(secret, 'moving'),
  };
};
