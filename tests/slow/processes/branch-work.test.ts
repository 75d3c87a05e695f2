/**
 * Merging the base, and reading what somebody else pushed, with real git and a real server (S10,
 * E1).
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExposedSecrets } from '../../../executors/sandbox/exposed-secrets.ts';
import { readMergeTree } from '../../../executors/git/workspace/merge-base-into-change.ts';
import { assessAction } from '../../../governor/assess-action.ts';
import { MB } from '#model/values';
import type { CollectedChange, RepoRef } from '#ports/workspaces';
import { context, push } from '../../support/actions.ts';
import { AT, AUTHOR, createWorld, git, write, type Files, type World } from '../../support/git-world.ts';

let world: World;
const KEY = 'sk-lent-4711-a1b2c3d4e5f6g7h8i9j0';
beforeAll(async () => {
  const lent = createExposedSecrets();
  lent.add('OPENAI_API_KEY', [KEY]);
  world = await createWorld(lent);
});
afterAll(() => world.close());

const BASE = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n', 'gone.txt': 'x\n', '.gitignore': '*.log\n' };
const authored = { message: 'Merge', author: AUTHOR, at: AT };

/** A change of one run, and what the base did meanwhile. */
const changed = async (name: string, ours: Files, theirs: Files, drop: string[] = []) => {
  const repo = world.repo(name, BASE);
  const runId = `${name}1`;
  const { sha: base, ws } = await world.prepare(runId, repo);
  write(ws, ours);
  for (const path of drop) rmSync(join(ws, path));
  const made = await world.harvest(runId, base);
  if (made.kind !== 'commit') throw new Error(made.kind);
  const today = world.advance(repo, theirs);
  const head = made.commit.sha;
  const merge = (pushed: string | null) =>
    world.workspaces.merge({ runId, repo, ref: 'main', head, pushed, ...authored });
  const trusted = (...args: string[]): string => git(join(world.data, 'runs', runId, 'git'), ...args);
  return { repo, runId, base, ws, head, today, merge, trusted };
};
const parentsOf = (one: { trusted: (...a: string[]) => string }, sha: string): string[] =>
  one.trusted('show', '-s', '--format=%P', sha).split(' ');

