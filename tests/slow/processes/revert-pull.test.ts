/** Taking back what was merged, compared with `git revert` itself, over a real server (F5, E1). */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RepoRef } from '#ports/workspaces';
import { AT, AUTHOR, createWorld, git, write, type Files, type World } from '../../support/git-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const BASE = {
  'a.txt': Array.from({ length: 12 }, (_, i) => `line ${i}\n`).join(''),
  'b.txt': 'b\n',
  '.gitignore': '*.log\n',
};
const AFTER = BASE['a.txt'].replace('line 3', 'line three');
const authored = { message: 'Revert "Change"', author: AUTHOR, at: AT };
type Merge = 'merge' | 'squash' | 'rebase';

/** A clone in which a maintainer merges what was proposed as these commits. */
const merged = async (
  name: string,
  how: Merge,
  commits: readonly Files[] = [{ 'a.txt': AFTER, 'new.txt': 'n\n' }],
  subject = 'Change',
) => {
  const repo: RepoRef = world.repo(name, BASE);
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-revert-'));
  git(dir, 'clone', '--quiet', world.bare(repo), '.');
  git(dir, 'checkout', '--quiet', '-b', 'ours');
  const subjects = commits.map((files, i) => {
    write(dir, files);
    git(dir, 'add', '--all', '--force');
    git(dir, 'commit', '--quiet', '-m', `${subject} ${i}`);
    return `${subject} ${i}`;
  });
  git(dir, 'checkout', '--quiet', 'main');
  write(dir, { 'other.txt': 'somebody else\n' });
  git(dir, 'add', '--all');
  git(dir, 'commit', '--quiet', '-m', 'Something else');
  if (how === 'merge') git(dir, 'merge', '--quiet', '--no-ff', '-m', 'Merge it', 'ours');
  else if (how === 'squash') {
    git(dir, 'merge', '--quiet', '--squash', 'ours');
    git(dir, 'commit', '--quiet', '-m', 'Change (#12)');
  } else {
    git(dir, 'rebase', '--quiet', 'main', 'ours');
    git(dir, 'checkout', '--quiet', 'main');
    git(dir, 'merge', '--quiet', '--ff-only', 'ours');
  }
  const commit = git(dir, 'rev-parse', 'HEAD');
  const advance = (files: Files): void => {
    write(dir, files);
    git(dir, 'add', '--all', '--force');
    git(dir, 'commit', '--quiet', '-m', 'Later');
  };
  const go = async (change: { subjects?: string[]; commit?: string } = {}) => {
    git(dir, 'push', '--quiet', '--force', 'origin', 'main');
    const runId = `${name}1`;
    const { sha: base, ws } = await world.prepare(runId, repo);
    const of = { pull: '#12', commit, baseRef: 'main', subjects, ...change };
    const revert = () => world.workspaces.revert({ runId, base, merged: of, ...authored });
    return { base, ws, runId, revert, result: await revert() };
  };
  /** Runs `git revert` itself and returns the tree that it makes. */
  const byGit = (...args: string[]): string => {
    git(dir, 'revert', '--no-edit', ...args);
    return git(dir, 'rev-parse', 'HEAD^{tree}');
  };
  return { repo, dir, commit, subjects, advance, go, byGit, close: () => rmSync(dir, { recursive: true }) };
};

describe('a merged pull request is taken back as git revert does it', () => {
  it.each([
    ['a merge commit with two parents', 'merge', ['-m', '1', 'HEAD~1']],
    ['a squash of several commits', 'squash', ['HEAD~1']],
    ['several rebased commits', 'rebase', ['HEAD~1', 'HEAD~2']],
  ] as const)('F5: %s', async (_, how, args) => {
    const one = await merged(`as-${how}`, how, [{ 'a.txt': AFTER }, { 'new.txt': 'n\n' }]);
    one.advance({ 'b.txt': 'later\n' });
    const { result, base, revert } = await one.go();
    if (result.kind !== 'reverted') throw new Error(result.kind);
    expect(result.commit.tree).toBe(one.byGit(...args));
    expect(result.commit).toMatchObject({ base, message: authored.message });
    expect(result.commit.diff.files.map(({ path, status }) => `${status} ${path}`)).toEqual([
      'modified a.txt',
      'deleted new.txt',
    ]);
    // The same again after a crash.
    expect(await revert()).toEqual(result);
    one.close();
  });

  it('F5: what is gone already leaves nothing to revert', async () => {
    const one = await merged('empty', 'squash', [{ 'a.txt': AFTER }]);
    one.byGit('HEAD');
    const { result } = await one.go();
    expect(result).toEqual({ kind: 'empty' });
    one.close();
  });

  it('F5, E1: a conflict is laid out with git’s markers, the same each time, and what is left of them is found', async () => {
    const one = await merged('conflict', 'merge', [{ 'a.txt': AFTER, 'new.txt': 'n\n' }]);
    one.advance({ 'a.txt': AFTER.replace('line three', 'line III') });
    const { result, base, ws, runId, revert } = await one.go();
    if (result.kind !== 'conflicts') throw new Error(result.kind);
    expect(result.paths).toEqual(['a.txt']);
    expect(result.says).toContain('CONFLICT (content)');
    await world.workspaces.reset({ runId, sha: result.laid, base });
    const text = readFileSync(join(ws, 'a.txt'), 'utf8');
    expect(text).toContain(`<<<<<<< ${result.ours}\nline III\n=======\nline 3\n>>>>>>> ${result.theirs}`);
    expect(await revert()).toEqual(result);
    const left = (sha: string) => world.workspaces.unresolved({ runId, sha, ...result });
    expect(await left(result.laid)).toEqual(['a.txt']);
    write(ws, { 'a.txt': text.replace(/<{7}[^]*>{7} .*/, 'line 3') });
    const made = await world.harvest(runId, base);
    if (made.kind !== 'commit') throw new Error(made.kind);
    expect(await left(made.commit.sha)).toEqual([]);
    one.close();
  });

  it('F5: a commit that is not in the history of the base is not reverted', async () => {
    const one = await merged('gone', 'squash');
    git(one.dir, 'reset', '--quiet', '--hard', 'HEAD~1');
    expect((await one.go()).result).toEqual({ kind: 'unreachable' });
    expect((await one.go({ commit: 'f'.repeat(40) })).result).toEqual({ kind: 'unreachable' });
    one.close();
  });

  it('F5: a part of a pull request is never taken for the whole', async () => {
    const one = await merged('part', 'rebase', [{ 'a.txt': AFTER }, { 'new.txt': 'n\n' }]);
    const { result } = await one.go({ subjects: ['Lost on the way', ...one.subjects] });
    expect(result).toEqual({ kind: 'unclear' });
    one.close();
  });
});
