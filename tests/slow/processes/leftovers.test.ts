/**
 * E15: an installation that was cut off goes on with what its package manager had fetched, and with
 * nothing else that it left.
 */
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommitExport, CachedInstall } from '#ports/workspaces';
import { createWorld, write, type World } from '../../support/git-world.ts';

const KEPT: CachedInstall = { key: 'k', commands: ['npm ci'] };
const FETCHED = '.npm/_cacache/content-v2/near';
let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const begin = async (id: string) => {
  const { sha } = await world.prepare(id, world.repo(id, { 'package.json': '{}\n' }));
  const make = (reuse: CachedInstall = KEPT): Promise<CommitExport> =>
    world.workspaces.export({ runId: id, sha, reuse });
  return { sha, make };
};
/** As an installation leaves it that was killed in its middle. */
const halfInstalled = ({ dir, home }: CommitExport): void => {
  write(dir, { 'node_modules/near/half.js': 'x' });
  write(home, { [FETCHED]: 'bytes', '.local/bin/half': 'x' });
};

describe('an installation that was cut off', () => {
  it('E15: goes on after a restart with what was fetched; what was half made is removed', async () => {
    const { make } = await begin('restarted');
    const first = await make();
    expect(first.reused).toBeNull();
    halfInstalled(first);
    world.restart();
    const second = await make();
    expect(second.reused).toBe('fetched');
    expect(readdirSync(second.home)).toEqual(['.npm']);
    expect(existsSync(join(second.home, FETCHED))).toBe(true);
    expect(existsSync(join(second.dir, 'node_modules'))).toBe(false);
    expect(existsSync(dirname(first.dir))).toBe(false);
  });

  it('E15: goes on as well where it was stopped in time, and after a second cut', async () => {
    const { make } = await begin('stopped');
    const first = await make();
    halfInstalled(first);
    first.leave();
    const second = await make();
    expect(second.reused).toBe('fetched');
    write(second.home, { '.cache/pip/http/more': 'bytes' });
    world.restart();
    const third = await make();
    for (const path of [FETCHED, '.cache/pip/http/more'])
      expect(existsSync(join(third.home, path))).toBe(true);
  });

  it('E15: gives nothing to another installation, or to one that is made anew', async () => {
    const { sha, make } = await begin('others');
    halfInstalled(await make());
    world.restart();
    const anew = await world.workspaces.export({ runId: 'others', sha });
    expect([anew.reused, readdirSync(anew.home)]).toEqual([null, []]);
    const other = await make({ ...KEPT, key: 'another branch' });
    expect([other.reused, readdirSync(other.home)]).toEqual([null, []]);
  });

  it('E15: gives nothing once checks have begun: a copy of it may be half there', async () => {
    const { make } = await begin('checked');
    const first = await make();
    halfInstalled(first);
    await first.renew({ last: false });
    world.restart();
    expect((await make()).reused).toBeNull();
    expect(existsSync(dirname(first.dir))).toBe(false);
  });

  it('E15: is left alone while it is at work', async () => {
    const { make } = await begin('at-work');
    const first = await make();
    halfInstalled(first);
    expect((await make()).reused).toBeNull();
    expect(existsSync(join(first.home, FETCHED))).toBe(true);
  });

  it('E1: what it fetched is taken through no link', async () => {
    const { make } = await begin('links');
    const first = await make();
    const outside = join(world.outside, 'fetched');
    mkdirSync(join(outside, '_cacache'), { recursive: true });
    symlinkSync(outside, join(first.home, '.npm'));
    world.restart();
    expect((await make()).reused).toBeNull();
    expect(readdirSync(outside)).toEqual(['_cacache']);
  });
});