describe('merging the base', () => {
  it('E16: finds what was lent to an agent in the change that it brings onto the new base', async () => {
    const one = await changed('lent', { 'b.txt': `${KEY}\n` }, { 'a.txt': 'new\n' });
    const merge = await one.merge(null);
    if (merge.kind !== 'merged') throw new Error(merge.kind);
    expect(merge.commit.diff.findings).toContainEqual({
      kind: 'exposed_credential',
      path: 'b.txt',
      line: 0,
      note: { kind: 'exposed_credentials', names: ['OPENAI_API_KEY'] },
    });
  });

  it('S10: of a change that was never pushed puts it on the new base, and brings the workspace to it', async () => {
    const one = await changed(
      'rebase',
      { 'b.txt': 'ours\n' },
      { 'a.txt': 'zero\none\ntwo\nthree\n', 'new.log': 'n\n' },
    );
    const merge = await one.merge(null);
    if (merge.kind !== 'merged') throw new Error(merge.kind);
    expect(merge).toMatchObject({ sha: one.today, commits: 1, commit: { base: one.today } });
    expect(parentsOf(one, merge.commit.sha)).toEqual([one.today]);
    // What it shows is the change alone, and none of what the base brought.
    expect(merge.commit.diff.files.map((f) => f.path)).toEqual(['b.txt']);
    expect(readFileSync(join(one.ws, 'a.txt'), 'utf8')).toContain('zero');
    expect(readFileSync(join(one.ws, 'b.txt'), 'utf8')).toBe('ours\n');
  });

  it('S10: of what was pushed makes a commit on both, so that nothing is pushed over', async () => {
    const one = await changed('both', { 'b.txt': 'ours\n' }, { 'a.txt': 'zero\n' });
    const at = { runId: one.runId, repo: one.repo, branch: 'change' };
    await world.workspaces.push({ ...at, sha: one.head, expect: null });
    const merge = await one.merge(one.head);
    if (merge.kind !== 'merged') throw new Error(merge.kind);
    expect(parentsOf(one, merge.commit.sha)).toEqual([one.head, one.today]);
    const pushed = await world.workspaces.push({ ...at, sha: merge.commit.sha, expect: one.head });
    expect(pushed.kind).toBe('pushed');
    const { mergeBase, conflicts, diff } = await world.workspaces.compare({
      runId: one.runId,
      repo: one.repo,
      base: 'main',
      head: merge.commit.sha,
    });
    expect({ mergeBase, conflicts, diff }).toEqual({
      mergeBase: one.today,
      conflicts: false,
      diff: merge.commit.diff.digest,
    });
  });

  it('S10: of a base with nothing new says so', async () => {
    const one = await changed('level', { 'b.txt': 'ours\n' }, { 'a.txt': 'zero\n' });
    const first = await one.merge(null);
    if (first.kind !== 'merged') throw new Error(first.kind);
    const again = await world.workspaces.merge({
      runId: one.runId,
      repo: one.repo,
      ref: 'main',
      head: first.commit.sha,
      pushed: null,
      ...authored,
    });
    expect(again).toEqual({ kind: 'level', sha: one.today });
  });

  it('S10: that conflicts lays the marked files out, and takes no commit that still has a marker', async () => {
    const one = await changed(
      'clash',
      { 'a.txt': 'one\nOURS\nthree\n' },
      { 'a.txt': 'one\nTHEIRS\nthree\n', 'kept.log': 'tracked\n' },
    );
    const merge = await one.merge(null);
    if (merge.kind !== 'conflicts') throw new Error(merge.kind);
    expect(merge.paths).toEqual(['a.txt']);
    expect(merge.says).toContain('a.txt');
    const marked = readFileSync(join(one.ws, 'a.txt'), 'utf8');
    expect(marked).toContain(`<<<<<<< ${one.head}`);
    const take = async (): Promise<Extract<CollectedChange, { kind: 'commit' }>['commit']> => {
      const made = await world.workspaces.harvest({
        runId: one.runId,
        base: merge.sha,
        parent: merge.laid,
        parents: [one.head, merge.sha],
        evenSame: true,
        ...authored,
      });
      if (made.kind !== 'commit') throw new Error(made.kind);
      return made.commit;
    };
    const left = (sha: string, ours = one.head): Promise<string[]> =>
      world.workspaces.unresolved({ runId: one.runId, sha, ours, theirs: merge.sha, paths: merge.paths });
    const untouched = await take();
    expect(await left(untouched.sha)).toEqual(['a.txt']);
    for (const half of [marked.replace(/^<<<.*\n/m, ''), marked.replace(/^>>>.*\n/m, ''), 'one\n=======\n']) {
      writeFileSync(join(one.ws, 'a.txt'), half);
      expect(await left((await take()).sha)).toEqual(['a.txt']);
    }
    writeFileSync(join(one.ws, 'a.txt'), 'one\nBOTH\nthree\n');
    const done = await take();
    expect(await left(done.sha)).toEqual([]);
    expect(parentsOf(one, done.sha)).toEqual([one.head, one.today]);
    // A file of the base that its own rules ignore is still there.
    expect(done.diff.files.map((f) => f.path)).toEqual(['a.txt']);
  });

  it('S10: sees a marker in a file whose name is no text', async () => {
    const name = Buffer.concat([Buffer.from('caf'), Buffer.from([0xe9]), Buffer.from('.txt')]);
    const put = (dir: string, text: string): void =>
      writeFileSync(Buffer.concat([Buffer.from(`${dir}/`), name]), text);
    let work = '';
    const repo = world.repo('latin1', BASE, (dir) => {
      work = dir;
      put(dir, 'one\n');
      git(dir, 'add', '-A');
    });
    const { sha: base, ws } = await world.prepare('latin11', repo);
    put(ws, 'ours\n');
    const made = await world.harvest('latin11', base);
    if (made.kind !== 'commit') throw new Error(made.kind);
    put(work, 'theirs\n');
    git(work, 'commit', '-q', '-a', '-m', 'next');
    git(work, 'push', '-q', world.bare(repo), 'HEAD:refs/heads/main');
    const at = { runId: 'latin11', repo, ref: 'main', head: made.commit.sha, pushed: null };
    const merge = await world.workspaces.merge({ ...at, ...authored });
    if (merge.kind !== 'conflicts') throw new Error(merge.kind);
    expect(merge.paths).toEqual(['caf\\xe9.txt']);
    const of = { runId: 'latin11', ours: made.commit.sha, theirs: merge.sha, paths: merge.paths };
    expect(await world.workspaces.unresolved({ ...of, sha: merge.laid })).toEqual(['caf\\xe9.txt']);
  });

  it('S10: takes a heading of dashes that was there before for what it is', async () => {
    const title = 'Title\n=======\n';
    const one = await changed('title', { 'r.rst': `${title}ours\n` }, { 'r.rst': `${title}theirs\n` });
    const merge = await one.merge(null);
    if (merge.kind !== 'conflicts') throw new Error(merge.kind);
    writeFileSync(join(one.ws, 'r.rst'), `${title}both\n`);
    const made = await world.workspaces.harvest({
      runId: one.runId,
      base: merge.sha,
      parent: merge.laid,
      parents: [merge.sha],
      ...authored,
    });
    if (made.kind !== 'commit') throw new Error(made.kind);
    const asked = { runId: one.runId, ours: one.head, theirs: merge.sha, paths: merge.paths };
    expect(await world.workspaces.unresolved({ ...asked, sha: made.commit.sha })).toEqual([]);
  });

  it('S10: tells of a file that one side removed, which has no marker', async () => {
    const one = await changed('removed', {}, { 'gone.txt': 'changed\n' }, ['gone.txt']);
    const merge = await one.merge(null);
    if (merge.kind !== 'conflicts') throw new Error(merge.kind);
    expect(merge.paths).toEqual(['gone.txt']);
    expect(merge.says).toContain('gone.txt');
  });

  it('S10: refuses words of git that it cannot read', () => {
    expect(() => readMergeTree(Buffer.from('fatal: nonsense'))).toThrow();
    const tree = 'a'.repeat(40);
    expect(readMergeTree(Buffer.from(`${tree}\0`))).toEqual({ tree, paths: [], says: '' });
    const marked =
      `${tree}\0x y.txt\0\0` +
      `1\0x y.txt\0Auto-merging\0Auto-merging x\n\0` +
      `1\0x y.txt\0CONFLICT (contents)\0CONFLICT in x\n\0`;
    expect(readMergeTree(Buffer.from(marked))).toEqual({ tree, paths: ['x y.txt'], says: 'CONFLICT in x' });
  });
});

