/** L7: a run that began on one machine goes on on another, with the same commits and no more. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorkspaces } from '../../executors/workspace/workspace.ts';
import { createWorld, git, TOKEN, write, type World } from '../support/git-world.ts';

let world: World;
let elsewhere: ReturnType<typeof createWorkspaces>;
beforeAll(async () => {
  world = await createWorld();
  const dataDir = join(world.dir, 'elsewhere');
  mkdirSync(dataDir);
  const credential = () => Promise.resolve(TOKEN);
  elsewhere = createWorkspaces({ dataDir, origin: world.host.origin, credential });
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
  await elsewhere.moving.unpack({ runId: 'r1', repo, content, sha: made.commit.sha });
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

it('E1: what somebody put into the ledger leaves no home, and makes no other commit', async () => {
  const repo = world.repo('planted', { 'a.txt': 'one\n' });
  await world.prepare('r2', repo);
  const { content } = await here().moving.pack({ runId: 'r2', heads: [] });
  const plain = JSON.parse(gunzipSync(Buffer.from(await content(), 'base64')).toString()) as object;
  const planted = { ...plain, home: { '../git/config': Buffer.from('[core]').toString('base64') } };
  const bad = gzipSync(JSON.stringify(planted)).toString('base64');
  const unpack = elsewhere.moving.unpack({ runId: 'r2', repo, content: bad, sha: null });
  await expect(unpack).rejects.toThrow(/HOME/);
});
