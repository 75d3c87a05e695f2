/**
 * fast-check with a fixed seed. `PROPERTY_SEED=$RANDOM PROPERTY_RUNS=20000 npm run check` tries
 * others.
 */
import fc from 'fast-check';

const { PROPERTY_SEED: seed = '1', PROPERTY_RUNS: runs = '120' } = process.env;

fc.configureGlobal({ seed: Number(seed) });

/** Number of histories per property of the state machine. */
export const HISTORIES = { numRuns: Number(runs) };

export { fc };
