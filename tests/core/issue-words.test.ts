/** F11: an issue is named, closed or left alone as the person meant it. */
import { describe, expect, it } from 'vitest';
import {
  closingWords,
  findIssueReferences,
  withoutUnmeantClosing,
  findNamedIssue,
} from '#model/requirements';
import { assessAction } from '../../governor/assess-action.ts';
import { context, pull } from '../support/actions.ts';
import { rendered, SAMPLES, type Sample } from '../support/change-samples.ts';

const closed = (text: string): string[] => [...closingWords(text).keys()];

describe('an issue in a person’s words', () => {
  it.each([
    ['Fix #12: retry forgets', ['#12']],
    ['Make it robust (fixes #12)', ['#12']],
    ['Make it robust, closes #12 and resolves a/b#4', ['#12', 'a/b#4']],
    ['This PR will fix #12', ['#12']],
    ['重试。修复，fixes #12', ['#12']],
    ['Closes **#12**', ['#12']],
    ['Fixes #12 in src/retry.ts', ['#12']],
    ['Handle flags without a value (fixes #12)', ['#12']],
    ['Do not retry after the deadline (closes #12)', ['#12']],
    ['Fixes #12 in packages/core', ['#12']],
  ])('F11: is closed where they close it: %s', (text, refs) => {
    expect(closed(text)).toEqual(refs);
    expect(withoutUnmeantClosing(text)).toBe(text);
  });

  it.each([
    'see #12',
    'closes #1 in other/repo',
    'Fixed #12?',
    'Does this close #12 too?',
    'Fixes #12 (partially)',
    'partially: fixes #12',
    'fixes #12 only on Windows',
    'this would fix #12',
    'the commit that fixes #12 broke it',
    'Revert "fixes #12"',
    'Say what fixes #12',
    'no longer closes #12',
    'it is unclear whether this fixes #12',
    'nothing here fixes #12',
    'It retries, but not (fixes #12)',
    'auto-fixes #12',
    'Print `fixes #12` in the log',
    '```\nfixes #12\n```\nis printed',
    '> fixes #12\nThey said so',
    '<!-- fixes #12 -->',
  ])('F11: is not closed where they only speak of it: %s', (text) => {
    expect(closed(text)).toEqual([]);
    expect(withoutUnmeantClosing(text)).not.toMatch(
      /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b[\s:]+#\d/i,
    );
  });

  it.each([
    ['Make the colour #123456', []],
    ['color: #123', []],
    ['Link heading #1', []],
    ['Print `#7`', []],
    ['#0 and #00012', []],
    ['see ../x#4', []],
    ['closes #1 in other/repo', ['other/repo#1']],
    ['x"https://github.com/acme/app/issues/2"', []],
  ])('F9: is not found in %s', (text, refs) => {
    expect(findIssueReferences(text)).toEqual(refs);
  });

  it.each([
    ['Say it (https://github.com/acme/app/issues/2)', 'https://github.com/acme/app/issues/2'],
    [
      'Say it, see <https://ghe.acme.org:8443/acme/app/issues/2>.',
      'https://ghe.acme.org:8443/acme/app/issues/2',
    ],
    ['[Say it](https://gitlab.com/acme/app/-/issues/2)', 'https://gitlab.com/acme/app/-/issues/2'],
  ])('F9: is found in %s', (text, ref) => {
    expect(findIssueReferences(text)).toEqual([ref]);
  });

  it('F9: is found behind the letters that some projects write before its number', () => {
    expect(findIssueReferences('Color the name (GH#282)')).toEqual(['#282']);
    expect(closed('Fixes GH#282')).toEqual(['#282']);
    expect(findIssueReferences('Color RGH#282')).toEqual([]);
  });

  it('F10: of another repository is not looked up in this one', () => {
    expect(findNamedIssue('closes #1 in other/repo', 'ana/app')).toBeNull();
    expect(findNamedIssue('closes #1 in ana/app', 'ana/app')).toBe('#1');
  });
});

it.each([
  'This does not fix #12345',
  'It would fix GH-12345',
  'Not fixed: https://github.com/a/b/issues/12345',
])('F11: a goal that is published word for word closes nothing by accident: %s', (words) => {
  const fix = SAMPLES['fix'] as Sample;
  const { body } = rendered({ ...fix, goal: `Keep the last delay. ${words}`, said: {} }, '## Description\n');
  expect(body).toContain('12345');
  expect(body).not.toMatch(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b[\s:]+(?:#|gh-|https?:\S+\/)12345/i);
});

describe('what a pull request closes', () => {
  const raised = (body: string, closes: readonly string[]): string[] => {
    const { reasons } = assessAction(pull({ body }), { ...context, closes });
    const said = reasons.flatMap(({ reason }) =>
      reason.kind === 'public_text_signal' ? [reason.excerpt] : [],
    );
    return [...new Set(said)];
  };
  it('F11: raises no alarm where the order asked for it, and does for every other issue', () => {
    const body = 'Keeps the last delay.\n\nCloses #12';
    expect(raised(body, [])).toEqual(['Closes #12']);
    expect(raised(body, closed('Keep the last delay. Closes #12'))).toEqual([]);
    expect(raised(`${body}\n\nFixes #13`, ['#12'])).toEqual(['Fixes #13']);
    expect(raised(body.replace('#12', 'ana/other#12'), ['#12'])).toHaveLength(1);
    expect(raised(body, closed('See #12'))).toEqual(['Closes #12']);
  });
});
