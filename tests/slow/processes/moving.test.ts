/** L7: a run that began on one machine goes on on another, with the same commits and no more. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorkspaces } from '../../../executors/git/workspace/workspace.ts';
import { createWorld, git, TOKEN, write, type World } from '../../support/git-world.ts';

let world: World;
let elsewhere: ReturnType<typeof createWorkspaces>;
beforeAll(async () => {
  world = await createWorld();
  const dataDir = join(world.dir, 'elsewhere');
  mkdirSync(dataDir);
  const credential = () => Promise.resolve(TOKEN);
  elsewhere = createWorkspaces({ dataDir, serverUrl: world.host.origin, credential });
});
afterAll(() => world.close());

const here = () => world.workspaces as ReturnType<typeof createWorkspaces>;

it('L7: brings the commits that were not pushed and the sessions of its agents, and not the repository', async () => {
  const repo = world.repo('moves', { 'a.txt': 'one\n', 'big.txt': 'x'.repeat(500_000) });
  const { sha, ws } = await world.prepare('r1', repo);
  write(ws, { 'a.txt': 'two\n', 'new/b.txt': 'three\n' });
  const { home } = here().places('r1');
  write(home, { '.codex/sessions/1.jsonl': '{"said":1}\n' });
  symlinkSync('/etc/passwd', join(home, 'passwd'));
  const made = await world.harvest('r1', sha);
  if (made.kind !== 'commit') throw new Error(made.kind);
  // The branch goes on meanwhile.
  world.advance(repo, { 'other.txt': 'later\n' });
  const packed = await here().moving.pack({ runId: 'r1', heads: [made.commit.sha] });
  const content = await packed.content();
  expect(content.length).toBeLessThan(10_000);
  await elsewhere.moving.unpack({ runId: 'r1', repo, content, sha: made.commit.sha, base: sha });
  const there = elsewhere.places('r1');
  expect(readFileSync(join(there.workspace, 'new/b.txt'), 'utf8')).toBe('three\n');
  expect(git(there.workspace, 'log', '-1', '--format=%H')).toBe(made.commit.sha);
  expect(readFileSync(join(there.home, '.codex/sessions/1.jsonl'), 'utf8')).toBe('{"said":1}\n');
  expect(existsSync(join(there.home, 'passwd'))).toBe(false);
  const patch = { runId: 'r1', base: sha, head: made.commit.sha, limit: 10_000 };
  expect(await elsewhere.patch(patch)).toEqual(await here().patch(patch));
  // And back again: the same content has the same name.
  expect((await elsewhere.moving.pack({ runId: 'r1', heads: [made.commit.sha] })).key).toBe(packed.key);
  const push = { runId: 'r1', repo, sha: made.commit.sha, branch: 'agentpr/r1', expect: null };
  expect(await elsewhere.push(push)).toMatchObject({ kind: 'pushed', sha: made.commit.sha });
});

const file = Buffer.from('[core]').toString('base64');
it.each([
  ['leads out of HOME', { home: { '../git/config': file } }],
  ['leads out of HOME further below', { home: { 'a/../../git/config': file } }],
  ['is an absolute path', { home: { '/etc/cron.d/x': file } }],
  ['has an empty name', { home: { 'a//b': file } }],
  ['has a line end in its name', { home: { 'a\nb': file } }],
  ['lies in what is fetched', { home: { 'node_modules/x.js': file } }],
  ['is larger than any that is packed', { home: { a: 'A'.repeat(700_004) } }],
  ['is one of too many', { home: Object.fromEntries([...Array(501).keys()].map((n) => [`f${n}`, file])) }],
  ['is no base64', { home: { a: '{}' } }],
  ['comes with something unknown', { links: { a: '/etc' } }],
] as const)('E1: a kept file that %s is refused before anything is touched', async (_, bad) => {
  const repo = world.repo(`planted-${_.replaceAll(' ', '-')}`, { 'a.txt': 'one\n' });
  await world.prepare('r2', repo);
  const { content } = await here().moving.pack({ runId: 'r2', heads: [] });
  const plain = JSON.parse(gunzipSync(Buffer.from(await content(), 'base64')).toString()) as object;
  const planted = gzipSync(JSON.stringify({ ...plain, ...bad })).toString('base64');
  const unpack = elsewhere.moving.unpack({ runId: 'r2', repo, content: planted, sha: null, base: null });
  await expect(unpack).rejects.toThrow('is not as it is packed');
  expect(existsSync(elsewhere.places('r2').workspace)).toBe(false);
});

it('E1: what grows without end when it is unpacked is refused', async () => {
  const repo = world.repo('bomb', { 'a.txt': 'one\n' });
  const content = gzipSync(Buffer.alloc(257 * 1_048_576)).toString('base64');
  const unpack = elsewhere.moving.unpack({ runId: 'r3', repo, content, sha: null, base: null });
  await expect(unpack).rejects.toThrow();
  expect(existsSync(elsewhere.places('r3').workspace)).toBe(false);
});
