/** What proves that a head of our branch is the base merged into our commit, on real git objects. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBaseMerge } from '../../executors/git/workspace/find-base-merge.ts';
import { createGit } from '../../executors/git/trusted-git.ts';
import { git, write, type Files } from '../support/git-world.ts';

const dir = mkdtempSync(join(tmpdir(), 'agentpr-merge-'));
const gitDir = join(dir, '.git');
const trusted = createGit('https');
afterAll(() => {
  trusted.closeReaders();
  rmSync(dir, { recursive: true, force: true });
});

const BRANCH = 'feature/agentpr-1';
const WORDS = `Merge branch 'main' into ${BRANCH}`;
const made = (tree: string, parents: readonly string[], words = WORDS): string =>
  git(dir, 'commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', words);
const treeOf = (files: Files): string => {
  write(dir, files);
  git(dir, 'add', '-A');
  return git(dir, 'write-tree');
};

let [start, ours, today, merged, tree, side] = ['', '', '', '', '', ''];
beforeAll(() => {
  git(dir, 'init', '-q', '-b', 'main');
  const [a, changed] = ['one\ntwo\nthree\n', 'zero\none\ntwo\nthree\n'];
  start = made(treeOf({ 'a.txt': a, 'b.txt': 'b\n' }), [], 'First');
  side = made(treeOf({ 'side.txt': 'side\n' }), [start], 'Side');
  git(dir, 'rm', '-q', '-f', '--cached', 'side.txt');
  rmSync(join(dir, 'side.txt'));
  ours = made(treeOf({ 'b.txt': 'ours\n' }), [start], 'Ours');
  today = made(treeOf({ 'a.txt': changed, 'b.txt': 'b\n' }), [start], 'Next');
  tree = treeOf({ 'b.txt': 'ours\n' });
  merged = made(tree, [ours, today]);
});
const find = (head: string, change: { tip?: string; ours?: string } = {}) =>
  findBaseMerge(trusted, { gitDir, ours, head, tip: today, ref: 'main', branch: BRANCH, ...change });

describe('a head of our branch', () => {
  it('G2: is proven to be the base merged into ours, and nothing else', async () => {
    expect(await find(merged)).toEqual({ ref: 'main', sha: today, commits: 1 });
    // It was pressed once more before anybody looked.
    const later = made(treeOf({ 'b.txt': 'b\n', 'c.txt': 'c\n' }), [today], 'Later');
    const words = `Merge remote-tracking branch 'origin/main' into ${BRANCH}`;
    const twice = made(treeOf({ 'b.txt': 'ours\n' }), [merged, later], words);
    expect(await find(twice, { tip: later })).toEqual({ ref: 'main', sha: later, commits: 2 });
    git(dir, 'rm', '-q', '-f', 'c.txt');
  });

  it('G2: is somebody else’s when the merge holds anything of its own', async () => {
    const evil = treeOf({ 'evil.txt': 'evil\n' });
    git(dir, 'rm', '-q', '-f', 'evil.txt');
    const oursAlone = git(dir, 'rev-parse', `${ours}^{tree}`);
    for (const own of [evil, oursAlone]) expect(await find(made(own, [ours, today]))).toBeNull();
    // A commit after it, or below it.
    expect(await find(made(tree, [merged], 'Nothing at all'))).toBeNull();
    const below = made(oursAlone, [ours], 'Nothing at all');
    expect(await find(made(tree, [below, today]))).toBeNull();
  });

  it('G2: is somebody else’s when its words are', async () => {
    for (const words of [
      `${WORDS}\n\nCloses #12`,
      `${WORDS} [skip ci]`,
      'Update',
      `Merge branch 'next' into ${BRANCH}`,
    ])
      expect(await find(made(tree, [ours, today], words)), words).toBeNull();
  });

  it('G2: is somebody else’s when what it merges is not on the base branch, or was merged before', async () => {
    const both = git(dir, 'merge-tree', '--write-tree', ours, side);
    expect(await find(made(both, [ours, side]))).toBeNull();
    expect(await find(made(tree, [ours, today, side]))).toBeNull();
    expect(await find(made(git(dir, 'rev-parse', `${ours}^{tree}`), [ours, start]))).toBeNull();
  });

  it('G2: is somebody else’s when it was merged the other way round, or over ours', async () => {
    expect(await find(made(tree, [today, ours]))).toBeNull();
    expect(await find(today)).toBeNull();
    expect(await find(made(tree, [side, today]))).toBeNull();
    expect(await find(ours)).toBeNull();
  });

  it('G2: is somebody else’s when a conflict was resolved in it', async () => {
    const clash = made(treeOf({ 'b.txt': 'theirs\n' }), [today], 'Clash');
    const resolved = made(treeOf({ 'b.txt': 'ours\n' }), [ours, clash]);
    expect(await find(resolved, { tip: clash })).toBeNull();
    // As git leaves it, with its marks.
    const end = await trusted(['merge-tree', '--write-tree', '-z', ours, clash], { gitDir, answers: [1] });
    const marked = end.stdout.slice(0, ours.length);
    expect(await find(made(marked, [ours, clash]), { tip: clash })).toBeNull();
  });

  it('G2: is somebody else’s after more merges than anybody makes', async () => {
    let [at, tip] = [ours, today];
    for (let merges = 0; merges < 6; merges += 1) {
      at = made(git(dir, 'merge-tree', '--write-tree', at, tip), [at, tip]);
      const main = treeOf({ 'a.txt': `zero\none\ntwo\nthree\n${merges}\n`, 'b.txt': 'b\n' });
      tip = made(main, [tip], 'Next');
    }
    expect(await find(at, { tip })).toBeNull();
  });
});
