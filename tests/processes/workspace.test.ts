/**
 * Workspaces against real git and a real server: making, isolation, crashes, misfortunes, exports.
 */

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorkspaces } from '../../executors/git/workspace/workspace.ts';
import { createWorld, git, TOKEN, write, type World } from '../support/git-world.ts';

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
  it('gives the agent exactly the files of the base, in a repository of its own', async () => {
    const repo = world.repo('plain', FILES, (dir) => {
      chmodSync(join(dir, 'src/run.sh'), 0o755);
      symlinkSync('a.txt', join(dir, 'link'));
      git(dir, 'add', '-A');
    });
    const { ref, sha, ws } = await world.prepare('plain1', repo);
    expect(ref).toBe('main');
    expect(sha).toBe(git(world.bare(repo), 'rev-parse', 'main'));
    expect(git(ws, 'status', '--porcelain', '--branch')).toBe('## main');
    expect(git(ws, 'log', '--format=%H')).toBe(sha);
    expect(git(ws, 'fsck', '--full')).toBe('');
    expect(lstatSync(join(ws, 'src/run.sh')).mode & 0o777).toBe(0o755);
    expect(lstatSync(join(ws, 'link')).isSymbolicLink()).toBe(true);
    expect(await world.workspaces.exists('plain1')).toBe(true);
    expect(await world.workspaces.list()).toContain('plain1');
    await world.workspaces.clean('plain1');
    expect(await world.workspaces.exists('plain1')).toBe(false);
  });

  it('E1: keeps the trusted directory out of the workspace and names the places a process may write to', async () => {
    const repo = world.repo('places', FILES);
    await world.prepare('places1', repo);
    const { workspace, home } = world.workspaces.places('places1');
    const trusted = join(world.data, 'runs/places1/git');
    expect(existsSync(trusted)).toBe(true);
    for (const place of [workspace, home]) expect(trusted.startsWith(`${place}/`)).toBe(false);
  });

  it('E1: opens neither repositories nor runs to other users of the machine, however open the data directory is', () => {
    chmodSync(world.data, 0o755);
    for (const part of ['runs', 'mirrors'])
      expect(lstatSync(join(world.data, part)).mode & 0o777).toBe(0o700);
    const dataDir = join(world.data, 'strange');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'runs'), '');
    const make = () =>
      createWorkspaces({ dataDir, serverUrl: 'https://github.com', credential: async () => TOKEN });
    expect(make).toThrow(/strange\/runs cannot be used \(EEXIST\)\. It must be a folder/);
  });

  it('tells a credential that is refused from a host that is down', async () => {
    const repo = world.repo('moody', FILES);
    const { fate } = world.host;
    fate.token = 'another';
    expect(await failing(world.prepare('d1', repo))).toMatchObject({ class: 'repository_missing' });
    fate.token = TOKEN;
    expect((await world.prepare('d2', repo)).ref).toBe('main');
    fate.token = null;
    fate.status = { code: 502, path: /./ };
    expect(await failing(world.prepare('d3', repo))).toMatchObject({ class: 'forge_unavailable' });
    fate.status = { code: 429, path: /./ };
    expect(await failing(world.prepare('d3', repo))).toMatchObject({ class: 'rate_limited' });
    fate.status = null;
    const down = createWorkspaces({
      dataDir: world.data,
      serverUrl: 'http://127.0.0.1:9',
      credential: () => Promise.resolve(null),
    });
    const signal = new AbortController().signal;
    const input = { runId: 'd4', base: null, defaultBranch: 'main', signal };
    expect(
      await failing(
        down.prepare({ ...input, repo: { ...repo, cloneUrl: 'http://127.0.0.1:9/acme/moody.git' } }),
      ),
    ).toMatchObject({ class: 'forge_unavailable' });
  });

  it('G5: refuses every address outside the configured origin, and redirects', async () => {
    const repo = world.repo('strict', FILES);
    const { origin, requests, fate } = world.host;
    const before = requests.length;
    const bad = [
      'https://github.com/acme/strict.git',
      `${origin.replace('http://', 'http://user:pw@')}/acme/strict.git`,
      `${origin.replace('http://', 'http://user@')}/acme/strict.git`,
      `${origin}@evil.example/acme/strict.git`,
      `${origin}.evil.example/acme/strict.git`,
      `${origin}\\@evil.example/acme/strict.git`,
      `${origin}/acme/../strict.git`,
      `${origin}/acme/strict.git?x=1`,
      `${origin}/acme/strict.git#x`,
      `${origin}/acme/str%69ct.git`,
      `ext::sh -c id`,
      `file://${world.bare(repo)}`,
      world.bare(repo),
      `--upload-pack=${origin}/acme/strict.git`,
    ];
    for (const cloneUrl of bad)
      expect(await failing(world.prepare('g1', { ...repo, cloneUrl })), cloneUrl).toMatchObject({
        class: 'forge_refused',
      });
    expect(requests.length).toBe(before);
    const other = await createWorld();
    fate.redirect = other.host.origin;
    try {
      expect(await failing(world.prepare('g2', repo))).toMatchObject({ class: 'repository_missing' });
      expect(other.host.requests).toEqual([]);
    } finally {
      fate.redirect = null;
      await other.close();
    }
  });

  it('refuses names that would leave the data directory, and plain http to other machines', async () => {
    const repo = world.repo('named', FILES);
    expect(await failing(world.prepare('../x', repo))).toBeInstanceOf(Error);
    await world.prepare('n1', { ...repo, name: '../../x' });
    expect(readdirSync(join(world.data, 'mirrors'))).toContain('..%2F..%2Fx.git');
    const credential = () => Promise.resolve(null);
    expect(() =>
      createWorkspaces({ dataDir: world.data, serverUrl: 'http://github.com', credential }),
    ).toThrow(/https/);
  });
});

