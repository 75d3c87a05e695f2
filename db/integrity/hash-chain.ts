/** The hash chain of events; the head's hash is in the run's state, under a MAC (L5). */
import { hash } from 'node:crypto';

/** `payload`: the stored text, byte for byte. */
export type ChainedEvent = {
  runId: string;
  seq: number;
  type: string;
  key: string;
  payload: string;
  stateAfter: string;
  at: number;
};

export const GENESIS_HASH = '0'.repeat(64);

/** Length prefixes make the text unambiguous, without escaping the payload again. */
export const linkHash = (prev: string, event: ChainedEvent): string =>
  hash(
    'sha256',
    `${prev}${prefixLength(event.runId)}${event.seq};${prefixLength(event.type)}${prefixLength(event.key)}${prefixLength(event.payload)}${prefixLength(event.stateAfter)}${event.at};`,
  );

const prefixLength = (value: string): string => `${value.length}"${value}`;

/** Events oldest first. Returns the first error as text; null when the chain is whole. */
export const findBrokenLink = (
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
