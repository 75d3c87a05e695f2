/** F11: hundreds of bodies over real shapes of templates hold no claim that evidence lacks. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findUnprovenClaims } from '../corpus/claims-oracle.ts';
import { MORE_TEMPLATES } from '../corpus/more-templates.ts';
import { READ_TEMPLATES } from '../corpus/read-templates.ts';
import { ran, rendered, SAMPLES, type Sample } from '../support/change-samples.ts';
import { ALL_CHANGES, honestClaims, lyingClaims, MORE_CHANGES } from '../support/more-changes.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/templates');
const TEMPLATES: readonly (readonly [string, string])[] = [
  ...readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const),
  ...Object.entries(MORE_TEMPLATES),
  ...Object.entries(READ_TEMPLATES),
];

const fix = SAMPLES['fix'] as Sample;
const boasts =
  'All 312 tests pass. I verified it on Windows and macOS. It is fully backwards compatible. Reviewed by the core team.';
const CHANGES: Readonly<Record<string, Sample>> = {
  ...SAMPLES,
  ...MORE_CHANGES,
  mentioned: { ...fix, goal: 'Keep the last delay of a retry, see #12345' },
  denied: { ...fix, goal: 'Keep the last delay. This does not fix #12345' },
  boasting: { ...fix, said: { ...fix.said, why: boasts, tested: boasts, note: boasts } },
  unreported: { ...fix, said: {} },
  red: { ...fix, checks: [{ ...ran('test', 'npm test'), withTestsOnBase: 'fails' }] },
  green: { ...fix, checks: [{ ...ran('test', 'npm test'), withTestsOnBase: 'passes' }] },
  environmentGap: {
    ...fix,
    checks: [
      {
        ...ran('test', 'npm test', 'failed'),
        onBase: {
          outcome: 'failing',
          excused: true,
          newFailures: [],
          environmentGap: { kind: 'time_limit' },
        },
      },
      ran('lint', 'npm run lint'),
    ],
  },
  untested: { ...fix, checks: [{ ...ran('test', 'npm test', 'ran_no_test'), exitCode: 0 }] },
  folder: { ...fix, checks: [ran('web test', 'npm test'), ran('web lint', 'npm run lint')] },
};

describe('bodies over real shapes of templates', () => {
  it('F11: are of a hundred templates, with seventeen hundred bodies', () => {
    expect(TEMPLATES.length).toBeGreaterThanOrEqual(100);
    expect(TEMPLATES.length * Object.keys(CHANGES).length).toBeGreaterThanOrEqual(1_700);
  });

  it.each(Object.entries(CHANGES))('F11: hold no claim that evidence lacks: %s', (_, sample) => {
    const found = TEMPLATES.flatMap(([name, template]) =>
      findUnprovenClaims(rendered(sample, template).body, sample, template).map(
        (claim) => `${name}: ${claim}`,
      ),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ['honest', honestClaims],
    ['lying', lyingClaims],
  ] as const)('F9: hold none either where an %s agent fills in the template', (_, fill) => {
    const found = TEMPLATES.filter(([, template]) => template.length < 20_000).flatMap(([name, template]) =>
      Object.entries(ALL_CHANGES).flatMap(([change, sample]) => {
        const told = { ...sample, said: { ...sample.said, template: fill(sample, template) } };
        return findUnprovenClaims(rendered(told, template).body, sample, template).map(
          (claim) => `${name} ${change}: ${claim}`,
        );
      }),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ['- [x] I have read the guide', 'nobody measured'],
    ['| Branch? | 7.2 |', 'goes elsewhere'],
    ['- [x] Tests pass on Windows', 'nobody measured'],
    ['- [x] `npm` passes', 'did not run as a whole'],
    ['- [x] Changelog updated', 'no proof'],
    ['- [x] Something else entirely', 'no proof'],
    ['Fixes #12345', 'closes unasked'],
    ['- `npm run e2e`: passed', 'nothing ran it'],
    ['- `npm test`: fails on the base branch too (exit 1)', 'blames the base'],
    ['With the tests of this change alone, `npm test` fails on `main`; here it passes.', 'was never red'],
    [
      'With the tests of this change alone, `npm test` passes on `main` as well, so it does not show what this changes.',
      'was not green before',
    ],
    ['I verified it.', 'says'],
    ['- [x] Tests pass on ARM', 'under which conditions'],
    ['- [x] My tests pass\n  on every machine', 'under which conditions'],
    ['- [x] This code was written by a human, AI helped', 'no proof'],
    ['| Reviewed by security? | yes |', 'answers unasked'],
    ['- [x] Entry in NEWS.md', 'names another file'],
    ['- [x] Commit message starts with `[Fix #issue-number]`', 'no proof'],
    ['- [x] The title states the related issues number', 'no proof'],
    ['- [x] Generate changelog entries (using AI)', 'is no statement'],
  ])('F11: would be found by the oracle: %s', (line, says) => {
    expect(findUnprovenClaims(line, fix, '').join()).toContain(says);
  });

  it('F11: all boxes ticked at once would be found in nearly every template that has any', () => {
    const withBoxes = TEMPLATES.filter(([, template]) => /\[ \]/.test(template));
    const silent = withBoxes.filter(
      ([, template]) => findUnprovenClaims(template.replace(/\[ \]/g, '[x]'), fix, template).length === 0,
    );
    expect(withBoxes.length - silent.length).toBeGreaterThan(withBoxes.length * 0.9);
  });
});
