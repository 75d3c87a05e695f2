/**
 * Repositories that are unusual but real: each is prepared, changed, exported and pushed without
 * loss, or refused in a sentence.
 */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RepoRef } from '#ports/workspaces';
import { createWorld, git, write, type World } from '../../support/git-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
// Many files take long to remove on a busy disk.
afterAll(() => world.close(), 180_000);

const failing = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );
/** Adds a file of any path, which need not fit on this disk. */
const addPath = (dir: string, path: string): void => {
  const oid = git(dir, 'hash-object', '-w', 'a.txt');
  git(dir, 'update-index', '--add', '--cacheinfo', `100644,${oid},${path}`);
};
/** Everything a commit holds: mode, id and exact name. */
const treeOf = (dir: string, commit: string): string[] =>
  execFileSync('git', ['ls-tree', '-r', '-z', commit], { cwd: dir, maxBuffer: 1 << 28 })
    .toString('latin1')
    .split('\0')
    .filter((line) => line !== '');

/**
 * The way of a run: workspace, one change, export, push. Gives what the pushed commit has beside
 * its base.
 */
const wholeWay = async (
  runId: string,
  repo: RepoRef,
  change: (ws: string) => void = (ws) => write(ws, { 'added.txt': 'new\n' }),
): Promise<{ less: string[]; more: string[]; clean: boolean; findings: string[] }> => {
  const { sha, ws } = await world.prepare(runId, repo);
  const clean = git(ws, 'status', '--porcelain') === '';
  expect(await world.harvest(runId, sha)).toMatchObject({ kind: 'no_changes', skipped: [] });
  change(ws);
  const made = await world.harvest(runId, sha);
  if (made.kind !== 'commit') throw new Error(JSON.stringify(made));
  const { commit } = made;
  const exported = await world.workspaces.export({ runId, sha: commit.sha });
  expect(await exported.intact()).toBe(true);
  await exported.remove();
  const branch = `agentpr/${runId}`;
  const pushed = await world.workspaces.push({ runId, repo, sha: commit.sha, branch, expect: null });
  expect(pushed).toMatchObject({ kind: 'pushed', sha: commit.sha });
  const [before, after] = [treeOf(world.bare(repo), sha), treeOf(world.bare(repo), commit.sha)];
  const [had, has] = [new Set(before), new Set(after)];
  return {
    less: before.filter((line) => !has.has(line)),
    more: after.filter((line) => !had.has(line)),
    clean,
    findings: [...made.skipped, ...commit.diff.findings].map((f) => `${f.kind} ${f.path}`),
  };
};
const ONLY_ADDED = {
  less: [],
  more: [expect.stringMatching(/^100644 blob \w+\tadded\.txt$/)],
  clean: true,
  findings: [],
};

