/** Ids of runs, and random ones: the only randomness of the product outside of tests. */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { IdSource } from '../ports.ts';

/** Letters and digits that are not mistaken for each other when read from a phone. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';

const readable = (at: (i: number) => number): string =>
  Array.from({ length: 6 }, (_, i) => READABLE[at(i) % READABLE.length]).join('');

/** The id of the run that somebody's key asks for: the same one whenever it asks again. */
export const runIdOf = (key: string): string => {
  const bytes = createHash('sha256').update(`run|${key}`).digest();
  return readable((i) => bytes.readUInt32BE(i * 4));
};

/** The same for a campaign. */
export const campaignIdOf = (key: string): string => `c-${runIdOf(`campaign|${key}`)}`;

export const randomIds: IdSource = {
  runId: () => readable(() => randomInt(READABLE.length)),
  nonce: () => randomBytes(12).toString('base64url'),
};
