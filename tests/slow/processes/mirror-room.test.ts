/**
 * What mirrors may take of the disk: which are removed, which never, and what is said when there is
 * no room.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataLayout } from '#process';
import { listMirrors } from '../../../executors/git/mirror-eviction.ts';
import type { MirrorLimits } from '../../../executors/git/disk-limits.ts';
import { createWorkspaces } from '../../../executors/git/workspace/workspace.ts';
import type { RepoRef } from '#ports/workspaces';
import { createWorld, git, TOKEN, type World } from '../../support/git-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const LARGE = { keepDays: 30, diskMb: 1_000 };
/** Each is a start of the process: room is looked for at most once a minute. */
const prepare = async (runId: string, repo: RepoRef, mirrors: MirrorLimits = LARGE, dataDir = world.data) => {
  const credential = () => Promise.resolve(TOKEN);
  const workspaces = createWorkspaces({ dataDir, serverUrl: world.host.origin, credential, mirrors });
  const signal = new AbortController().signal;
  await workspaces.prepare({ runId, repo, base: null, defaultBranch: 'main', signal });
  return workspaces;
};
const repoOf = (name: string): RepoRef => world.repo(name, { 'noise.bin': randomBytes(700_000) });
const mirrorOf = (name: string): string => join(world.data, 'mirrors', `acme%2F${name}.git`);
const age = (name: string, days: number): void => {
  const then = new Date(Date.now() - days * 86_400_000);
  utimesSync(join(mirrorOf(name), 'HEAD'), then, then);
};
const failing = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('mirrors', () => {
  it('go when nobody used them for long, and never while a run borrows from them', async () => {
    const [idle, busy, fresh] = [repoOf('idle'), repoOf('busy'), repoOf('fresh')];
    await (await prepare('idle1', idle)).clean('idle1');
    await prepare('busy1', busy);
    for (const name of ['idle', 'busy']) age(name, 31);
    await prepare('fresh1', fresh);
    expect(existsSync(mirrorOf('idle'))).toBe(false);
    expect(existsSync(join(world.data, 'mirrors/acme%2Fidle.seeds'))).toBe(false);
    const trusted = join(world.data, 'runs/busy1/git');
    expect(git(trusted, 'cat-file', '-t', git(world.bare(busy), 'rev-parse', 'main'))).toBe('commit');
    const again = await prepare('idle2', idle);
    expect(await again.exists('idle2')).toBe(true);
    for (const run of ['busy1', 'fresh1', 'idle2']) await again.clean(run);
  });

  it('make room for others, the longest unused first', async () => {
    const [older, newer, next] = [repoOf('older'), repoOf('newer'), repoOf('next')];
    for (const [run, repo] of [
      ['newer1', newer],
      ['older1', older],
    ] as const)
      await (await prepare(run, repo)).clean(run);
    for (const name of ['fresh', 'idle', 'older']) age(name, 2);
    age('newer', 1);
    // A mirror has some 2 MB: a pack, and a seed with a tree and a pack.
    await prepare('next', next, { keepDays: 30, diskMb: 3 });
    expect((await listMirrors(createDataLayout(world.data))).map((m) => m.git).sort()).toEqual(
      [mirrorOf('newer'), mirrorOf('next')].sort(),
    );
  });

  it('that are all needed leave no room, which is said in a sentence', async () => {
    await prepare('held1', world.repo('held', { 'noise.bin': randomBytes(700_000) }));
    expect(await failing(prepare('more', repoOf('more'), { keepDays: 30, diskMb: 1 }))).toMatchObject({
      class: 'disk_full',
      message: expect.stringMatching(/take \d+ MB .* mirrors\.diskMb allows \(1\)/) as string,
    });
    for (const name of ['held', 'next']) expect(existsSync(mirrorOf(name))).toBe(true);
  });

  it('that were half removed by a crash are swept away and made again', async () => {
    const repo = repoOf('halved');
    await (await prepare('halved1', repo)).clean('halved1');
    execFileSync('mv', [mirrorOf('halved'), `${mirrorOf('halved')}.gone`]);
    await prepare('halved2', repo);
    expect(existsSync(`${mirrorOf('halved')}.gone`)).toBe(false);
    expect(git(join(world.data, 'runs/halved2/git'), 'fsck', '--full', '--no-dangling')).toBe('');
  });
});

it('a disk with hardly any room is said before anything is written to it', async ({ skip }) => {
  const small = join(world.dir, 'small');
  mkdirSync(small);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', small], { stdio: 'ignore' });
  } catch {
    skip('no file system may be mounted here');
  }
  try {
    expect(await failing(prepare('small1', repoOf('small'), LARGE, small))).toMatchObject({
      class: 'disk_full',
      message: 'Less than 256 MB are left on the disk of the data directory. Free some space, then retry.',
    });
  } finally {
    execFileSync('umount', [small]);
  }
});