describe('a repository with', () => {
  it('5,000 files', async () => {
    // As one pack: made by hand, each would cost a file of its own in every copy of the repository.
    const repo = world.repo('many', { 'a.txt': '1\n' });
    const bare = world.bare(repo);
    const files = Array.from({ length: 5_000 }, (_, i) => {
      const content = `${i}\n`;
      return `M 100644 inline src/${i % 100}/part${i}.txt\ndata ${content.length}\n${content}`;
    });
    const commit = `commit refs/heads/main\ncommitter A <a@example.com> 1700000001 +0000\ndata 1\nx\nfrom refs/heads/main^0\n`;
    execFileSync('git', ['-C', bare, 'fast-import', '--quiet'], { input: commit + files.join('') });
    expect(treeOf(bare, 'main')).toHaveLength(5_001);
    expect(await wholeWay('many', repo)).toEqual(ONLY_ADDED);
  });

  it('submodules that are never fetched, names that differ in case only, links in a circle, to nowhere and to the whole disk, folders deeper than an agent may make them, and a file larger than what a change may have', async () => {
    const names = { Readme: 'a\n', README: 'b\n', 'Src/a': 'a\n', 'src/a': 'b\n' };
    const repo = world.repo('odd', { 'a.txt': '1\n', ...names }, (dir) => {
      write(dir, {
        '.gitmodules': '[submodule "lib"]\n\tpath = lib\n\turl = ext::sh -c "touch /tmp/never"\n',
      });
      symlinkSync('two', join(dir, 'one'));
      symlinkSync('one', join(dir, 'two'));
      symlinkSync('.', join(dir, 'self'));
      symlinkSync('nowhere', join(dir, 'dangling'));
      symlinkSync('/', join(dir, 'root'));
      writeFileSync(join(dir, 'data.bin'), 'first\n');
      truncateSync(join(dir, 'data.bin'), 48 * 1024 * 1024);
      git(dir, 'add', '-A');
      git(dir, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib`);
      addPath(dir, `${'d/'.repeat(250)}end`);
    });
    const held = treeOf(world.bare(repo), 'main').map((line) => line.slice(line.indexOf('\t') + 1));
    for (const path of [...Object.keys(names), 'lib', 'one', 'self', 'root', 'data.bin'])
      expect(held).toContain(path);
    const seen = await wholeWay('odd', repo, (ws) => {
      expect(readlinkSync(join(ws, 'root'))).toBe('/');
      write(ws, { 'added.txt': 'new\n' });
    });
    expect(seen).toEqual(ONLY_ADDED);
    expect(world.host.requests.filter((r) => r.includes('lib'))).toEqual([]);
    // A large file that was changed is left out, and said, although it is as long as before.
    const { ws, sha } = await world.prepare('odd2', repo);
    const file = openSync(join(ws, 'data.bin'), 'r+');
    writeSync(file, 'other');
    closeSync(file);
    expect(await world.harvest('odd2', sha)).toMatchObject({
      kind: 'no_changes',
      skipped: [{ kind: 'too_large', path: 'data.bin' }],
    });
    write(ws, { [`${'d/'.repeat(201)}mine/f`]: 'x' });
    expect(await world.harvest('odd2', sha)).toMatchObject({ kind: 'unsafe' });
  });

  it('pointers of large file storage and filters in its attributes: bytes stay as they are', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
    const repo = world.repo('pointers', {
      'model.bin': pointer,
      'windows.txt': 'one\r\ntwo\r\n',
      'unix.txt': 'one\ntwo\n',
      'keyword.c': '$Id$\n',
    });
    // Added afterwards: the bytes above do not agree with it, as is common.
    world.advance(repo, {
      '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n* text=auto eol=crlf\n*.c ident\n',
    });
    const seen = await wholeWay('pointers', repo, (ws) => {
      expect(readFileSync(join(ws, 'model.bin'), 'utf8')).toBe(pointer);
      expect(readFileSync(join(ws, 'windows.txt'), 'utf8')).toBe('one\r\ntwo\r\n');
      write(ws, { 'added.txt': 'new\n' });
    });
    expect(seen).toMatchObject({ less: [], findings: [], more: ONLY_ADDED.more });
  });

  it('names that are not UTF-8, or have line breaks, quotes, backslashes and leading dashes', async () => {
    const odd = [
      '-rf',
      '--',
      'a\nb',
      'say "hi"',
      "it's",
      'back\\slash',
      ' lead',
      'tail ',
      '*',
      ':(top)x',
      'tab\there',
    ];
    const repo = world.repo('names', Object.fromEntries(odd.map((name) => [name, 'x\n'])), (dir) => {
      const raw = Buffer.concat([Buffer.from(`${dir}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]);
      writeFileSync(raw, 'latin\n');
      git(dir, 'add', '-A', '--force');
    });
    const seen = await wholeWay('names', repo, (ws) => {
      write(ws, { 'added.txt': 'new\n', '-rf': 'y\n', 'a\nb': 'y\n' });
      rmSync(join(ws, '*'));
    });
    const names = (lines: string[]): string[] =>
      lines.map((line) => line.slice(line.indexOf('\t') + 1)).sort();
    expect(names(seen.less)).toEqual(['*', '-rf', 'a\nb']);
    expect(names(seen.more)).toEqual(['-rf', 'a\nb', 'added.txt']);
  });

  it('links in place of files that we read: what they lead to in the repository is read, and nothing else', async () => {
    const repo = world.repo('rules', { 'dev/rules.md': 'No AI.\n' }, (dir) => {
      symlinkSync('dev/rules.md', join(dir, 'CONTRIBUTING.md'));
      mkdirSync(join(dir, 'docs'));
      symlinkSync('../dev/rules.md', join(dir, 'docs/CONTRIBUTING.md'));
      symlinkSync('CONTRIBUTING.md', join(dir, 'HACKING.md'));
      symlinkSync('/etc/passwd', join(dir, 'AGENTS.md'));
      symlinkSync('../../../../../../etc/passwd', join(dir, 'AI_POLICY.md'));
      git(dir, 'add', '-A');
    });
    const { sha } = await world.prepare('rules', repo);
    const tree = await world.workspaces.tree('rules', sha);
    const read = await tree.read(tree.paths);
    expect(Object.fromEntries(read)).toEqual({
      'dev/rules.md': 'No AI.\n',
      'CONTRIBUTING.md': 'No AI.\n',
      'docs/CONTRIBUTING.md': 'No AI.\n',
    });
  });

  it.each([
    ['a name that is longer than any here', 'n'.repeat(256)],
    ['a path that is longer than any here', `${'n'.repeat(250)}/`.repeat(17)],
  ])('%s: it is refused in a sentence', async (_, path) => {
    const name = `long${path.length}`;
    const repo = world.repo(name, { 'a.txt': '1\n' }, (dir) => addPath(dir, `${path}end`));
    expect(await failing(world.prepare(name, repo))).toMatchObject({
      class: 'env_missing',
      message: expect.stringMatching(
        /^The repository has a path that is too long for this machine/,
      ) as string,
    });
  });

  it('a tag of the same name as the branch', async () => {
    const repo = world.repo('tagged', { 'a.txt': '1\n' });
    const old = git(world.bare(repo), 'rev-parse', 'main');
    git(world.bare(repo), 'tag', 'main', old);
    git(world.bare(repo), 'tag', 'agentpr/tagged', old);
    const sha = world.advance(repo, { 'b.txt': '2\n' });
    expect((await world.prepare('tagged', repo)).sha).toBe(sha);
    expect(await wholeWay('tagged', repo)).toEqual(ONLY_ADDED);
  });

  it('a head that names no branch', async () => {
    const repo = world.repo('headless', { 'a.txt': '1\n' });
    writeFileSync(join(world.bare(repo), 'HEAD'), `${git(world.bare(repo), 'rev-parse', 'main')}\n`);
    expect((await world.prepare('headless', repo)).sha).toBe(git(world.bare(repo), 'rev-parse', 'main'));
    writeFileSync(join(world.bare(repo), 'HEAD'), 'ref: refs/heads/gone\n');
    expect(await wholeWay('headless2', repo)).toEqual(ONLY_ADDED);
  });

  it('no file at all', async () => {
    const repo = world.repo('bare', {}, () => {});
    expect(await wholeWay('bare', repo)).toEqual(ONLY_ADDED);
  });

  it('a history that was cut off', async () => {
    const full = world.repo('deep', { 'a.txt': '1\n' });
    for (let i = 0; i < 3; i++) world.advance(full, { 'a.txt': `next ${i}\n` });
    const cut: RepoRef = { name: 'acme/cut', cloneUrl: full.cloneUrl.replace('deep', 'cut') };
    git(world.dir, 'clone', '-q', '--bare', '--depth=1', `file://${world.bare(full)}`, world.bare(cut));
    expect(await wholeWay('cut', cut)).toEqual(ONLY_ADDED);
    const base = git(world.bare(cut), 'rev-parse', 'main');
    const head = git(world.bare(cut), 'rev-parse', 'agentpr/cut');
    world.advance(full, { 'b.txt': 'moved on\n' });
    git(world.bare(cut), 'fetch', '-q', world.bare(full), 'main:main');
    expect(await world.workspaces.compare({ runId: 'cut', repo: cut, base: 'main', head })).toMatchObject({
      mergeBase: base,
      conflicts: false,
    });
  });
});

