/** E1: workspaces after crashes, corruption and a rewritten branch. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, everything, git, type World } from '../../support/git-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const FILES = { 'a.txt': 'one\n', 'src/run.sh': '#!/bin/sh\n', 'docs/ü.md': 'x\n', '.gitignore': '*.log\n' };
const failing = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('prepare', () => {
  it('E1: shares no inode between mirror, trusted directory and workspaces, and survives their corruption', async () => {
    const repo = world.repo('isolated', { ...FILES, 'big.bin': Buffer.alloc(300_000, 7) });
    for (let i = 0; i < 3; i++) world.advance(repo, { [`more-${i}.txt`]: `${i}\n` });
    const first = await world.prepare('iso1', repo);
    await world.prepare('iso2', repo);
    const owners = ['mirrors', 'runs/iso1', 'runs/iso2'].map((part) =>
      everything(join(world.data, part)).filter((e) => e.file),
    );
    for (const files of owners) expect(files.filter((e) => e.nlink > 1)).toEqual([]);
    const inodes = owners.flat().map((e) => e.ino);
    expect(new Set(inodes).size).toBe(inodes.length);

    for (const entry of everything(first.ws)) {
      if (!entry.file) continue;
      chmodSync(entry.path, 0o644);
      writeFileSync(entry.path, 'corrupted by the agent');
    }
    const mirror = join(world.data, 'mirrors/acme%2Fisolated.git');
    expect(git(mirror, 'fsck', '--full', '--no-dangling')).toBe('');
    expect(git(join(world.data, 'runs/iso1/git'), 'fsck', '--full', '--no-dangling')).toBe('');
    const again = await world.prepare('iso3', repo);
    expect(readFileSync(join(again.ws, 'a.txt'), 'utf8')).toBe('one\n');
  });

  it('works again after a crash left locks and half-made things behind', async () => {
    const repo = world.repo('crashed', FILES);
    await world.prepare('crash1', repo);
    const mirror = join(world.data, 'mirrors/acme%2Fcrashed.git');
    const ref = readdirSync(join(mirror, 'refs/branches'))[0] ?? '';
    for (const lock of ['packed-refs.lock', 'HEAD.lock', 'shallow.lock', `refs/branches/${ref}.lock`])
      writeFileSync(join(mirror, lock), '');
    writeFileSync(join(mirror, 'objects/pack/tmp_pack_x'), 'half');
    const run = join(world.data, 'runs/crash1');
    for (const lock of ['git/index.lock', 'git/index']) writeFileSync(join(run, lock), 'garbage');
    rmSync(join(run, 'ready.json'));
    mkdirSync(join(world.data, 'mirrors/acme%2Fcrashed.seeds/making/tree'), { recursive: true });
    const sha = world.advance(repo, { 'b.txt': 'two\n' });
    const made = await world.prepare('crash1', repo);
    expect(made.sha).toBe(sha);
    expect(git(made.ws, 'status', '--porcelain')).toBe('');
    expect(existsSync(join(mirror, 'objects/pack/tmp_pack_x'))).toBe(false);
  });

  it('follows a branch that was rewritten, and one whose name became a folder', async () => {
    const repo = world.repo('moving', FILES);
    world.advance(repo, { 'x.txt': '1\n' }, 'topic');
    await world.prepare('move1', repo, 'topic');
    git(world.bare(repo), 'branch', '-D', 'topic');
    const sha = world.advance(repo, { 'x.txt': '2\n' }, 'topic/deep');
    expect((await world.prepare('move2', repo, 'topic/deep')).sha).toBe(sha);
  });

  it('says in a sentence what is missing', async () => {
    const repo = world.repo('some', FILES);
    expect(await failing(world.prepare('m1', repo, 'nope'))).toMatchObject({
      class: 'base_missing',
      message: expect.stringContaining('no branch named "nope"') as string,
    });
    for (const base of ['--upload-pack=x', 'a..b', 'x:y', '*', 'refs/heads/main'])
      expect(await failing(world.prepare('m2', repo, base))).toMatchObject({ class: 'base_missing' });
    const empty = world.repo('empty', {});
    expect(await failing(world.prepare('m3', empty))).toMatchObject({ class: 'repository_empty' });
    const gone = { name: 'acme/gone', cloneUrl: `${world.host.origin}/acme/gone.git` };
    expect(await failing(world.prepare('m4', gone))).toMatchObject({ class: 'repository_missing' });
    expect(await world.workspaces.exists('m4')).toBe(false);
  });

  it('stops when asked to', async () => {
    const repo = world.repo('stopped', FILES);
    const signal = AbortSignal.abort();
    const input = { runId: 's1', repo, base: null, defaultBranch: 'main', signal };
    expect(await failing(world.workspaces.prepare(input))).toMatchObject({ class: 'cancelled' });
  });
});

describe('reset, tree and export', () => {
  it('puts the workspace back to a commit of its own', async () => {
    const repo = world.repo('resetting', FILES);
    const { sha, ws } = await world.prepare('r1', repo);
    writeFileSync(join(ws, 'a.txt'), 'two\n');
    const made = await world.harvest('r1', sha);
    if (made.kind !== 'commit') throw new Error(made.kind);
    writeFileSync(join(ws, 'a.txt'), 'broken\n');
    writeFileSync(join(ws, 'junk.txt'), 'junk\n');
    rmSync(join(ws, '.git'), { recursive: true });
    await world.workspaces.reset({ runId: 'r1', sha: made.commit.sha, base: sha });
    expect(readFileSync(join(ws, 'a.txt'), 'utf8')).toBe('two\n');
    expect(existsSync(join(ws, 'junk.txt'))).toBe(false);
    expect(git(ws, 'status', '--porcelain')).toBe('');
    expect(git(ws, 'rev-parse', 'HEAD')).toBe(made.commit.sha);
    // Whoever works there can look at the whole change.
    expect(git(ws, 'diff', '--name-status', sha.slice(0, 12))).toBe('M\ta.txt');
    await world.workspaces.reset({ runId: 'r1', sha, base: sha });
    expect(readFileSync(join(ws, 'a.txt'), 'utf8')).toBe('one\n');
  });

  it('cleans up trees that are read-only or deeper than a path may be long', async () => {
    const repo = world.repo('cleaning', FILES);
    const { ws } = await world.prepare('c1', repo);
    const name = 'd'.repeat(200);
    const script = `for i in $(seq 40); do mkdir ${name} && cd ${name} || exit 1; done; touch end; chmod 0555 .`;
    execFileSync('/bin/bash', ['-c', script], { cwd: ws });
    await world.workspaces.clean('c1');
    expect(existsSync(join(world.data, 'runs/c1'))).toBe(false);
  });
});
