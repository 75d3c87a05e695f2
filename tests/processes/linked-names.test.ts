/** E11: a file is judged by every name by which links of its repository lead to it. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLinkNameFinder } from '../../executors/git/symlink-escapes.ts';
import { isAgentConfig, isTrustRoot, selectTouchedPaths } from '#model/paths';
import { createWorld, git, write, type World } from '../support/git-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

it('E11: what the base links to from where agents and package managers look is what steers them', async () => {
  const files = { 'docs/team.json': '{}\n', 'config/npm': 'a=b\n', 'docs/plain.md': 'a\n' };
  const repo = world.repo('linked', files, (dir) => {
    mkdirSync(join(dir, '.claude'));
    symlinkSync('../docs/alias', join(dir, '.claude/settings.json'));
    symlinkSync('team.json', join(dir, 'docs/alias'));
    symlinkSync('config/npm', join(dir, '.npmrc'));
    symlinkSync('/etc', join(dir, 'outside'));
    git(dir, 'add', '-A');
  });
  const { ws, sha } = await world.prepare('l1', repo);
  write(ws, { 'docs/team.json': '{"hooks":{}}\n', 'config/npm': 'registry=x\n', 'docs/plain.md': 'b\n' });
  const harvest = await world.harvest('l1', sha);
  if (harvest.kind !== 'commit') throw new Error(JSON.stringify(harvest));
  const { diff } = harvest.commit;
  expect(diff.files.map(({ path, linkedNames }) => [path, linkedNames])).toEqual([
    ['config/npm', ['.npmrc']],
    ['docs/plain.md', undefined],
    ['docs/team.json', ['.claude/settings.json', 'docs/alias']],
  ]);
  expect(selectTouchedPaths(diff, isAgentConfig)).toEqual(['.claude/settings.json']);
  expect(selectTouchedPaths(diff, isTrustRoot)).toEqual(['.npmrc']);
});

const namesOf = (links: Record<string, string>, path: string, most = 100): string[] | null =>
  createLinkNameFinder(new Map(Object.entries(links)), most)(path);

it('E11: names lead through linked folders, loops end, and too many names are not judged in part', () => {
  expect(namesOf({ '.claude': 'a', 'a/x': '../b' }, 'b/c')).toEqual(['a/x/c', '.claude/x/c']);
  expect(namesOf({ self: '.', 'd/up': '..' }, 'f')).toEqual(['self/f', 'd/up/f']);
  expect(namesOf({ '.claude': '.', a: 'f' }, 'f')).toEqual(['.claude/f', 'a', '.claude/a']);
  expect(namesOf({ 'a/b': '../b' }, 'a/b')).toEqual([]);
  const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`l${i}`, 'f']));
  expect([namesOf(many, 'f', 3_000)?.length, namesOf(many, 'f', 2_999)]).toEqual([3_000, null]);
});
