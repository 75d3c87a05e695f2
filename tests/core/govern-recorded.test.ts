/**
 * What the governor says of recorded actions: whoever changes a judgement sees which, and raises
 * the version that is stored with decisions.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { POLICY_VERSION } from '../../governor/assess-action.ts';
import { CASES, judgedAs } from '../support/recorded-actions.ts';

const [version, ...recorded] = readFileSync(new URL('../fixtures/judged.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

describe('what was said of recorded actions', () => {
  it('P1: is of this version of the policies: whoever changes a judgement raises it, and runs tests/support/record.ts', () => {
    expect(version).toBe(POLICY_VERSION);
    expect(recorded).toHaveLength(CASES.length);
  });

  it.each(CASES.map((one, i) => [one[0], one, recorded[i]] as const))('P1: %s', (_, one, said) => {
    expect(judgedAs(one)).toBe(said);
  });
});
