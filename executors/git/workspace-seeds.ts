/** Packs fresh workspaces as archives. A digest in the name detects damaged ones. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rename, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { OutsideFailure, diskFull } from '#ports/forge';
import { spawnProcess } from '../process/spawn.ts';
import { emptyFolder, removeTree } from '../process/folder-trees.ts';
import { toStartFailure } from './git-failure.ts';

const MAX_SEEDS = 3;

const runTar = async (args: readonly string[], cwd: string, signal?: AbortSignal): Promise<void> => {
  const end = await spawnProcess({
    argv: ['tar', ...args],
    cwd,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    timeoutMs: 600_000,
    maxOutputBytes: 1 << 20,
    ...(signal ? { signal } : {}),
  });
  if (end.ended === 'aborted')
    throw new OutsideFailure('cancelled', 'Making the workspace was stopped on request.');
  if (end.ended === 'not_started') throw toStartFailure(end);
  if (/no space left/i.test(end.stderr)) throw diskFull();
  if (end.exitCode !== 0) throw new Error(`tar failed (${end.ended}): ${end.stderr.slice(0, 300)}`);
};

const digestOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
};

const findSeed = async (seeds: string, name: string): Promise<{ path: string; digest: string } | null> => {
  for (const file of await readdir(seeds).catch(() => [])) {
    const digest = file.startsWith(`${name}-`) && /-([0-9a-f]{64})\.tar$/.exec(file)?.[1];
    if (digest) return { path: join(seeds, file), digest };
  }
  return null;
};

const removeOldSeeds = async (dir: string): Promise<void> => {
  const seeds = await Promise.all(
    (await readdir(dir)).map(async (name) => ({ name, at: (await stat(join(dir, name))).mtimeMs })),
  );
  seeds.sort((a, b) => b.at - a.at);
  for (const { name } of seeds.slice(MAX_SEEDS)) await removeTree(join(dir, name));
};

/** Returns `damaged` after removing the seed; `dir` is then empty again. */
export const unpackSeed = async (
  seeds: string,
  name: string,
  dir: string,
  signal?: AbortSignal,
): Promise<'unpacked' | 'missing' | 'damaged'> => {
  const seed = await findSeed(seeds, name);
  if (seed === null) return 'missing';
  const now = new Date();
  await utimes(seed.path, now, now);
  const [digest, unpacked] = await Promise.allSettled([
    digestOf(seed.path),
    runTar(['-xpf', seed.path, '--no-same-owner', '-C', dir], dir, signal),
  ]);
  if (unpacked.status === 'rejected' && unpacked.reason instanceof OutsideFailure) throw unpacked.reason;
  // guard: E1-whole-seed
  if (digest.status === 'rejected' || digest.value !== seed.digest) {
    await removeTree(seed.path);
    await emptyFolder(dir, '');
    return 'damaged';
  }
  if (unpacked.status === 'rejected') throw unpacked.reason;
  return 'unpacked';
};

export const packSeed = async (
  { seeds, name, making, dir }: { seeds: string; name: string; making: string; dir: string },
  signal?: AbortSignal,
): Promise<void> => {
  const made = join(making, 'tar');
  await runTar(['-cf', made, '-C', dir, '.'], making, signal);
  await rename(made, join(seeds, `${name}-${await digestOf(made)}.tar`));
  await removeTree(making);
  await removeOldSeeds(seeds);
};
