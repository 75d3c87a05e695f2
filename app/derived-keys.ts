/** Derives all keys from one secret outside the database. */
import { createHmac, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { createKey } from '#db';

const deriveKey = (secret: KeyObject, use: string): Uint8Array =>
  createHmac('sha256', secret).update(use).digest();
export const readKeys = (
  dataDir: string,
  { mayMake }: { mayMake: boolean },
): {
  buttons: Uint8Array;
  receipts: Uint8Array;
  receiptSeed: Uint8Array;
  webhook: Uint8Array;
  moving: Uint8Array;
} => {
  const secret = createKey(join(dataDir, 'keys', 'seal.key'), { mayMake });
  return {
    buttons: deriveKey(secret, 'buttons'),
    receipts: deriveKey(secret, 'receipts'),
    receiptSeed: deriveKey(secret, 'receipt seed'),
    webhook: deriveKey(secret, 'webhook'),
    moving: deriveKey(secret, 'moving'),
  };
};
