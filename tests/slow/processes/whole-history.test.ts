/** E19 on real git: a check whose CI checks out the history has it, with tags and the base's name. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, git, write, type World } from '../../support/git-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

it('E19: describe, count and compare with origin/main work as in CI, and without being asked for do not', async () => {
  const repo = world.repo('described', { 'a.txt': 'one\n' }, (dir) => {
    git(dir, 'commit', '-q', '-m', 'tagged');
    git(dir, 'tag', '-a', 'v1.2.0', '-m', 'x');
  });
  world.advance(repo, { 'a.txt': 'two\n' });
  const { sha, ref, ws } = await world.prepare('h1', repo);
  write(ws, { 'b.txt': 'new\n' });
  const made = await world.harvest('h1', sha);
  if (made.kind !== 'commit') throw new Error(made.kind);
  const of = { runId: 'h1', sha: made.commit.sha };
  const place = await world.workspaces.export({ ...of, history: { repo, ref, base: sha } });
  await place.renew({ last: true });
  const ask = (...args: string[]): string =>
    execFileSync('git', args, { cwd: place.dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  expect(ask('describe', '--tags', '--match', 'v*')).toMatch(/^v1\.2\.0-3-g/);
  expect(ask('rev-list', '--count', 'HEAD')).toBe('4');
  expect(ask('diff', '--name-only', 'origin/main...HEAD')).toBe('b.txt');
  expect(ask('rev-parse', '--is-shallow-repository')).toBe('false');
  expect(ask('status', '--porcelain')).toBe('');
  await place.remove();
  const plain = await world.workspaces.export(of);
  expect(git(plain.dir, 'rev-parse', '--is-shallow-repository').trim()).toBe('true');
  await plain.remove();
});
