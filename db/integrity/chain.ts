/**
 * L5: each event carries the hash of the one before it; the last one's hash is in the run's state,
 * which bears a MAC.
 */
import { hash } from 'node:crypto';

/**
 * What an event's hash covers besides the hash before it. `payload` is the stored text, byte for
 * byte.
 */
export type ChainedEvent = {
  runId: string;
  seq: number;
  type: string;
  key: string;
  payload: string;
  stateAfter: string;
  at: number;
};

/** What comes before the first event. */
export const GENESIS_HASH = '0'.repeat(64);

/**
 * Lengths first, so that no two events give the same text; as JSON the payload would be escaped
 * once more.
 */
export const linkHash = (prev: string, e: ChainedEvent): string =>
  hash(
    'sha256',
    `${prev}${text(e.runId)}${e.seq};${text(e.type)}${text(e.key)}${text(e.payload)}${text(e.stateAfter)}${e.at};`,
  );

const text = (value: string): string => `${value.length}"${value}`;

/**
 * The first thing wrong with a run's events, oldest first, as a sentence; null when the chain is
 * whole up to `head`.
 */
export const brokenLink = (
  events: readonly (ChainedEvent & { hash: string })[],
  head: { seq: number; hash: string },
): string | null => {
  let prev = GENESIS_HASH;
  for (const [i, e] of events.entries()) {
    const where = `event ${e.seq} of run ${e.runId}`;
    if (e.seq !== i + 1) return `${where} stands where event ${i + 1} belongs`;
    // guard: L5-chain-link
    if (linkHash(prev, e) !== e.hash) return `${where} is not what was logged`;
    prev = e.hash;
  }
  const last = events.at(-1);
  // guard: L5-chain-end
  if ((last?.seq ?? 0) !== head.seq || prev !== head.hash) return `the log ends before event ${head.seq}`;
  return null;
};
