/** C2: of what a command left in an export only plain pictures are kept, whatever else lies there. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, type World } from '../../support/git-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

it('C2: keeps pictures under a tree of the run, and follows no link', async () => {
  const runId = 'shots1';
  const { sha } = await world.prepare(runId, world.repo('shots', { 'a.txt': 'a\n' }));
  const place = await world.workspaces.export({ runId, sha });
  const shots = join(place.dir, 'out/shots');
  mkdirSync(join(shots, 'wide'), { recursive: true });
  const outside = join(world.outside, 'secret.png');
  writeFileSync(outside, 'secret');
  writeFileSync(join(shots, 'wide/b.png'), 'b');
  writeFileSync(join(shots, 'a.png'), 'a');
  writeFileSync(join(shots, 'notes.txt'), 'no picture');
  writeFileSync(join(shots, 'large.png'), Buffer.alloc(5 * 1024 * 1024 + 1));
  writeFileSync(join(shots, 'a\nb.png'), 'a name that reads otherwise');
  symlinkSync(outside, join(shots, 'link.png'));
  symlinkSync(world.outside, join(place.dir, 'away'));
  const { workspaces } = world;
  const kept = await workspaces.pictures({ runId, dir: place.dir, folder: 'out/shots' });
  expect([...(kept?.files.keys() ?? [])]).toEqual(['a.png', 'wide/b.png']);
  const tree = await workspaces.tree(runId, kept?.tree ?? '');
  expect(Buffer.from((await tree.bytes('wide/b.png', 10)) ?? []).toString()).toBe('b');
  for (const folder of ['away', 'out/nothing', 'out/shots/notes.txt'])
    expect(await workspaces.pictures({ runId, dir: place.dir, folder })).toBeNull();
  await place.remove();
  expect((await tree.bytes('a.png', 10))?.length).toBe(1);
});
