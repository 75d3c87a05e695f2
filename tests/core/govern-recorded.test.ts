/**
 * What the governor says of recorded actions: whoever changes a judgement sees which, and raises
 * the version that is stored with decisions.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { POLICY_VERSION } from '../../governor/assess-action.ts';
import { CASES, judgedAs } from '../support/recorded-actions.ts';

const [version, ...lines] = readFileSync(new URL('../fixtures/judged.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const recorded = new Map(lines.map((line) => [(JSON.parse(line) as string[])[0] ?? '', line]));

describe('what was said of recorded actions', () => {
  it('P1: is of this version of the policies: whoever changes a judgement raises it, and runs tests/support/record.ts', () => {
    expect(version).toBe(POLICY_VERSION);
    expect([...recorded.keys()]).toEqual(CASES.map(([name]) => name));
  });

  it.each(CASES.map((one) => [one[0], one] as const))('P1: %s', (name, one) => {
    expect(judgedAs(one)).toBe(recorded.get(name));
  });
});
