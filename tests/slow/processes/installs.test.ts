/**
 * E15: what an installation made is used again only where all that it reads is the same, as bytes
 * that nobody else can write to.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createInstallCache } from '../../../executors/git/workspace/install-cache.ts';
import type { InstallLimits } from '../../../executors/git/disk-limits.ts';
import type { GitTree } from '../../../executors/git/read-objects.ts';
import { DAY, MB } from '#model/values';
import { dataDirectory } from '../../support/contained.ts';

const KEPT = { key: 'k', commands: ['npm ci'] };
const LIMITS: InstallLimits = { diskMb: 100, keepDays: 7 };

/** A project with one dependency, packed beside it, and installed by the real npm. */
const project = (scripts: Record<string, string> = {}) => {
  const root = dataDirectory().dataDir;
  const near = path.join(root, 'near');
  mkdirSync(near);
  writeFileSync(path.join(near, 'package.json'), '{"name":"near","version":"1.0.0"}');
  writeFileSync(path.join(near, 'index.js'), 'module.exports = 1;\n');
  const base = place(root, 'base');
  const npm = (...args: string[]): void =>
    void execFileSync('npm', [...args, '--no-audit', '--no-fund', '--offline'], {
      cwd: base.dir,
      env: { PATH: process.env.PATH, HOME: base.home },
      stdio: 'pipe',
    });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', base.dir], { cwd: near, stdio: 'pipe' });
  const dependencies = { near: 'file:near-1.0.0.tgz' };
  const manifest = JSON.stringify({ name: 'app', version: '1.0.0', dependencies, scripts });
  writeFileSync(path.join(base.dir, 'package.json'), manifest);
  npm('install', '--package-lock-only');
  npm('ci', '--ignore-scripts');
  return { root, base };
};
const FILES = ['package.json', 'package-lock.json', 'near-1.0.0.tgz', 'app.js'];
const place = (root: string, name: string) => {
  const [dir, home] = [path.join(root, name, 'tree'), path.join(root, name, 'home')];
  for (const one of [dir, home]) mkdirSync(one, { recursive: true });
  return { dir, home };
};
/** As a commit lists them: these files, some of them with other bytes. */
const tree = (changed: readonly string[] = []): GitTree =>
  new Map(
    FILES.map((name) => [
      name,
      { path: name, mode: '100644', oid: changed.includes(name) ? 'b' : 'a', size: 1 } as never,
    ]),
  );
const use = (root: string, name: string, of: GitTree, installs: ReturnType<typeof createInstallCache>) => {
  const to = place(root, name);
  for (const file of ['package.json', 'package-lock.json'])
    writeFileSync(path.join(to.dir, file), readFileSync(path.join(root, 'base/tree', file)));
  return installs.reuse(KEPT, { ...to, tree: of }).then((how) => ({ ...to, how }));
};
const dependency = ({ dir }: { dir: string }): string => path.join(dir, 'node_modules/near/index.js');

it('E15: an installation is kept by what it reads: other sources use it, another lockfile does not', async () => {
  const { root, base } = project();
  const installs = createInstallCache(path.join(root, 'installs'), LIMITS);
  await installs.keep(KEPT, { ...base, tree: tree() });
  const same = await use(root, 'same', tree(), installs);
  expect(same.how).toBe('installed');
  expect(readFileSync(dependency(same), 'utf8')).toBe('module.exports = 1;\n');
  expect((await use(root, 'sources', tree(['app.js']), installs)).how).toBe('installed');
  for (const file of ['package.json', 'package-lock.json'])
    expect((await use(root, file, tree([file]), installs)).how).toBeNull();
});

it('E15: a copy shares nothing with what is kept, so that no run can write into another one’s', async () => {
  const { root, base } = project();
  const installs = createInstallCache(path.join(root, 'installs'), LIMITS);
  await installs.keep(KEPT, { ...base, tree: tree() });
  const one = await use(root, 'one', tree(), installs);
  expect(statSync(dependency(one)).nlink).toBe(1);
  writeFileSync(dependency(one), 'evil');
  rmSync(dependency(base));
  const two = await use(root, 'two', tree(), installs);
  expect(readFileSync(dependency(two), 'utf8')).toBe('module.exports = 1;\n');
});

it('O10: a record without end that an installation left is not read, and what it belongs to is installed again', async () => {
  const { root, base } = project();
  const record = path.join(base.home, '.local/lib/python3/site-packages/x.dist-info');
  mkdirSync(record, { recursive: true });
  writeFileSync(path.join(record, 'direct_url.json'), '');
  truncateSync(path.join(record, 'direct_url.json'), 600 * MB);
  const installs = createInstallCache(path.join(root, 'installs'), LIMITS);
  await installs.keep(KEPT, { ...base, tree: tree() });
  expect((await use(root, 'again', tree(), installs)).how).toBe('fetched');
});

it('E15: what may have built something of the sources is installed again, with what was fetched', async () => {
  const { root, base } = project({ postinstall: 'true' });
  writeFileSync(path.join(base.home, 'fetched'), 'x');
  const installs = createInstallCache(path.join(root, 'installs'), LIMITS);
  await installs.keep(KEPT, { ...base, tree: tree() });
  const one = await use(root, 'one', tree(), installs);
  expect([one.how, existsSync(dependency(one))]).toEqual(['fetched', false]);
  expect(readFileSync(path.join(one.home, 'fetched'), 'utf8')).toBe('x');
});

it('L8: what is kept has a bound: the longest unused go first, and what is unused for long goes', async () => {
  const { root, base } = project();
  const at = path.join(root, 'installs');
  writeFileSync(path.join(base.home, 'large'), Buffer.alloc(600_000, 1));
  const installs = createInstallCache(at, { diskMb: 1, keepDays: 7 });
  const now = Date.now();
  const keep = async (lock: readonly string[], age: number): Promise<void> => {
    const before = new Set(await readdir(at).catch(() => []));
    await installs.keep(KEPT, { ...base, tree: tree(lock) });
    for (const name of await readdir(at))
      if (!before.has(name)) utimesSync(path.join(at, name), (now - age) / 1_000, (now - age) / 1_000);
  };
  await keep(['package.json'], DAY);
  await keep(['package-lock.json'], DAY / 2);
  await installs.makeRoom(now);
  expect(await readdir(at)).toHaveLength(1);
  expect((await use(root, 'older', tree(['package.json']), installs)).how).toBeNull();
  expect((await use(root, 'newer', tree(['package-lock.json']), installs)).how).toBe('installed');
  await installs.makeRoom(now + 8 * DAY);
  expect(await readdir(at)).toEqual([]);
});
