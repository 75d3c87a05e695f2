/**
 * What a power cut or a bad disk leaves of our copies of repositories: it is found, made anew and
 * told to the operator; it is never the code host's fault, and never a change.
 */
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { networkFailure } from '../../../executors/git/git-failure.ts';
import { createWorkspaces } from '../../../executors/git/workspace/workspace.ts';
import type { RepoRef } from '#ports/workspaces';
import { AT, AUTHOR, createWorld, git, TOKEN, type World } from '../../support/git-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const FILES = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [`src/${i}.txt`, `${i}\n`.repeat(200 + i)]),
);

type Damage = (file: string) => void;
const empty: Damage = (file) => truncateSync(file, 0);
const half: Damage = (file) => truncateSync(file, Math.floor(statSync(file).size / 2));
const zeros: Damage = (file) => writeFileSync(file, Buffer.alloc(statSync(file).size));
const flipped: Damage = (file) => {
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  writeFileSync(file, bytes);
};

/** Files of the copy of a repository whose path below the copies matches; at least one. */
const filesOf = (name: string, like: RegExp): string[] => {
  const copies = join(world.data, 'mirrors');
  expect(copies.startsWith(tmpdir())).toBe(true);
  const all = readdirSync(copies, { recursive: true, withFileTypes: true });
  const found = all.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name));
  const files = found.filter((path) => path.includes(`acme%2F${name}.`) && like.test(path));
  expect(files).not.toEqual([]);
  return files;
};

const open = () => {
  const told: string[] = [];
  const workspaces = createWorkspaces({
    dataDir: world.data,
    serverUrl: world.host.origin,
    credential: () => Promise.resolve(TOKEN),
    onDamage: (repo, parts) => told.push(`${repo}: ${parts.join(', ')}`),
  });
  const prepare = (runId: string, repo: RepoRef) =>
    workspaces.prepare({
      runId,
      repo,
      base: null,
      defaultBranch: 'main',
      signal: new AbortController().signal,
    });
  const harvest = (runId: string, base: string) =>
    workspaces.harvest({ runId, base, parent: base, message: 'Change\n', author: AUTHOR, at: AT });
  return { told, workspaces, prepare, harvest };
};

const SEED = /\.seeds\/.*\.tar$/;
const PACK = /\.pack$/;
const INDEX = /\.idx$/;
const REF = /\/refs\/branches\//;
const CASES: [what: string, like: RegExp, damage: Damage, seedsGo: boolean][] = [
  ['an empty seed', SEED, empty, false],
  ['half of a seed', SEED, half, false],
  ['a seed of zeros', SEED, zeros, false],
  ['a seed with one wrong byte', SEED, flipped, false],
  ['an empty pack', PACK, empty, true],
  ['half of a pack', PACK, half, true],
  ['a pack of zeros', PACK, zeros, true],
  ['a pack with one wrong byte', PACK, flipped, true],
  ['an empty index of a pack', INDEX, empty, true],
  ['half of an index of a pack', INDEX, half, true],
  ['an index of a pack of zeros', INDEX, zeros, true],
  ['an empty ref', REF, empty, false],
  ['a ref of zeros', REF, zeros, false],
  ['half of a ref', REF, half, false],
];

