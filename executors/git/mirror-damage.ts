/** Repairs a mirror that a power cut or a bad disk has damaged. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { MINUTE } from '#model/values';
import { OutsideFailure } from '#ports/forge';
import { removeTree } from '../process/folder-trees.ts';
import type { TrustedGit } from './trusted-git.ts';

/** These failures have another cause; checking a large mirror would take long. */
const ELSEWHERE = /unable to access|returned error|could not resolve|did not answer|timed out|fsck error/i;
const LOCAL_KINDS: readonly string[] = ['forge_unavailable', 'forge_refused'];
export const mayBeDamage = (error: unknown): error is Error =>
  error instanceof Error &&
  (!(error instanceof OutsideFailure) || LOCAL_KINDS.includes(error.class)) &&
  !ELSEWHERE.test(error.message);

const VERIFY_MS = 20 * MINUTE;
const PART_OF_PACK = /^(pack-[0-9a-f]+)\.[a-z]+$/;

const findDamagedPackFiles = async (
  git: TrustedGit,
  gitDir: string,
  signal?: AbortSignal,
): Promise<string[]> => {
  const dir = join(gitDir, 'objects', 'pack');
  const names = await readdir(dir);
  const damaged: string[] = [];
  for (const pack of new Set(names.flatMap((name) => PART_OF_PACK.exec(name)?.[1] ?? []))) {
    const end = await git(['verify-pack', `${join(dir, pack)}.idx`], {
      gitDir,
      answers: [1, 128],
      timeoutMs: VERIFY_MS,
      ...(signal ? { signal } : {}),
    });
    if (end.exitCode !== 0) damaged.push(...names.filter((name) => name.startsWith(`${pack}.`)));
  }
  return damaged.map((name) => join(dir, name));
};

const unpacked = promisify(inflate);
const isLooseObject = async (path: string, id: string): Promise<boolean> => {
  try {
    const bytes = await unpacked(await readFile(path));
    return createHash('sha1').update(bytes).digest('hex') === id;
  } catch {
    return false;
  }
};

const findDamagedLooseObjects = async (gitDir: string): Promise<string[]> => {
  const objects = join(gitDir, 'objects');
  const damaged: string[] = [];
  for (const start of await readdir(objects)) {
    if (!/^[0-9a-f]{2}$/.test(start)) continue;
    for (const rest of await readdir(join(objects, start))) {
      const path = join(objects, start, rest);
      if (!(await isLooseObject(path, `${start}${rest}`))) damaged.push(path);
    }
  }
  return damaged;
};

const IDS = /^(?:[0-9a-f]{40}\n)+$/;
const findDamagedLists = async (gitDir: string, refs: string): Promise<string[]> => {
  if ((await stat(refs).catch(() => null))?.isFile()) return [refs];
  const names = await readdir(refs).catch(() => []);
  const damaged: string[] = [];
  for (const path of [...names.map((name) => join(refs, name)), join(gitDir, 'shallow')]) {
    const text = await readFile(path, 'latin1').catch(() => null);
    if (text !== null && text !== '' && !IDS.test(text)) damaged.push(path);
    else if (text === '' && path.startsWith(refs)) damaged.push(path);
  }
  return damaged;
};

/** True if a branch's commit, or an object that it needs, is missing. */
const isIncomplete = async (
  git: TrustedGit,
  gitDir: string,
  refs: string,
  signal?: AbortSignal,
): Promise<boolean> => {
  const names = await readdir(refs).catch(() => []);
  const stdin = (await Promise.all(names.map((name) => readFile(join(refs, name), 'latin1')))).join('');
  if (stdin === '') return false;
  const end = await git(['rev-list', '--objects', '--quiet', '--stdin'], {
    gitDir,
    stdin,
    answers: [1, 128],
    timeoutMs: VERIFY_MS,
    ...(signal ? { signal } : {}),
  });
  return end.exitCode !== 0;
};

/** Keeps other objects, because unfinished runs borrow them. Returns the removed names. */
export const removeDamagedParts = async (
  git: TrustedGit,
  gitDir: string,
  signal?: AbortSignal,
): Promise<string[]> => {
  const refs = join(gitDir, 'refs', 'branches');
  const damaged = [
    ...(await findDamagedPackFiles(git, gitDir, signal)),
    ...(await findDamagedLooseObjects(gitDir)),
    ...(await findDamagedLists(gitDir, refs)),
  ];
  for (const path of damaged) await rm(path, { force: true });
  const incomplete = damaged.length > 0 || (await isIncomplete(git, gitDir, refs, signal));
  if (!incomplete) return [];
  await removeTree(refs);
  return damaged.length > 0 ? damaged.map((path) => basename(path)) : ['objects are missing'];
};
