/** Ids of runs and random ids; the only source of randomness outside of tests. */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { IdSource } from '#ports/processes';

/** Excludes characters that look alike on a phone. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';

const readableId = (at: (i: number) => number): string =>
  Array.from({ length: 6 }, (_, i) => READABLE[at(i) % READABLE.length]).join('');

/** Deterministic: the same key gives the same run. */
export const runIdOf = (key: string): string => {
  const bytes = createHash('sha256').update(`run|${key}`).digest();
  return readableId((i) => bytes.readUInt32BE(i * 4));
};

export const campaignIdOf = (key: string): string => `c-${runIdOf(`campaign|${key}`)}`;

export const randomIds: IdSource = {
  runId: () => readableId(() => randomInt(READABLE.length)),
  nonce: () => randomBytes(12).toString('base64url'),
};
