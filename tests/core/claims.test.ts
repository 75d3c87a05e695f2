/** F11: no claim without evidence: boxes, issue keywords, and what an engine printed last. */
import { describe, expect, it } from 'vitest';
import { publicSummaryOf } from '../../orchestrator/kernel/gate/summarise-change.ts';
import { contract } from '../support/core-samples.ts';
import { ran, rendered, SAMPLES, type Sample } from '../support/change-samples.ts';

const fix = SAMPLES['fix'] as Sample;
const ticks = (label: string, sample: Sample = fix, more: Parameters<typeof rendered>[2] = {}): boolean => {
  const { body } = rendered(sample, `## Description\n\n## Checklist\n\n- [ ] ${label}\n`, more);
  const line = body.split('\n').find((one) => /^- \[[ x]\]/.test(one)) ?? '';
  expect(line).not.toBe('');
  return line.includes('[x]');
};

describe('a box', () => {
  it.each([
    ['`npm test` passes', true],
    ['`$ NPM  test` passes', true],
    ['`test` passes', false],
    ['`npm` passes', false],
    ['`npm run test` passes', false],
    ['`npm test` passes on Windows and Linux', false],
    ['I ran `npm test` and read the guidelines', false],
  ])('F11: is ticked for a command that ran as a whole, and for no part of one: %s %s', (label, is) => {
    expect(ticks(label)).toBe(is);
  });

  it.each(['before && npm test', 'npm run build && npm test'])(
    'F11: is ticked for the last of several commands, %s, and not for one of another folder',
    (command) => {
      expect(ticks('`npm test` passes', { ...fix, checks: [ran('test', command)] })).toBe(true);
      const web = { ...fix, checks: [ran('web test', 'npm test')] };
      expect(ticks('`npm test` passes', web)).toBe(false);
      expect(ticks('`npm test` passes in web', web)).toBe(true);
    },
  );

  it.each([
    'I have read the contributing guide',
    'I have tested this on Windows, macOS and Linux',
    'Tests pass on Linux',
    'All integration tests pass',
    'Unit and integration tests pass',
    'Tests cover 100 % of the change',
    'Coverage did not go down, tests pass',
    'The new tests fail without the change and pass with it',
    'I have added tests that prove my fix is effective',
    'Tests pass in Chrome and Firefox',
    'End-to-end tests pass',
    'Tests pass and performance is as before',
    'The change was approved by a maintainer and tests pass',
    'Every edge case has a test',
    'This PR targets `dev` and not `main`',
    'Translations were updated and tests pass',
  ])('F11: stays open, because nothing that we measure shows it: %s', (label) => {
    expect(ticks(label)).toBe(false);
  });

  it.each([
    'I have added tests that prove my fix is effective or that my feature works',
    'The new tests fail without the change and pass with it',
  ])('F11, E19: is ticked where the tests were red on the base: %s', (label) => {
    const red = { ...ran('test', 'npm test'), withTestsOnBase: 'fails' as const };
    expect(ticks(label, { ...fix, checks: [red] })).toBe(true);
    expect(ticks(label, { ...fix, checks: [{ ...red, withTestsOnBase: 'passes' }] })).toBe(false);
    expect(ticks(`${label}, on Windows`, { ...fix, checks: [red] })).toBe(false);
  });

  it('F11: of all tests stays open where only those that the change concerns ran', () => {
    const template = '## Description\n\n## Checklist\n\n- [ ] All tests pass\n';
    const left = { name: 'web test', command: 'npm test', dir: 'web', source: 'a' };
    expect(ticks('All tests pass', fix, { contract: contract({ template, checks: [left] }) })).toBe(false);
    expect(ticks('All tests pass')).toBe(true);
  });
});

describe('an issue', () => {
  const saying = (goal: string): Sample => ({ ...fix, goal });
  const TEMPLATES = [
    'Fixes #',
    '## Issue\n\nCloses #\n',
    '- [ ] Fixes #xxxx',
    '| Fixed tickets | #... |',
    'Resolves: #',
    '**Fixes:** ',
  ];
  const MENTIONS = [
    'see #12345',
    'Related to #12345',
    'This does not fix #12345',
    'Partly fixes #12345',
    'as in #12345, do not close #12345',
  ];
  it.each(TEMPLATES.flatMap((template) => MENTIONS.map((words) => [template, words] as const)))(
    'F11: that a person only mentions is never closed: %j for %j',
    (template, words) => {
      const { body } = rendered(saying(`Keep the last delay (${words})`), `## Description\n\n${template}\n`);
      expect(body).toContain('#12345');
      const ours = body.replace(words, '');
      expect(ours).not.toMatch(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b\W{0,6}#12345/i);
    },
  );
  it('F11: that a person closes is closed in the template’s word', () => {
    const { body } = rendered(saying('Keep the last delay. Fixes #12345'), '## Description\n\nCloses #\n');
    expect(body).toContain('Closes #12345');
  });
});

it('F11: a last line that is no report is never published', () => {
  expect(publicSummaryOf({ summary: 'Done in 3.2 s ✨', claims: {} })).toBe('');
  expect(publicSummaryOf({ summary: 'Done in 3.2 s ✨' })).toBe('');
});
