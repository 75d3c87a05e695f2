/**
 * E1: one process answers many questions about objects. Whatever happens to it in the middle, an
 * answer is whole or none, and what a repository holds cannot make it or us grow without end.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readCommitsSince } from '../../../executors/git/compare-commits.ts';
import { checkOut } from '../../../executors/git/checkout.ts';
import { createGit, withAbortSignals, type TrustedGit } from '../../../executors/git/trusted-git.ts';
import { listTree, readBlobs, readCommit } from '../../../executors/git/read-objects.ts';
import { objectId } from '../../../executors/git/object-ids.ts';
import type { GitObject } from '../../../executors/git/object-reader.ts';
import { decodePreservingBytes } from '../../../executors/git/byte-preserving-text.ts';
import { MB } from '#model/values';
import { eventually } from '../../support/contained.ts';
import { git as plain } from '../../support/git-world.ts';

let root: string;
let started: ChildProcess[] = [];
const noted = (message: unknown): void => void started.push((message as { process: ChildProcess }).process);
beforeAll(() => void (root = mkdtempSync(join(tmpdir(), 'agentpr-objects-'))));
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  started = [];
  subscribe('child_process', noted);
});
afterEach(() => unsubscribe('child_process', noted));

const repository = (name: string): string => {
  const dir = join(root, name);
  mkdirSync(dir);
  plain(dir, 'init', '-q', '--bare', '.');
  return dir;
};
const feed = (dir: string, args: string[], input: string | Buffer): string =>
  execFileSync('git', args, { cwd: dir, input, maxBuffer: 1 << 28 })
    .toString()
    .trim();
const store = (dir: string, bytes: string | Buffer): string =>
  feed(dir, ['hash-object', '-w', '--stdin'], bytes);
const isAlive = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;
const readers = (): ChildProcess[] =>
  started.filter(({ spawnargs }) => spawnargs.includes('--batch-command'));

describe('E1: objects are read as git has them', () => {
  it('trees with every kind of entry and of name, and commits with every kind of message', async () => {
    const work = join(root, 'odd');
    mkdirSync(work);
    plain(work, 'init', '-q', '.');
    const put = (name: string | Buffer, content = 'x\n'): void => {
      const path = Buffer.concat([Buffer.from(`${work}/`), Buffer.from(name)]);
      mkdirSync(dirname(path.toString('latin1')), { recursive: true });
      writeFileSync(path, content);
    };
    const odd = [
      'a\nb',
      'a\n100644 blob x\tb',
      'a b',
      'a',
      'a-b/c',
      'a.b',
      'ab/c/d/e',
      'tab\there',
      'q"uote',
      'ü',
    ];
    for (const name of odd) if (name !== 'a') put(name);
    put('a/z', 'z\n');
    put(Buffer.from([0x63, 0xe9, 0xff]));
    put('run.sh');
    chmodSync(join(work, 'run.sh'), 0o755);
    symlinkSync('a/z', join(work, 'link'));
    plain(work, 'add', '-A');
    plain(work, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
    const messages = ['Subject', 'Two\n\nparagraphs\n\n', '  blank first\n', 'Ünicode ✓\n'];
    for (const message of messages)
      plain(work, 'commit', '-q', '--allow-empty', '--cleanup=verbatim', '-m', message);
    const [head, first] = [plain(work, 'rev-parse', 'HEAD'), plain(work, 'rev-parse', 'HEAD~3')];
    const git = createGit('https');
    const gitDir = join(work, '.git');
    const listed = [...(await listTree(git, gitDir, head)).values()].map(
      ({ mode, oid, path, size }) => `${mode} ${oid} ${size ?? '-'}\t${path}`,
    );
    const expected = execFileSync('git', ['ls-tree', '-r', '-l', '-z', head], { cwd: work })
      .toString('latin1')
      .split('\0')
      .slice(0, -1)
      .map((line) => line.replace(/^(\d+) \w+ (\w+) +/, '$1 $2 '));
    expect(listed).toEqual(expected);
    expect(expected).toHaveLength(odd.length + 4);

    const log = await readCommitsSince(git, gitDir, { from: first, head });
    const shown = (id: string, format: string): string =>
      execFileSync('git', ['log', '-1', '-z', `--format=${format}`, id], { cwd: work })
        .toString()
        .slice(0, -1);
    expect(log.map(({ message }) => message)).toEqual(log.map(({ id }) => shown(id, '%B')));
    expect(log.map(({ author }) => author)).toEqual(log.map(({ id }) => shown(id, '%an <%ae>')));
    expect(log.map(({ tree }) => tree)).toEqual(log.map(({ id }) => shown(id, '%T')));
    expect(log.map(({ id }) => id)).toEqual(
      plain(work, 'rev-list', '--reverse', `${first}..${head}`).split('\n'),
    );
    expect(readers()).toHaveLength(1);
    expect(started).toHaveLength(1);
  });

  it('commits that are no short line are told by git itself, and so is another encoding', async () => {
    const work = join(root, 'merged');
    mkdirSync(work);
    plain(work, 'init', '-q', '-b', 'main', '.');
    for (const name of ['1', '2']) plain(work, 'commit', '-q', '--allow-empty', '-m', name);
    plain(work, 'checkout', '-q', '-b', 'side', 'HEAD~1');
    plain(work, 'commit', '-q', '--allow-empty', '-m', 'side');
    plain(work, 'merge', '-q', '--no-edit', '-m', 'merge', 'main');
    const tree = plain(work, 'rev-parse', 'HEAD^{tree}');
    const raw = `tree ${tree}\nparent ${plain(work, 'rev-parse', 'HEAD')}\nauthor \xe9 <a@b> 1 +0000\ncommitter c <c@d> 1 +0000\nencoding latin1\n\ncaf\xe9\n`;
    const head = feed(work, ['hash-object', '-t', 'commit', '-w', '--stdin'], Buffer.from(raw, 'latin1'));
    const git = createGit('https');
    const from = plain(work, 'rev-parse', 'main');
    const log = await readCommitsSince(git, join(work, '.git'), { from, head });
    expect(log.map(({ message }) => message.trim())).toEqual(['side', 'merge', 'café']);
    expect(log[2]?.author).toBe('é <a@b>');
  });

  it('what a shallow history was cut at is no failure', async () => {
    const work = join(root, 'deep');
    mkdirSync(work);
    plain(work, 'init', '-q', '-b', 'main', '.');
    for (const name of ['1', '2', '3']) plain(work, 'commit', '-q', '--allow-empty', '-m', name);
    plain(root, 'clone', '-q', '--bare', '--depth=2', `file://${work}`, 'shallow');
    const gitDir = join(root, 'shallow');
    const [head, gone] = [plain(work, 'rev-parse', 'HEAD'), store(gitDir, 'x')];
    const orphan = feed(
      gitDir,
      [
        '-c',
        'user.name=a',
        '-c',
        'user.email=b',
        'commit-tree',
        '-m',
        'o',
        plain(work, 'rev-parse', 'HEAD^{tree}'),
      ],
      '',
    );
    const log = await readCommitsSince(createGit('https'), gitDir, { from: orphan, head });
    expect(log.map(({ message }) => message)).toEqual(['2\n', '3\n']);
    expect(gone).toHaveLength(40);
  });
});

describe('E1: an answer is whole or none', () => {
  const big = Buffer.alloc(30 * MB, 'abcdefgh\n');

  it('a process that is killed in the middle of an answer is asked again, by another one', async () => {
    const dir = repository('killed');
    const [oid, small] = [store(dir, big), store(dir, 'small')];
    const git = createGit('https');
    const answer = readBlobs(git, dir, [small, oid]);
    const [first] = readers();
    let chunks = 0;
    first?.stdout?.on('data', () => ++chunks === 2 && process.kill(first.pid ?? 0, 'SIGKILL'));
    const blobs = await answer;
    expect(first?.signalCode).toBe('SIGKILL');
    expect(readers()).toHaveLength(2);
    expect(blobs.get(oid)?.equals(big)).toBe(true);
    expect(blobs.get(small)?.toString()).toBe('small');
  });

  it('one that is killed each time is a failure that says so, and the next question is answered', async () => {
    const dir = repository('killed-twice');
    const oid = store(dir, big);
    const git = createGit('https');
    const kill = (message: unknown): void => {
      const { process: child } = message as { process: ChildProcess };
      setImmediate(() => child.stdout?.once('data', () => process.kill(child.pid ?? 0, 'SIGKILL')));
    };
    subscribe('child_process', kill);
    try {
      await expect(readBlobs(git, dir, [oid])).rejects.toThrow(/git cat-file failed \(signalled/);
    } finally {
      unsubscribe('child_process', kill);
    }
    expect((await readBlobs(git, dir, [oid])).get(oid)).toHaveLength(big.length);
  });

  it('several that wait are each answered with what they asked for', async () => {
    const dir = repository('several');
    const oids = Array.from({ length: 30 }, (_, i) => store(dir, `${i}`.repeat(1_000)));
    const git = createGit('https');
    const all = await Promise.all(oids.map((oid) => readBlobs(git, dir, [oid])));
    expect(all.map((found, i) => found.get(oids[i] ?? '')?.toString())).toEqual(
      oids.map((_, i) => `${i}`.repeat(1_000)),
    );
    expect(readers()).toHaveLength(1);
  });

  it('bytes that are not those of the id are refused', async () => {
    const dir = repository('damaged');
    const oid = store(dir, 'as it was\n');
    const loose = join(dir, 'objects', oid.slice(0, 2), oid.slice(2));
    chmodSync(loose, 0o644);
    writeFileSync(loose, deflateSync('blob 10\0as it is!\n'));
    await expect(readBlobs(createGit('https'), dir, [oid])).rejects.toThrow(/damaged/);
  });

  it('what is missing, no id, or of another type is named', async () => {
    const dir = repository('missing');
    const [blob, git] = [store(dir, 'x'), createGit('https')];
    await expect(readBlobs(git, dir, ['1'.repeat(40)])).rejects.toThrow(/1{40} .*missing/);
    await expect(readBlobs(git, dir, [`${blob}\ncontents ${blob}`])).rejects.toThrow(/not the id/);
    await expect(readBlobs(git, dir, ['HEAD'])).rejects.toThrow(/not the id/);
    await expect(readCommit(git, dir, blob)).rejects.toThrow(/expected to be a commit/);
    await expect(readBlobs(git, join(dir, 'no'), [blob])).rejects.toThrow();
    expect((await readBlobs(git, dir, [blob])).get(blob)?.toString()).toBe('x');
  });

  it('S6: whoever is stopped waits no longer, and others get their answer all the same', async () => {
    const dir = repository('stopped');
    const [oid, other] = [store(dir, big), store(dir, 'other')];
    const git = createGit('https');
    const stop = new AbortController();
    const stopped = expect(readBlobs(withAbortSignals(git, stop.signal), dir, [oid])).rejects.toMatchObject({
      class: 'cancelled',
    });
    const answer = readBlobs(git, dir, [other]);
    readers()[0]?.stdout?.once('data', () => stop.abort());
    await stopped;
    expect((await answer).get(other)?.toString()).toBe('other');
    await expect(readBlobs(withAbortSignals(git, stop.signal), dir, [oid])).rejects.toMatchObject({
      class: 'cancelled',
    });
  });
});

describe('E1: a repository cannot make us grow', () => {
  it('a blob of 200 MB is told by its size, or passed over', async () => {
    const dir = repository('blob');
    const file = join(root, 'large');
    execFileSync('truncate', ['-s', String(200 * MB), file]);
    const oid = plain(dir, 'hash-object', '-w', '--no-filters', file);
    const tree = feed(dir, ['mktree'], `100644 blob ${oid}\tlarge\n100644 blob ${store(dir, 's')}\tsmall\n`);
    const git = createGit('https');
    expect((await listTree(git, dir, tree)).get('large')?.size).toBe(200 * MB);
    let most = 0;
    readers()[0]?.stdout?.on('data', () => (most = Math.max(most, process.memoryUsage().arrayBuffers)));
    const before = process.memoryUsage().arrayBuffers;
    const taken: GitObject[] = [];
    const take = (object: GitObject): void => void taken.push(object);
    await git.readObjects(dir, { oids: [oid], maxBytes: MB, take });
    expect(taken).toEqual([{ oid, type: 'blob', size: 200 * MB, bytes: null }]);
    expect(most - before).toBeLessThan(64 * MB);
  });

  it('a tree of 100,000 entries is read as a whole', async () => {
    const dir = repository('wide');
    const blob = store(dir, 'x');
    const names = Array.from({ length: 100_000 }, (_, i) => `file-${i}`);
    const tree = feed(dir, ['mktree'], names.map((name) => `100644 blob ${blob}\t${name}\n`).join(''));
    const listed = await listTree(createGit('https'), dir, tree);
    expect([...listed.keys()]).toEqual(names.sort());
  });

  it('a tree that names more paths than exist is refused', async () => {
    const dir = repository('bomb');
    let tree = feed(dir, ['mktree'], `100644 blob ${store(dir, 'x')}\tf\n`);
    for (let level = 0; level < 9; level += 1)
      tree = feed(
        dir,
        ['mktree'],
        [...'abcdefghij'].map((name) => `040000 tree ${tree}\t${name}\n`).join(''),
      );
    await expect(listTree(createGit('https'), dir, tree)).rejects.toMatchObject({
      class: 'env_missing',
      message: expect.stringContaining('too large') as string,
    });
  });

  it.each([
    ['names more files than exist', 'x', 9, 'env_missing'],
    ['names a large file so often that no disk holds it', Buffer.alloc(64 * MB), 5, 'disk_full'],
  ])('E1: git is not asked to write a tree that %s', async (what, bytes, levels, failure) => {
    const dir = repository(`written-${failure}`);
    let tree = feed(dir, ['mktree'], `100644 blob ${store(dir, bytes)}\tf\n`);
    for (let level = 0; level < levels; level += 1)
      tree = feed(
        dir,
        ['mktree'],
        [...'abcdefghij'].map((name) => `040000 tree ${tree}\t${name}\n`).join(''),
      );
    const { readObjects, closeReaders } = createGit('https');
    const asked: string[] = [];
    const git: TrustedGit = Object.assign(
      ([command = '']: readonly string[]) => {
        asked.push(command);
        return Promise.reject(new Error('git was asked'));
      },
      { readObjects, closeReaders },
    );
    const from = { gitDir: dir, index: join(dir, 'index'), sha: tree, dir };
    await expect(checkOut(git, from)).rejects.toMatchObject({ class: failure });
    expect([what, ...asked]).toEqual([what]);
  });

  it.each([
    ['a name that leads out', `100644 ..\0${'a'.repeat(20)}`],
    ['a name with a slash', `100644 a/b\0${'a'.repeat(20)}`],
    ['the name of a git directory', `40000 .GIT\0${'a'.repeat(20)}`],
    ['no name', `100644 \0${'a'.repeat(20)}`],
    ['an id that is cut off', `100644 a\0${'a'.repeat(19)}`],
    ['no end of a name', '100644 a'],
    ['no mode', `10064x a\0${'a'.repeat(20)}`],
  ])('a tree with %s is refused', async (_, bytes) => {
    const dir = repository(`tree-${objectId('tree', Buffer.from(bytes))}`);
    const id = objectId('tree', Buffer.from(bytes));
    const loose = join(dir, 'objects', id.slice(0, 2), id.slice(2));
    mkdirSync(dirname(loose), { recursive: true });
    writeFileSync(
      loose,
      deflateSync(Buffer.concat([Buffer.from(`tree ${bytes.length}\0`), Buffer.from(bytes)])),
    );
    await expect(listTree(createGit('https'), dir, id)).rejects.toThrow(/cannot be read/);
  });

  it('E2: of many directories few processes are kept, and none when they are closed', async () => {
    const git = createGit('https');
    for (let i = 0; i < 40; i += 1) {
      const dir = repository(`many-${i}`);
      const oid = store(dir, `${i}`);
      expect((await readBlobs(git, dir, [oid])).get(oid)?.toString()).toBe(`${i}`);
    }
    expect(await eventually(() => readers().filter(isAlive).length <= 16)).toBe(true);
    expect(readers()).toHaveLength(40);
    git.closeReaders();
    expect(await eventually(() => !readers().some(isAlive))).toBe(true);
  });

  it('L6: none outlives a process that is killed', async () => {
    const dir = repository('outlived');
    const oid = store(dir, 'x');
    const modules = ['trusted-git', 'read-objects'].map((name) =>
      join(import.meta.dirname, `../../../executors/git/${name}.ts`),
    );
    const script = `
      import { subscribe } from 'node:diagnostics_channel';
      const { createGit } = await import('${modules[0]}');
      const { readBlobs } = await import('${modules[1]}');
      subscribe('child_process', ({ process: child }) => child.once('spawn', () => console.log(child.pid)));
      await readBlobs(createGit('https'), '${dir}', ['${oid}']);
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((resolve) =>
      child.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString().trim()))),
    );
    const isReader = (): boolean => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--batch-command');
      } catch {
        return false;
      }
    };
    expect(isReader()).toBe(true);
    child.kill('SIGKILL');
    expect(await eventually(() => !isReader())).toBe(true);
  });
});

it('G8: a message that is no UTF-8 stays byte for byte', async () => {
  const dir = repository('message');
  const tree = feed(dir, ['mktree'], '');
  const raw = `tree ${tree}\nauthor a <a@b> 1 +0000\ncommitter c <c@d> 1 +0000\n\nA\xff\0B\n`;
  const id = feed(
    dir,
    ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'],
    Buffer.from(raw, 'latin1'),
  );
  const { message } = await readCommit(createGit('https'), dir, id);
  expect(decodePreservingBytes(Buffer.from(message, 'latin1'))).toBe('A\udcff\0B\n');
});
