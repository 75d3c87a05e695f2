/** Copies and removes folders with any modes and links. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OutsideFailure, diskFull } from '#ports/forge';
import { spawnProcess } from './spawn.ts';

const COPY_TOOL_OPTIONS = {
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  timeoutMs: 600_000,
  maxOutputBytes: 1 << 20,
};

/** Shares content copy-on-write if the file system can. */
export const copyTree = async (from: string, to: string): Promise<void> => {
  const runCopy = (...how: string[]) =>
    spawnProcess({ ...COPY_TOOL_OPTIONS, argv: ['cp', '-a', ...how, '--', from, to] });
  const first = await runCopy('--reflink=auto');
  const end = /(?:unrecognized|invalid|illegal) option/.test(first.stderr) ? await runCopy() : first;
  if (end.exitCode === 0) return;
  if (/no space left|quota exceeded/i.test(end.stderr)) throw diskFull();
  const why = end.stderr.replaceAll(dirname(to), '').split('\n')[0]?.slice(0, 200);
  throw new OutsideFailure('env_missing', `What the installation made cannot be copied: ${why}`);
};

/** Makes ext4 spread new entries, which avoids a slow reuse of freed areas. Optional. */
export const spreadNewEntries = async (dir: string): Promise<void> => {
  await mkdir(dir, { recursive: true });
  await spawnProcess({ ...COPY_TOOL_OPTIONS, argv: ['chattr', '+T', '--', dir] });
};

/** Agents and package managers leave read-only directories. */
export const removeTree = async (path: string): Promise<void> => {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await spawnProcess({ ...COPY_TOOL_OPTIONS, argv: ['chmod', '-R', '-f', 'u+rwx', '--', path] });
    const end = await spawnProcess({ ...COPY_TOOL_OPTIONS, argv: ['rm', '-rf', '--', path] });
    if (end.exitCode !== 0) throw new Error(`Could not remove ${path}: ${end.stderr.slice(0, 300)}`);
  }
};

export const emptyFolder = async (root: string, kept: string): Promise<void> => {
  for (const name of await readdir(root).catch(() => []))
    if (join(root, name) !== kept) await removeTree(join(root, name));
};

export const pathExists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
