/** E1: what we write is what git would have written of the same bytes, and nothing that git would not. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGit } from '../../../executors/git/trusted-git.ts';
import { makeCommit } from '../../../executors/git/make-commit.ts';
import { writeObject, writeTree } from '../../../executors/git/object-writer.ts';
import { listTree, type TreeEntry } from '../../../executors/git/read-objects.ts';
import { digestOfChanges, readTreeChanges } from '../../../executors/git/tree-changes.ts';
import { sha256Hex } from '#runtime';
import { git as plain } from '../../support/git-world.ts';

let root: string;
let count = 0;
beforeAll(() => void (root = mkdtempSync(join(tmpdir(), 'agentpr-written-'))));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const repository = (): string => {
  const dir = join(root, String((count += 1)));
  mkdirSync(dir);
  plain(dir, 'init', '-q', '--bare', '.');
  return dir;
};
const asked = (dir: string, args: string[], input: string | Buffer = '', env = {}): Buffer =>
  execFileSync('git', args, {
    cwd: dir,
    input,
    maxBuffer: 1 << 28,
    env: { PATH: process.env['PATH'], ...env },
  });
const shownBy = (dir: string, args: string[], input?: string | Buffer, env = {}): string =>
  asked(dir, args, input, env).toString().trim();

type Entry = Pick<TreeEntry, 'mode' | 'oid' | 'path'>;
/** The tree that git makes of the same entries, by an index. */
const treeOfGit = (dir: string, entries: readonly Entry[]): string => {
  const index = { GIT_INDEX_FILE: join(dir, 'index-of-git') };
  rmSync(index.GIT_INDEX_FILE, { force: true });
  const records = entries.map(({ mode, oid, path }) => `${mode} ${oid}\t${path}\0`).join('');
  asked(dir, ['update-index', '-z', '--index-info'], Buffer.from(records, 'latin1'), index);
  return shownBy(dir, ['write-tree', '--missing-ok'], '', index);
};
const PATHS = [
  'a-b/c',
  'a.b',
  'a/b/c',
  'a/b.c',
  'a/b-c',
  'ab',
  'new\nline',
  'tab\t',
  'caf\xe9',
  'z/y/x',
  'z/y.x',
];

