/**
 * The command line of `npm run prove` says what it cannot understand, instead of proving less than
 * was asked.
 */
import { describe, expect, it } from 'vitest';
import type { Claim } from '../prove/claim.ts';
import { readOptions, usage } from '../prove/options.ts';

const claim = (name: string): Claim => ({
  name,
  says: `${name} hold`,
  bar: { quick: 1, full: 1 },
  run: () => Promise.reject(new Error('not here')),
});
const CLAIMS = ['caps', 'kills'].map(claim);
const read = (...argv: string[]) => readOptions(argv, CLAIMS);

describe('the options of the prover', () => {
  it('ask for everything when there are none', () => {
    expect(read()).toMatchObject({ wanted: CLAIMS, quick: false, seed: null, trials: null });
  });
  it('name claims, a seed and a number of trials', () => {
    const asked = read('--only', 'kills', '--seed', '0', '--trials', '12', '--quick');
    expect(asked).toMatchObject({ wanted: [CLAIMS[1]], quick: true, seed: 0, trials: 12 });
  });
  it('leave out what somebody proves elsewhere', () => {
    expect(read('--without', 'kills', '--quick').wanted).toEqual([CLAIMS[0]]);
  });
  it.each([
    [['--without', 'kills', '--without', 'caps'], /No claim is left/],
    [['--without', 'nix'], /no claim "nix"/],
    [['--only', 'kills', '--only', 'nix'], /no claim "nix".*caps, kills/],
    [['--trials', '0'], /--trials takes a whole number from 1 on, not "0"/],
    [['--trials', 'many'], /--trials takes a whole number/],
    [['--seed', '1.5'], /--seed takes a whole number from 0 on/],
    [['kills'], /kills/],
    [['--fast'], /--fast/],
  ])('refuse %j in a sentence', (argv, says) => {
    expect(() => read(...argv)).toThrow(says);
  });
  it('tell of every claim in the usage', () => {
    expect(usage(CLAIMS)).toMatch(/--seed[\s\S]*caps +caps hold\n +kills +kills hold$/);
  });
});
