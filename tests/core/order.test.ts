/** What an order may name: it reaches git, a shell and a phone. */
import { expect, it } from 'vitest';
import { BranchName, Order, RepositoryName } from '#model/order';
import { canonicalJson } from '#model/seal';
import { order } from '../support/core.ts';

it('G5: a repository is what any code host calls one, and nothing that leads elsewhere', () => {
  for (const name of [
    ...['ana/app', 'a-b/.github', 'ana/app.js', 'ana/...', 'ana', 'ana/a/b', '~ana/app', 'группа/проект'],
    ...['group/sub/project', 'git.example.org:8443/group/sub/project', 'org/_git/repo', 'c++/boost+x'],
  ])
    expect(RepositoryName.safeParse(name).success, name).toBe(true);
  for (const name of [
    '',
    '/',
    '/ana',
    'ana//app',
    '../app',
    'ana/../app',
    'ana/',
    'ana/..',
    'ana/.',
    '-ana/app',
    'ana/a b',
    'ana/app\n',
    'ana\\app',
    'ana/$(app)',
    `ana/${'a'.repeat(400)}`,
  ])
    expect(RepositoryName.safeParse(name).success, name).toBe(false);
});

it('E14: a branch is a name that git takes, and no option', () => {
  for (const name of ['fix/it', 'a', 'release-1.2', 'a@b'])
    expect(BranchName.safeParse(name).success, name).toBe(true);
  for (const name of [
    ...[
      '',
      '-x',
      '/a',
      'a/',
      'a//b',
      'a..b',
      'a.',
      '.a',
      'a/.b',
      '@',
      'a@{b',
      'a b',
      'a~',
      'a^',
      'a:b',
      'a?',
      'a*',
    ],
    ...['a[b', 'a\\b', 'a\u007f', 'a\n', 'a.lock', 'a.lock/b'],
  ])
    expect(BranchName.safeParse(name).success, JSON.stringify(name)).toBe(false);
});

it('C5: what people and agents read has no control characters and is whole text', () => {
  for (const goal of ['Two\nlines\tand a tab', 'ä 🙂'])
    expect(Order.safeParse(order({ goal })).success).toBe(true);
  for (const goal of ['', 'a\u0000', 'a\u001b[2J', 'a\u007f', 'a\ud800'])
    expect(Order.safeParse(order({ goal })).success, JSON.stringify(goal)).toBe(false);
  expect(Order.safeParse(order({ checks: ['echo \u0007'] })).success).toBe(false);
  expect(Order.safeParse(order({ title: 'a\u0008b' })).success).toBe(false);
});

it('G2: the same value is sealed as the same text, in whatever order it was put together', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe(
    canonicalJson({ a: null, b: [{ c: 2, d: 1 }] }),
  );
  expect(canonicalJson({ a: 1, b: undefined })).toBe(canonicalJson({ a: 1 }));
  expect(canonicalJson(['a', 'b'])).not.toBe(canonicalJson(['b', 'a']));
});