describe('a base that is another one by now', () => {
  it('F12: commits that came since the repository has another name are seen', async () => {
    const one = await changed('called', { 'b.txt': 'ours\n' }, { 'new.txt': 'n\n' });
    const today = { ...one.repo, name: 'acme/called-otherwise' };
    const at = { runId: one.runId, repo: today };
    const compared = await world.workspaces.compare({ ...at, base: 'main', head: one.head });
    expect(compared).toMatchObject({ tip: one.today, mergeBase: one.base, conflicts: false });
    const { commit, tip } = await world.workspaces.against({ ...at, ref: 'main', sha: one.head });
    expect([tip, commit.sha, commit.base]).toEqual([one.today, one.head, one.base]);
    // Both are borrowed from for as long as the run is there.
    const borrowed = readFileSync(join(world.data, 'runs', one.runId, 'git/objects/info/alternates'), 'utf8');
    expect(borrowed.trim().split('\n')).toHaveLength(2);
  });

  it('F12: a change shows against it whatever the old base had besides', async () => {
    const one = await changed('moved', { 'b.txt': 'ours\n' }, { 'main.txt': 'only here\n' });
    const clone = join(world.dir, 'clone-moved');
    git(world.dir, 'clone', '-q', world.bare(one.repo), clone);
    git(clone, 'checkout', '-q', '-b', 'develop', one.base);
    write(clone, { 'a.txt': 'develop\n' });
    git(clone, 'commit', '-q', '-a', '-m', 'Develop');
    git(clone, 'push', '-q', 'origin', 'develop');
    const merged = await one.merge(one.head);
    if (merged.kind !== 'merged') throw new Error(merged.kind);
    const at = { runId: one.runId, repo: one.repo, ref: 'develop' };
    const ours = await world.workspaces.against({ ...at, sha: one.head });
    expect(ours.commit.diff.files.map((f) => f.path)).toEqual(['b.txt']);
    // What of the old base is in it is shown as part of it.
    const theirs = await world.workspaces.against({ ...at, sha: merged.commit.sha });
    expect(theirs.commit.diff.files.map((f) => f.path)).toEqual(['b.txt', 'main.txt']);
    expect(theirs.commit.base).toBe(one.base);
    await expect(world.workspaces.against({ ...at, ref: 'none', sha: one.head })).rejects.toMatchObject({
      class: 'base_missing',
    });
  });
});

