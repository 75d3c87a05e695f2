/** F9: bodies over real shapes of templates hold nothing that a maintainer would strike out. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findLeftovers } from '../corpus/leftovers-oracle.ts';
import { READ_TEMPLATES } from '../corpus/read-templates.ts';
import type { WorkType } from '#model/pull';
import { discoverContract } from '../../discovery/discover-contract.ts';
import { findOpenQuestions } from '../../pull-text/template-questions.ts';
import { rendered, SAMPLES, type Sample } from '../support/change-samples.ts';
import { ALL_CHANGES } from '../support/more-changes.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/templates');
const TEMPLATES: readonly (readonly [string, string])[] = [
  ...readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const),
  ...Object.entries(READ_TEMPLATES),
];
const of = (name: string, change = 'fix'): string =>
  rendered(ALL_CHANGES[change] as Sample, READ_TEMPLATES[name] ?? '').body;

describe('bodies over real shapes of templates', () => {
  it.each(Object.entries(ALL_CHANGES))('F9: hold no leftovers of the template: %s', (_, sample) => {
    const found = TEMPLATES.flatMap(([name, template]) =>
      findLeftovers(rendered(sample, template), template).map((one) => `${name}: ${one}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ['...', 'placeholder'],
    ['**Add description here.**', 'placeholder'],
    ['- [ ] application 1', 'placeholder'],
    ['| Description? | Please be specific. |', 'placeholder'],
    ['* Hardware:', 'empty field'],
    ['## Why\n\n## What', 'empty section'],
    ['[`SIP-59](https://x/issues/1`)', 'broken'],
    ['The change is in `src/retry.ts`.\n\n## B\n\nThe change is in `src/retry.ts`.', 'said twice'],
    ['T.\n\nThe delay was reset.', 'repeats the title'],
    ['- fixes #4821\n- related: #4821', 'names an issue twice'],
  ])('F9: would be found: %j', (body, says) => {
    expect(findLeftovers({ title: 'T', body }, '').join('\n')).toContain(says);
  });

  it('F9: words for whoever fills it would be found', () => {
    const told = 'Remember that we rate each of these areas.';
    expect(findLeftovers({ title: 'T', body: told }, told)[0]).toContain('for whoever fills it');
  });
});

describe('a place of a template', () => {
  it('F9: is answered with one of what it lists, by the type of the change', () => {
    expect(of('oneOfABulletList')).toContain('##### ISSUE TYPE\n\n- Bugfix Pull Request\n');
    expect(of('oneOfABulletList', 'docs')).toContain('##### ISSUE TYPE\n\n- Docs Pull Request\n');
    expect(of('oneOfABulletList', 'ci')).not.toContain('ISSUE TYPE');
    expect(of('labelsWithColons')).toContain('**Type**: bug\n');
  });

  it('F9: keeps its colon, and is filled beside it', () => {
    expect(of('labelsWithColons')).toContain('**Title**: Keep the last delay of a retry\n');
    expect(of('labelsWithColons')).toContain('**Issue**: #4821');
  });

  it('F9: that only a person can fill is asked for, and left out meanwhile', () => {
    const template = READ_TEMPLATES['emptyFields'] ?? '';
    expect(findOpenQuestions(template, of('emptyFields'))).toEqual(['Firmware version', 'Hardware', 'SDK']);
    expect(of('emptyFields')).not.toContain('Hardware');
    const answered = { ...(SAMPLES['fix'] as Sample), answers: { template: '2. An old laptop' } };
    expect(rendered(answered, template).body).toContain('* Hardware: An old laptop');
    expect(findOpenQuestions(template, rendered(answered, template).body)).toEqual([
      'Firmware version',
      'SDK',
    ]);
  });

  it('F9: that only sends to another template, or orders, asks nothing', () => {
    for (const name of ['choices', 'recommendations', 'exampleSteps'])
      expect(findOpenQuestions(READ_TEMPLATES[name] ?? '', ''), name).toEqual([]);
  });

  it('F9: in a table is answered in its cell, once', () => {
    const body = of('tableOfInstructions');
    expect(body).toContain('| Description? | The delay was reset before it was read,');
    expect(body).toContain('| Type? | bug fix |');
    expect(body).toContain('| Category? |  |');
    expect(body).toContain('| BC breaks? | none known |');
    expect(body.split('The delay was reset').length).toBe(2);
  });

  it('F9: about where it was tested, or who reviews it, gets no other words', () => {
    expect(of('deviceInformation')).not.toContain('Device Information');
    expect(of('bilingual', 'feature')).not.toMatch(/Reviewers|The change is in/);
    expect(of('otherPullRequest', 'feature')).not.toMatch(/Pull request in|Test Environment\n\n[^-]/);
  });

  it('F9: for the problem gets the reason, and the one for the fix what was done', () => {
    expect(of('problemAndFix')).toMatch(
      /led to this PR\?\n\nThe delay was reset[^#]*\n\n## What is your fix/,
    );
  });

  it('F11: about the use of AI is answered truly wherever it stands', () => {
    expect(of('usedAgent')).toContain('- [x] Did you use an AI agent');
  });
});

describe('of several templates', () => {
  const chosen = (files: Readonly<Record<string, string>>, work?: WorkType): string | undefined =>
    discoverContract(Object.keys(files), (path) => files[path] ?? null, { work }).template?.trim();
  it('F9: one that only links to the others is not filled', () => {
    const files = {
      '.github/PULL_REQUEST_TEMPLATE.md': READ_TEMPLATES['choices'] ?? '',
      '.github/PULL_REQUEST_TEMPLATE/bugfix.md': '## What was broken\n',
    };
    expect(chosen(files)).toBe('## What was broken');
  });
  it('F9: the one for any change comes before those for a kind', () => {
    const files = {
      '.github/PULL_REQUEST_TEMPLATE/bug_fix.md': '## Bug\n',
      '.github/PULL_REQUEST_TEMPLATE/default.md': '## Change\n',
    };
    expect(chosen(files)).toBe('## Change');
  });
  it.each<[string, WorkType | undefined]>([
    ['FIX', 'fix'],
    ['NEW_FEATURE', 'feat'],
    ['IMPROVEMENT', 'refactor'],
    ['FAILING_TEST', 'test'],
    ['IMPROVEMENT', 'docs'],
    ['IMPROVEMENT', undefined],
  ])('F9: %s.md is filled for work of the kind %s', (name, work) => {
    const names = ['FAILING_TEST', 'FIX', 'IMPROVEMENT', 'NEW_FEATURE'];
    const files = Object.fromEntries(
      names.map((one) => [`.github/PULL_REQUEST_TEMPLATE/${one}.md`, `## ${one}\n`]),
    );
    expect(chosen(files, work)).toBe(`## ${name}`);
  });
});
