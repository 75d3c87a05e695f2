/** Derives all keys from one secret outside the database. */
import { createHmac, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { createKey } from '#db';

const derive = (secret: KeyObject, use: string): Uint8Array =>
  createHmac('sha256', secret).update(use).digest();
export const readKeys = (
  dataDir: string,
  mayMake: boolean,
): {
  buttons: Uint8Array;
  receipts: Uint8Array;
  receiptSeed: Uint8Array;
  webhook: Uint8Array;
  moving: Uint8Array;
} => {
  const secret = createKey(join(dataDir, 'keys', 'seal.key'), { mayMake });
  return {
    buttons: derive(secret, 'buttons'),
    receipts: derive(secret, 'receipts'),
    receiptSeed: derive(secret, 'receipt seed'),
    webhook: derive(secret, 'webhook'),
    moving: derive(secret, 'moving'),
  };
};
