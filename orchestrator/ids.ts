/** Random ids: the only randomness of the product outside of tests. */
import { randomBytes, randomInt } from 'node:crypto';
import type { Ids } from './ports.ts';

/** Letters and digits that are not mistaken for each other when read from a phone. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';

export const randomIds: Ids = {
  runId: () => Array.from({ length: 6 }, () => READABLE[randomInt(READABLE.length)]).join(''),
  nonce: () => randomBytes(12).toString('base64url'),
};