describe('E1: objects of ours', () => {
  it('trees are those that git makes of the same entries, whatever their order is', async () => {
    const dir = repository();
    const git = createGit('https');
    const oid = await writeObject(dir, 'blob', Buffer.from('bytes \0\r\n'));
    expect(oid).toBe(shownBy(dir, ['hash-object', '--no-filters', '--stdin'], 'bytes \0\r\n'));
    const modes = ['100644', '100755', '120000'];
    const entries = PATHS.map((path, i) => ({ path, oid, mode: modes[i % 3] ?? '' }));
    entries.push({ path: 'z/module', oid: '1'.repeat(40), mode: '160000' });
    const made = await writeTree(git, dir, entries);
    expect(made).toBe(treeOfGit(dir, entries));
    expect(await writeTree(git, dir, entries.toReversed())).toBe(made);
    const read = [...(await listTree(git, dir, made)).values()].map(({ mode, path }) => `${mode} ${path}`);
    expect(read).toEqual(
      entries.map(({ mode, path }) => `${mode} ${path}`).sort((a, b) => (a.slice(7) < b.slice(7) ? -1 : 1)),
    );
    expect(await writeTree(git, dir, [])).toBe(treeOfGit(dir, []));
  });

  it('are found sound by git itself, and no half of one lies about', async () => {
    const dir = repository();
    const git = createGit('https');
    const oid = await writeObject(dir, 'blob', Buffer.alloc(3_000_000, 'x'));
    const tree = await writeTree(git, dir, [{ mode: '100644', oid, path: 'a/b' }]);
    const commit = {
      tree,
      parents: [],
      author: { name: 'Ana', email: 'ana@example.org' },
      at: 1_000,
      message: 'M\n',
    };
    const made = await makeCommit(git, dir, commit, null);
    expect(shownBy(dir, ['fsck', '--strict', '--full', made])).not.toMatch(/error|warning|missing/);
    expect(shownBy(dir, ['cat-file', 'blob', oid])).toHaveLength(3_000_000);
    expect(readdirSync(join(dir, 'objects')).filter((name) => name.startsWith('tmp'))).toEqual([]);
  });

  it('one that a power cut left empty is written again', async () => {
    const dir = repository();
    const oid = await writeObject(dir, 'blob', Buffer.from('whole'));
    const place = join(dir, 'objects', oid.slice(0, 2), oid.slice(2));
    expect((statSync(place).mode & 0o777).toString(8)).toBe('444');
    chmodSync(place, 0o644);
    truncateSync(place);
    await writeObject(dir, 'blob', Buffer.from('whole'));
    expect(shownBy(dir, ['cat-file', 'blob', oid])).toBe('whole');
  });

  it.each(['.git/hooks/x', 'a/.GIT', 'a/../b', '/a', 'a//b', 'a/', '.', 'git~1/x', 'a/.git /b', '\u4e2d'])(
    'a tree with %j is refused, and nothing is stored of it',
    async (path) => {
      const dir = repository();
      const oid = await writeObject(dir, 'blob', Buffer.from('x'));
      await expect(writeTree(createGit('https'), dir, [{ mode: '100644', oid, path }])).rejects.toThrow(
        /cannot have/,
      );
      expect(readdirSync(join(dir, 'objects')).filter((name) => name.length === 2)).toHaveLength(1);
    },
  );

  it('a file and a folder of one name, or two of one name, are refused', async () => {
    const dir = repository();
    const oid = await writeObject(dir, 'blob', Buffer.from('x'));
    const write = (...paths: string[]) =>
      writeTree(
        createGit('https'),
        dir,
        paths.map((path) => ({ mode: '100644', oid, path })),
      );
    await expect(write('a', 'a/b')).rejects.toThrow(/file and a folder|two entries/);
    await expect(write('a/b', 'a')).rejects.toThrow(/file and a folder|two entries/);
    await expect(write('a', 'a')).rejects.toThrow(/two entries/);
  });

  it('E1: where nothing can be stored, it fails and says so', async () => {
    const dir = repository();
    rmSync(join(dir, 'objects'), { recursive: true });
    await expect(writeObject(dir, 'blob', Buffer.from('x'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('F9: commits of ours', () => {
  const AUTHORS = [
    ['Ana', 'ana@example.org'],
    ['  Ana María <x>, ', ' ana@example.org '],
    ['"Quoted" \\', '<ana@example.org>'],
    ['A\nB', 'a\nb'],
    ['安娜', 'ana@例.org'],
    ['.Dotted.', '.a.'],
  ];
  it.each(AUTHORS)('of %j %j are those that git makes', async (name, email) => {
    const dir = repository();
    const git = createGit('https');
    const tree = await writeTree(git, dir, []);
    const parent = await makeCommit(
      git,
      dir,
      { tree, parents: [], author: { name: 'A', email: 'b' }, at: 0, message: '' },
      null,
    );
    for (const message of ['Subject', 'Subject\n\nBody ✓\n', '\n\n leading', '']) {
      const commit = {
        tree,
        parents: [parent, parent],
        author: { name, email },
        at: 1_750_000_000_123,
        message,
      };
      const date = '1750000000 +0000';
      const made = shownBy(dir, ['commit-tree', '-p', parent, tree], message, {
        GIT_AUTHOR_NAME: name,
        GIT_AUTHOR_EMAIL: email,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: name,
        GIT_COMMITTER_EMAIL: email,
        GIT_COMMITTER_DATE: date,
      });
      expect(await makeCommit(git, dir, { ...commit, parents: [parent] }, null)).toBe(made);
    }
  });

  it('without a name, or with a zero byte, are not made', async () => {
    const dir = repository();
    const git = createGit('https');
    const tree = await writeTree(git, dir, []);
    const make = (name: string, message: string) =>
      makeCommit(git, dir, { tree, parents: [], author: { name, email: 'e' }, at: 0, message }, null);
    await expect(make(' <>', 'm')).rejects.toThrow(/name of its author/);
    await expect(make('Ana', 'a\0b')).rejects.toThrow(/zero byte/);
    await expect(make('A\0b', 'm')).rejects.toThrow(/zero byte/);
  });
});

describe('G2: what differs between two trees', () => {
  it('is what git says, byte for byte, for every kind of change', async () => {
    const dir = repository();
    const git = createGit('https');
    const [one, two] = await Promise.all(
      ['1', '2'].map((text) => writeObject(dir, 'blob', Buffer.from(text))),
    );
    // A small generator, so that a failure can be repeated.
    let seed = 42;
    const pick = <T>(all: readonly T[]): T => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return all[Math.floor((seed / 2_147_483_648) * all.length)] as T;
    };
    const modes = ['100644', '100755', '120000', '160000'];
    const trees: string[] = [];
    for (let i = 0; i < 40; i += 1) {
      const entries: Entry[] = [];
      for (const path of [...PATHS, 'a', 'a/b', 'z']) {
        const isInWay = entries.some((e) => e.path.startsWith(`${path}/`) || path.startsWith(`${e.path}/`));
        if (!isInWay && pick([true, true, false]))
          entries.push({ path, mode: pick(modes), oid: pick([one, two]) ?? '' });
      }
      trees.push(
        await writeTree(
          git,
          dir,
          entries.sort(() => pick([-1, 1])),
        ),
      );
    }
    for (const [i, base] of trees.entries()) {
      const head = trees[(i + 7) % trees.length] ?? '';
      const digest = digestOfChanges(await readTreeChanges(git, dir, { base, head }));
      const said = asked(dir, ['diff-tree', '-r', '-z', '--no-renames', base, head]);
      expect(said.length).toBeGreaterThan(0);
      expect(digest).toBe(sha256Hex(said));
    }
    expect(await readTreeChanges(git, dir, { base: trees[0] ?? '', head: trees[0] ?? '' })).toEqual([]);
  });
});