describe('reset, tree and export', () => {
  it('reads files of a commit as text, and nothing that is binary, too large or absent', async () => {
    const repo = world.repo('reading', { ...FILES, bin: Buffer.from([1, 0, 2]), huge: 'x'.repeat(300_000) });
    const { sha } = await world.prepare('t1', repo);
    const tree = await world.workspaces.tree('t1', sha);
    expect(tree.paths.sort()).toEqual(['.gitignore', 'a.txt', 'bin', 'docs/ü.md', 'huge', 'src/run.sh']);
    const read = await tree.read(['docs/ü.md', 'bin', 'huge', 'nope', 'src', 'a.txt']);
    expect([...read]).toEqual([
      ['docs/ü.md', 'x\n'],
      ['a.txt', 'one\n'],
    ]);
  });

  it('E13: tells where symbolic links lead, and of none that leads out', async () => {
    const repo = world.repo('linking', FILES, (dir) => {
      for (const [path, to] of [
        ['src/link', '../a.txt'],
        ['folder', 'src/'],
        ['out', '../x'],
        ['root', '/etc'],
        ['here', '.'],
      ] as const)
        symlinkSync(to, join(dir, path));
      git(dir, 'add', '-A');
    });
    const { sha } = await world.prepare('l1', repo);
    const links = await (await world.workspaces.tree('l1', sha)).links();
    expect([...links].sort()).toEqual([
      ['folder', 'src'],
      ['src/link', 'a.txt'],
    ]);
  });

  it('E3: exports exactly the tree, and notices every change to it but not what checks add', async () => {
    const repo = world.repo(
      'exporting',
      { ...FILES, '.gitattributes': '*.md export-ignore\n* text eol=crlf\n' },
      (dir) => {
        symlinkSync('a.txt', join(dir, 'link'));
        git(dir, 'add', '-A');
      },
    );
    const { sha } = await world.prepare('e1', repo);
    const one = await world.workspaces.export({ runId: 'e1', sha });
    // A repository for checks that ask git: one commit deep, and none of its objects is ours.
    const says = (...args: string[]): string => git(one.dir, '-c', 'safe.directory=*', ...args).trim();
    expect([says('rev-parse', 'HEAD'), says('rev-list', '--count', 'HEAD')]).toEqual([sha, '1']);
    expect([says('status', '--porcelain'), says('remote')]).toEqual(['', '']);
    expect(existsSync(join(one.dir, '.git/objects/info/alternates'))).toBe(false);
    expect(readFileSync(join(one.dir, 'docs/ü.md'), 'utf8')).toBe('x\n');
    mkdirSync(join(one.dir, 'node_modules/x'), { recursive: true });
    writeFileSync(join(one.dir, 'node_modules/x/index.js'), 'added\n');
    expect(await one.intact()).toBe(true);

    const harms: [string, (dir: string) => void][] = [
      ['content', (d) => writeFileSync(join(d, 'a.txt'), 'ONE\n')],
      ['removal', (d) => rmSync(join(d, 'docs/ü.md'))],
      ['mode', (d) => chmodSync(join(d, 'a.txt'), 0o755)],
      ['link', (d) => (rmSync(join(d, 'link')), symlinkSync('src/run.sh', join(d, 'link')))],
      ['file for link', (d) => (rmSync(join(d, 'link')), writeFileSync(join(d, 'link'), 'one\n'))],
      [
        'folder behind a link',
        (d) => (
          rmSync(join(d, 'docs'), { recursive: true }),
          symlinkSync(join(one.dir, 'docs'), join(d, 'docs'))
        ),
      ],
    ];
    for (const [name, harm] of harms) {
      const made = await world.workspaces.export({ runId: 'e1', sha });
      expect(made.dir).not.toBe(one.dir);
      harm(made.dir);
      expect(await made.intact(), name).toBe(false);
      await made.remove();
      expect(existsSync(made.dir)).toBe(false);
    }
    expect(await one.intact()).toBe(true);
  });

  it('E3: gives every check the same tree, installed packages and HOME, whatever the one before left there', async () => {
    const repo = world.repo('renewing', FILES, (dir) => {
      symlinkSync('a.txt', join(dir, 'link'));
      git(dir, 'add', '-A');
    });
    const { sha } = await world.prepare('e2', repo);
    const made = await world.workspaces.export({ runId: 'e2', sha });
    const { dir, home } = made;
    // What an installation adds stays, what it changes of the commit does not.
    write(dir, { 'node_modules/x/index.js': 'installed\n', 'a.txt': 'changed by the installation\n' });
    write(home, { '.cache/x': 'cached\n' });
    rmSync(join(dir, 'docs'), { recursive: true });
    symlinkSync(world.outside, join(dir, 'docs'));
    rmSync(join(dir, 'link'));
    const looksFresh = async (): Promise<void> => {
      expect(await made.intact()).toBe(true);
      expect(readFileSync(join(dir, 'node_modules/x/index.js'), 'utf8')).toBe('installed\n');
      expect(readFileSync(join(home, '.cache/x'), 'utf8')).toBe('cached\n');
      expect(existsSync(join(dir, 'planted.js')) || existsSync(join(home, 'planted'))).toBe(false);
    };
    for (const last of [false, false, true]) {
      await made.renew({ last });
      await looksFresh();
      write(dir, { 'planted.js': 'x\n', 'node_modules/x/index.js': 'spoilt\n', 'a.txt': 'spoilt\n' });
      write(home, { planted: 'x\n', '.cache/x': 'spoilt\n' });
    }
    expect(readdirSync(world.outside)).not.toContain('ü.md');
    await made.remove();
    expect(existsSync(join(dir, '..'))).toBe(false);
  });
});