describe('what somebody else pushed', () => {
  const pushedRun = async (name: string) => {
    const repo: RepoRef = world.repo(name, BASE);
    const { sha: base, ws } = await world.prepare(`${name}1`, repo);
    write(ws, { 'b.txt': 'ours\n' });
    const made = await world.harvest(`${name}1`, base);
    if (made.kind !== 'commit') throw new Error(made.kind);
    const ours = made.commit.sha;
    await world.workspaces.push({ runId: `${name}1`, repo, sha: ours, branch: 'change', expect: null });
    const head = () =>
      world.workspaces.head({ runId: `${name}1`, repo, branch: 'change', ours, ref: 'main', baseRepo: repo });
    return { repo, base, ours, head, ws };
  };

  it('S10: is read with its author, its subject and its size, and as what a pull request would show', async () => {
    const one = await pushedRun('theirs');
    const clone = join(world.dir, 'clone-theirs');
    git(world.dir, 'clone', '-q', '-b', 'change', world.bare(one.repo), clone);
    write(clone, { 'c.txt': 'theirs\n' });
    git(clone, 'add', '-A');
    git(clone, 'commit', '-q', '-m', 'Add c\n\nBecause.');
    git(clone, 'push', '-q', 'origin', 'change');
    const head = await one.head();
    expect(head).toMatchObject({
      author: 'Olga <olga@example.org>',
      subject: 'Add c',
      commits: 1,
      containsOurs: true,
      diffFromOurs: { files: 1, added: 1, deleted: 0 },
    });
    expect(head?.commit.base).toBe(one.base);
    expect(head?.commit.diff.files.map((f) => f.path)).toEqual(['b.txt', 'c.txt']);
    // It can be worked on: the workspace is brought to it from our own objects.
    await world.workspaces.reset({ runId: 'theirs1', sha: head?.sha ?? '', base: one.base });
    expect(readFileSync(join(one.ws, 'c.txt'), 'utf8')).toBe('theirs\n');
  });

  it('G2: is told apart when it is the base merged into ours, as *Update branch* makes it', async () => {
    const one = await pushedRun('updated');
    const today = world.advance(one.repo, { 'c.txt': 'new\n' });
    const clone = join(world.dir, 'clone-updated');
    git(world.dir, 'clone', '-q', '-b', 'change', world.bare(one.repo), clone);
    const merge = ['merge', '-q', '--no-ff', '-m', "Merge branch 'main' into change", 'origin/main'];
    git(clone, ...merge);
    git(clone, 'push', '-q', 'origin', 'change');
    const head = await one.head();
    expect(head?.mergedBase).toEqual({ ref: 'main', sha: today, commits: 1 });
    expect(head?.commit.base).toBe(today);
    expect(head?.commit.diff.files.map((f) => f.path)).toEqual(['b.txt']);
  });

  it('G8: says of a file that is too large to be looked through that nobody has read it', async () => {
    const one = await pushedRun('unread');
    const clone = join(world.dir, 'clone-unread');
    git(world.dir, 'clone', '-q', '-b', 'change', world.bare(one.repo), clone);
    write(clone, { 'big.bin': Buffer.alloc(20 * MB + 1), 'c.txt': 'theirs\n' });
    git(clone, 'add', '-A');
    git(clone, 'commit', '-q', '-m', 'Add what nobody reads');
    git(clone, 'push', '-q', 'origin', 'change');
    const diff = (await one.head())?.commit.diff;
    const found = diff?.findings.filter((f) => f.kind === 'not_read' || f.kind === 'too_large');
    expect(found?.map((f) => [f.kind, f.path, f.note])).toEqual([
      ['not_read', 'big.bin', { kind: 'bytes', bytes: 20 * MB + 1, skipped: false }],
    ]);
    expect(assessAction(push({ findings: found ?? [] }), context).decision).toBe('deny');
  });

  it('S10: that was pushed over ours is told apart, and a branch that is gone is nothing', async () => {
    const one = await pushedRun('over');
    world.advance(one.repo, { 'd.txt': 'd\n' }, 'change');
    expect(await one.head()).toMatchObject({ containsOurs: false, commits: 1 });
    git(world.bare(one.repo), 'update-ref', '-d', 'refs/heads/change');
    expect(await one.head()).toBeNull();
  });
});