it('refuses a repository of the other kind of ids in a sentence', async () => {
  const repo: RepoRef = { name: 'acme/sha256', cloneUrl: `${world.host.origin}/acme/sha256.git` };
  git(world.dir, 'init', '-q', '--bare', '--object-format=sha256', '-b', 'main', world.bare(repo));
  const tree = git(world.bare(repo), 'mktree', '--missing');
  git(
    world.bare(repo),
    'update-ref',
    'refs/heads/main',
    git(world.bare(repo), 'commit-tree', '-m', 'x', tree),
  );
  expect(await failing(world.prepare('sha256', repo))).toMatchObject({
    class: 'forge_refused',
    message: expect.stringMatching(/SHA-256/) as string,
  });
});

describe('while a run is under way', () => {
  const started = async (name: string): Promise<{ repo: RepoRef; base: string; head: string }> => {
    const repo = world.repo(name, { 'a.txt': '1\n', 'b.txt': '1\n' });
    const { sha, ws } = await world.prepare(name, repo);
    write(ws, { 'a.txt': '2\n' });
    const made = await world.harvest(name, sha);
    if (made.kind !== 'commit') throw new Error(made.kind);
    return { repo, base: sha, head: made.commit.sha };
  };
  const compare = (runId: string, repo: RepoRef, head: string, base = 'main') =>
    world.workspaces.compare({ runId, repo, base, head });

  it('the default branch moves on', async () => {
    const { repo, base, head } = await started('moves');
    world.advance(repo, { 'b.txt': '2\n' });
    expect(await compare('moves', repo, head)).toMatchObject({ mergeBase: base, conflicts: false });
    world.advance(repo, { 'a.txt': '3\n' });
    expect(await compare('moves', repo, head)).toMatchObject({ mergeBase: base, conflicts: true });
  });

  it('the default branch is rewritten, in part or from nothing', async () => {
    const { repo, base, head } = await started('rewritten');
    const bare = world.bare(repo);
    const tree = git(bare, 'rev-parse', 'main^{tree}');
    git(bare, 'update-ref', 'refs/heads/main', git(bare, 'commit-tree', '-m', 'another first', tree));
    expect(await failing(compare('rewritten', repo, head))).toMatchObject({
      class: 'forge_refused',
      message: expect.stringContaining('no commit in common') as string,
    });
    // What the run had is not lost, although nothing names it any more.
    const patch = await world.workspaces.patch({ runId: 'rewritten', base, head, limit: 10_000 });
    expect(patch.text).toContain('+++ b/a.txt');
    const push = { runId: 'rewritten', repo, sha: head, branch: 'agentpr/rewritten', expect: null };
    expect(await world.workspaces.push(push)).toMatchObject({ kind: 'pushed' });
  });

  it('the default branch is set back by more commits than are read at once', async () => {
    const repo = world.repo('set-back', { 'a.txt': '1\n' });
    const first = git(world.bare(repo), 'rev-parse', 'main');
    const commits = Array.from(
      { length: 1_100 },
      (_, i) =>
        `commit refs/heads/main\ncommitter A <a@example.com> ${1_700_000_000 + i} +0000\ndata 1\nx\n` +
        (i === 0 ? `from ${first}\n` : ''),
    );
    execFileSync('git', ['-C', world.bare(repo), 'fast-import', '--quiet'], { input: commits.join('') });
    const { sha, ws } = await world.prepare('set-back', repo);
    write(ws, { 'a.txt': '2\n' });
    const made = await world.harvest('set-back', sha);
    if (made.kind !== 'commit') throw new Error(made.kind);
    git(world.bare(repo), 'update-ref', 'refs/heads/main', first);
    expect(await compare('set-back', repo, made.commit.sha)).toMatchObject({
      mergeBase: first,
      conflicts: false,
    });
  });

  it('the default branch is renamed or deleted', async () => {
    const { repo, head } = await started('gone');
    git(world.bare(repo), 'branch', '-m', 'main', 'trunk');
    expect(await failing(compare('gone', repo, head))).toMatchObject({
      class: 'base_missing',
      message: expect.stringContaining('no branch named "main"') as string,
    });
    expect(await compare('gone', repo, head, 'trunk')).toMatchObject({ conflicts: false });
  });

  it('the repository is renamed, made private or deleted', async () => {
    const { repo, head } = await started('private');
    const { fate } = world.host;
    const push = { runId: 'private', repo, sha: head, branch: 'agentpr/private', expect: null };
    const asks = {
      compare: () => compare('private', repo, head),
      push: () => world.workspaces.push(push),
      prepare: () => world.prepare('again', repo),
    };
    const harms: [harm: () => unknown, asked: (keyof typeof asks)[]][] = [
      [() => (fate.redirect = 'http://127.0.0.1:9'), ['compare', 'push', 'prepare']],
      [() => (fate.status = { code: 404, path: /private/ }), ['compare', 'push']],
      [() => (fate.status = { code: 403, path: /private/ }), ['push', 'prepare']],
    ];
    for (const [harm, asked] of harms) {
      harm();
      for (const name of asked)
        expect(await failing(asks[name]())).toMatchObject({ class: 'repository_missing' });
      Object.assign(fate, { redirect: null, status: null });
    }
    // When it is back, everything is still there.
    expect(await world.workspaces.push(push)).toMatchObject({ kind: 'pushed' });
  });

  it('somebody makes a branch that is in the way of ours', async () => {
    const { repo, base, head } = await started('inway');
    git(world.bare(repo), 'branch', 'agentpr', base);
    const push = { runId: 'inway', repo, sha: head, branch: 'agentpr/inway', expect: null };
    expect(await world.workspaces.push(push)).toMatchObject({ kind: 'rejected', because: 'name' });
    git(world.bare(repo), 'branch', '-D', 'agentpr');
    git(world.bare(repo), 'branch', 'agentpr/inway/deeper', base);
    expect(await world.workspaces.push(push)).toMatchObject({ kind: 'rejected', because: 'name' });
  });

  it('the mirror forgets nothing that another run still needs', async () => {
    const { repo, base, head } = await started('kept');
    world.advance(repo, { 'c.txt': 'other\n' }, 'other');
    for (let i = 0; i < 2; i++) {
      world.advance(repo, { 'c.txt': `${i}\n` }, 'other');
      await world.prepare(`kept${i}`, repo, 'other');
    }
    expect(readdirSync(join(world.data, 'runs'))).toContain('kept');
    const patch = await world.workspaces.patch({ runId: 'kept', base, head, limit: 10_000 });
    expect(patch.text).toContain('+++ b/a.txt');
  });
});
