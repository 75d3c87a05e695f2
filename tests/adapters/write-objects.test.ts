/** E1: trees that we write ourselves are those that git would write of the same entries. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { makeGitDir } from '../../executors/git/directory.ts';
import { createGit } from '../../executors/git/git.ts';
import { listWhole, type TreeEntry } from '../../executors/git/objects.ts';
import { writeBlob, writeTree } from '../../executors/git/write-objects.ts';
import { createRandom } from '../prove/random.ts';

const git = createGit('http');
const MODES = ['100644', '100755', '120000'];
/** Some sort otherwise as a folder than as a file; one is no ASCII. */
const NAMES = ['a', 'b', 'a.b', 'a-b', 'a0', 'A', 'x y', Buffer.from('é').toString('latin1')];

let gitDir: string;
let ask: (args: readonly string[], input?: string) => string;
beforeEach(async () => {
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-objects-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  gitDir = join(dir, 'git');
  await makeGitDir(gitDir, null);
  const env = { PATH: process.env['PATH'], GIT_DIR: gitDir, GIT_INDEX_FILE: join(dir, 'index') };
  ask = (args, input = '') =>
    execFileSync('git', [...args], { env, input: Buffer.from(input, 'latin1') }).toString('latin1');
});

/** By an index, as git makes them. */
const byGit = (entries: Iterable<TreeEntry>): string => {
  ask(['read-tree', '--empty']);
  const records = [...entries].map(({ mode, oid, path }) => `${mode} ${oid}\t${path}\0`).join('');
  ask(['update-index', '-z', '--index-info'], records);
  return ask(['write-tree']).trim();
};

const listed = (id: string, ...flags: string[]): string[] =>
  ask(['ls-tree', '-r', '-z', ...flags, id])
    .split('\0')
    .filter((line) => line !== '')
    .sort();

it('E1: a tree is the one that git makes of the same entries, and is known without asking', async () => {
  const random = createRandom(7);
  const blobs: string[] = [];
  for (let i = 0; i < 4; i += 1) blobs.push(await writeBlob(gitDir, Buffer.from(`text ${i}\n`)));
  let from: string | null = null;
  let files = new Map<string, TreeEntry>();
  for (let round = 0; round < 60; round += 1) {
    const change = (): void => {
      const path = Array.from({ length: 1 + random.int(4) }, () => random.pick(NAMES)).join('/');
      const [taken] = files.size > 0 && random.int(3) === 0 ? [random.pick([...files.keys()])] : [path];
      files.delete(taken);
      if (taken === path)
        files.set(path, { mode: random.pick(MODES), oid: random.pick(blobs), path, size: 7 });
    };
    for (let left = 1 + random.int(4); left > 0; left -= 1) change();
    const id = await writeTree(git, gitDir, from, files.values());
    expect(id).toBe(byGit(files.values()));
    const known = await listWhole(git, gitDir, id);
    expect([...known.files.values()].map((e) => `${e.mode} blob ${e.oid}\t${e.path}`).sort()).toEqual(
      listed(id),
    );
    const folders = [...known.folders].map(([path, oid]) => `040000 tree ${oid}\t${path}`).sort();
    expect(folders).toEqual(listed(id, '-t').filter((line) => line.startsWith('040000')));
    from = id;
    files = new Map(known.files);
  }
  expect(ask(['fsck', '--strict'])).not.toMatch(/error|missing/);
});

it('E1: no tree has a name in it that leads into a git directory or out of the tree', async () => {
  const oid = await writeBlob(gitDir, Buffer.from('x'));
  for (const path of ['.git', 'a/.GIT/config', '../a', './a', 'a//b']) {
    const entry = { mode: '100644', oid, path, size: 1 };
    await expect(writeTree(git, gitDir, null, [entry])).rejects.toThrow('No commit may have the name');
  }
});

it('E1: a folder that nobody changed stays as it is, however its commit wrote it', async () => {
  const oid = await writeBlob(gitDir, Buffer.from('x'));
  // Mode 100664, as very old repositories have it: an index would make it another tree.
  const odd = ask(['hash-object', '-t', 'tree', '--literally', '-w', '--stdin'], `100664 a\0${bytesOf(oid)}`);
  const root = ask(['mktree', '-z'], `040000 tree ${odd.trim()}\told\0`).trim();
  const { files } = await listWhole(git, gitDir, root);
  const added = { mode: '100644', oid, path: 'new', size: 1 };
  const id = await writeTree(git, gitDir, root, [...files.values(), added]);
  expect(listed(id, '-t')).toContain(`040000 tree ${odd.trim()}\told`);
});

const bytesOf = (oid: string): string => Buffer.from(oid, 'hex').toString('latin1');