describe('a damaged copy of a repository', () => {
  it.each(CASES)('%s is made anew, told, and no change', async (what, like, damage, seedsGo) => {
    const name = what.replaceAll(' ', '-');
    const repo = world.repo(name, FILES);
    const before = open();
    const first = await before.prepare(`${name}-1`, repo);
    for (const file of filesOf(name, like)) {
      chmodSync(file, 0o644);
      damage(file);
    }
    // A new commit has no seed yet: its files come from the objects.
    if (seedsGo) for (const file of filesOf(name, SEED)) rmSync(file);
    const after = open();
    const { sha } = await after.prepare(`${name}-2`, repo);
    expect(sha).toBe(first.sha);
    expect(after.told).toHaveLength(1);
    expect(after.told[0]).toContain(`acme/${name}: `);
    expect(await after.harvest(`${name}-2`, sha)).toMatchObject({ kind: 'no_changes' });
    const { workspace } = after.workspaces.places(`${name}-2`);
    expect(git(workspace, 'status', '--porcelain')).toBe('');
    expect(git(workspace, 'fsck', '--full')).toBe('');

    const later = open();
    await later.prepare(`${name}-3`, repo);
    expect(later.told).toEqual([]);
    expect(await later.harvest(`${name}-1`, sha)).toMatchObject({ kind: 'no_changes' });
  });

  it('a missing pack is fetched again', async () => {
    const repo = world.repo('missing', FILES);
    await open().prepare('missing-1', repo);
    for (const file of [...filesOf('missing', PACK), ...filesOf('missing', SEED)]) rmSync(file);
    const after = open();
    const { sha } = await after.prepare('missing-2', repo);
    expect(await after.harvest('missing-2', sha)).toMatchObject({ kind: 'no_changes' });
  });

  it('a shallow list of zeros is made anew', async () => {
    const repo = world.repo('cut', FILES);
    await open().prepare('cut-1', repo);
    writeFileSync(join(world.data, 'mirrors/acme%2Fcut.git/shallow'), Buffer.alloc(41));
    const after = open();
    const { sha } = await after.prepare('cut-2', repo);
    expect(after.told).toEqual(['acme/cut: shallow']);
    expect(await after.harvest('cut-2', sha)).toMatchObject({ kind: 'no_changes' });
  });

  it('what is sound stays: a commit that only an unfinished run has', async () => {
    const repo = world.repo('borrowed', FILES);
    const old = await open().prepare('borrowed-1', repo);
    world.advance(repo, { 'src/0.txt': 'new\n' });
    await open().prepare('borrowed-2', repo);
    const [ref = ''] = filesOf('borrowed', REF);
    empty(ref);
    await open().prepare('borrowed-3', repo);
    const trusted = join(world.data, 'runs/borrowed-1/git');
    expect(git(trusted, 'ls-tree', '-r', '--name-only', old.sha).split('\n')).toHaveLength(60);
  });

  it('is not looked for when the code host cannot be reached', async () => {
    const repo = world.repo('far', FILES);
    await open().prepare('far-1', repo);
    const told: string[] = [];
    const away = createWorkspaces({
      dataDir: world.data,
      serverUrl: 'http://127.0.0.1:9',
      credential: () => Promise.resolve(TOKEN),
      onDamage: (_, parts) => told.push(...parts),
    });
    const at = { runId: 'far-2', base: null, defaultBranch: 'main', signal: new AbortController().signal };
    const asked = away.prepare({ ...at, repo: { ...repo, cloneUrl: 'http://127.0.0.1:9/acme/far.git' } });
    await expect(asked).rejects.toMatchObject({ class: 'forge_unavailable' });
    expect(told).toEqual([]);
  });
});

describe('our own copy that cannot be used', () => {
  it.each([
    ['fatal: unable to create temporary file: Read-only file system', 'env_missing'],
    ['error: open("objects/pack/tmp_idx_1"): Input/output error\nfatal: fetch failed', 'env_missing'],
    ["fatal: cannot create '/x/objects/pack': Permission denied", 'env_missing'],
    ['error: cannot fork() for rev-list: Cannot allocate memory', 'env_missing'],
    ["fatal: unable to access 'https://github.com/a/b.git/': Permission denied", 'forge_unavailable'],
    ['remote: error: shards/7: Input/output error\nfatal: early EOF', 'forge_unavailable'],
  ])('is no fault of the code host: %s', (words, failure) => {
    expect(networkFailure(words)).toMatchObject({ class: failure });
  });

  it('a file where the refs should lie is made anew', async () => {
    const repo = world.repo('odd', FILES);
    await open().prepare('odd-1', repo);
    const refs = join(world.data, 'mirrors/acme%2Fodd.git/refs/branches');
    expect(refs.startsWith(tmpdir())).toBe(true);
    rmSync(refs, { recursive: true });
    writeFileSync(refs, '');
    const after = open();
    const { sha } = await after.prepare('odd-2', repo);
    expect(after.told).toEqual(['acme/odd: branches']);
    expect(await after.harvest('odd-2', sha)).toMatchObject({ kind: 'no_changes' });
  });
});
