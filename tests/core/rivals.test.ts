/**
 * F9: what somebody is at already is told before an agent costs anything, and what a review costs
 * on the card.
 */
import { checkIssueFree } from '#model/requirements';
import { isIssueNamed, findMentionedPaths } from '#model/pull';
import { countLinesToRead, minutesToReview } from '#model/paths';
import { describe, expect, it } from 'vitest';
import { file } from '../support/ready-run.ts';

describe('open pull requests for the same', () => {
  it.each([
    ['Fixes #12', true],
    ['(#12)', true],
    ['Fixes:#12, at last', true],
    ['修复#12。', true],
    ['Closes GH-12', true],
    ['See https://github.com/a/b/issues/12.', true],
    ['[it](https://github.com/A/B/issues/12#issuecomment-5)', true],
    ['[it](../issues/12)', true],
    ['Fixes a/B#12', true],
    ['Fixes #123', false],
    ['12 files', false],
    ['/issues/1234', false],
    ['Fixes other/b#12', false],
    ['Like a/b-plugin#12', false],
    ['See https://github.com/other/b/issues/12', false],
    ['See https://gitlab.com/a/b/issues/12', false],
    ['See https://github.com/a/b/pull/9#12', false],
    ['other/b#12, which is not #120', false],
    ['other/b#12, and ours: #12', true],
  ])('F9: “%s” names #12: %s', (words, names) => {
    expect(isIssueNamed(words, '#12', 'https://github.com/a/b')).toBe(names);
  });

  it('F9: a description of 65,536 characters that repeat a number of others is read once', () => {
    const words = 'a/b.c-#12/issues/12'.repeat(3_449);
    expect(isIssueNamed(words, '#12', 'https://github.com/a/b')).toBe(false);
  });

  it('F9: the files that a goal names are those of the repository, and only where it is clear which', () => {
    const paths = ['src/retry.ts', 'src/a/util.ts', 'src/b/util.ts', 'README.md'];
    expect(findMentionedPaths('Fix `src/retry.ts` and util.ts, see README.md', paths)).toEqual([
      'src/retry.ts',
      'README.md',
    ]);
    expect(findMentionedPaths('Fix retry.ts', paths)).toEqual(['src/retry.ts']);
    expect(findMentionedPaths('Bump to v1.2.3 e.g. now', paths)).toEqual([]);
  });
});

describe('what a change costs its reviewer', () => {
  it('F9: grows with lines and files; tests are read faster, lockfiles not at all', () => {
    const minutes = (...files: ReturnType<typeof file>[]): number => minutesToReview({ files });
    expect(minutes(file('src/a.ts', 3, 1))).toBe(1);
    expect(minutes(file('src/a.ts', 200, 0))).toBe(30);
    expect(minutes(file('test/a.test.ts', 200, 0))).toBeLessThan(minutes(file('src/a.ts', 200, 0)));
    expect(minutes(file('yarn.lock', 9_000, 9_000))).toBe(1);
    expect(countLinesToRead({ files: [file('yarn.lock', 900, 0), file('src/a.ts', 4, 2)] })).toBe(4);
  });
});

it('F10: an issue that is closed, or somebody else’s, is asked about before an agent starts, whatever the rules say', () => {
  const issue = { id: '#12', state: 'open' as const, assignees: [] as string[], ours: false, labels: [] };
  const kim = { ...issue, assignees: ['kim'] };
  expect(checkIssueFree(kim)).toEqual({
    kind: 'issue_not_free',
    issue: '#12',
    standing: 'assigned_elsewhere',
    assignees: ['kim'],
  });
  expect(checkIssueFree({ ...issue, state: 'closed' })).toMatchObject({ standing: 'closed' });
  expect([null, issue, { ...kim, ours: true }].map(checkIssueFree)).toEqual([null, null, null]);
});
