/** F9: no rendered body claims what neither the change nor our evidence holds. */
import { describe, expect, it } from 'vitest';
import { judgeBodies } from '../corpus/bodies.ts';
import { UNTRUE, unsupportedIn } from '../corpus/judge.ts';
import { SAMPLES } from '../support/change-samples.ts';

const fix = SAMPLES['fix'];
const found = (body: string, template = ''): string[] =>
  fix ? unsupportedIn({ title: 'x', body }, fix, template) : [];

describe('bodies of agents that say more than is so', () => {
  it('F9: hold none of it, in a hundred bodies over the shapes of real templates', () => {
    expect(judgeBodies()).toEqual({ bodies: 100, unsupported: [] });
  });

  it.each(UNTRUE.map(([sentence]) => sentence))('F9: would be found out by the judge: %s', (sentence) => {
    expect(found(`The delay is read first. ${sentence}`)).toContain(sentence);
    // What maintainers wrote into their template claims nothing.
    expect(found(sentence, sentence)).toEqual([]);
  });

  it.each([
    ['a check that did not pass', '- `npm run e2e`: passed'],
    ['code that is nowhere', 'It uses `frobnicate` now.'],
    ['a box of another change', '- [x] Documentation was updated'],
    ['sums that are not so', '3 files, +22 −2 lines.'],
  ])('F9: would be found out by the judge: %s', (_, body) => {
    expect(found(body)).not.toEqual([]);
  });
});
