/** E15: what an installation made is laid into a tree that has files of its own. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createInstallCache } from '../../executors/git/workspace/install-cache.ts';
import { dataDirectory } from '../support/contained.ts';
import { write } from '../support/git-world.ts';

const KEPT = { key: 'k', commands: ['npm ci'] };
const place = (root: string) => {
  const at = mkdtempSync(path.join(root, 'place-'));
  const [dir, home] = [path.join(at, 'tree'), path.join(at, 'home')];
  for (const one of [dir, home]) mkdirSync(one);
  return { dir, home };
};

describe('a tree with its own files where an installation was', () => {
  const at = 'packages/a/node_modules/near/index.js';
  const kept = async () => {
    const root = dataDirectory().dataDir;
    const base = place(root);
    write(base.dir, { [at]: 'installed\n', 'package.json': '{}', 'packages/a/package.json': '{}' });
    const files = ['package.json', 'packages/a/package.json'];
    const of = new Map(
      files.map((name) => [name, { path: name, mode: '100644', oid: 'a', size: 1 } as never]),
    );
    const installs = createInstallCache(path.join(root, 'installs'), { diskMb: 100, keepDays: 7 });
    await installs.keep(KEPT, { ...base, tree: of });
    const reuse = async (make: (dir: string) => void) => {
      const to = place(root);
      make(to.dir);
      return { ...to, how: await installs.reuse(KEPT, { ...to, tree: of }) };
    };
    return { root, reuse };
  };

  it('E15: is laid beside them, and over none of them', async () => {
    const { reuse } = await kept();
    const free = await reuse((dir) => write(dir, { 'packages/a/package.json': '{}' }));
    expect([free.how, readFileSync(path.join(free.dir, at), 'utf8')]).toEqual(['installed', 'installed\n']);
    for (const own of [at, 'packages/a/node_modules/other.js', 'packages/a/node_modules']) {
      const taken = await reuse((dir) => write(dir, { [own]: 'its own\n' }));
      expect([taken.how, readFileSync(path.join(taken.dir, own), 'utf8')]).toEqual(['fetched', 'its own\n']);
    }
  });

  it('E15: follows no link of theirs', async () => {
    const { root, reuse } = await kept();
    const elsewhere = path.join(root, 'elsewhere');
    mkdirSync(path.join(elsewhere, 'a'), { recursive: true });
    const linked = await reuse((dir) => symlinkSync(elsewhere, path.join(dir, 'packages')));
    expect([linked.how, readdirSync(path.join(elsewhere, 'a'))]).toEqual(['fetched', []]);
  });
});
