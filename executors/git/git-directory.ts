/** A git directory of ours, made and kept without a process. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RAW_ATTRIBUTES } from './trusted-git.ts';

/**
 * A bare git directory by hand: a few files instead of a process, and a second time changes
 * nothing.
 */
export const makeGitDir = async (dir: string, alternate: string | null): Promise<void> => {
  for (const part of ['objects/info', 'objects/pack', 'refs/heads', 'info'])
    await mkdir(join(dir, part), { recursive: true });
  await writeFile(join(dir, 'config'), '[core]\n\trepositoryformatversion = 0\n');
  await writeFile(join(dir, 'info', 'attributes'), RAW_ATTRIBUTES);
  if (alternate !== null)
    await writeFile(join(dir, 'objects', 'info', 'alternates'), `${join(alternate, 'objects')}\n`);
  await writeFile(join(dir, 'HEAD'), 'ref: refs/heads/none\n');
};

/** What a directory borrows from one mirror, it may borrow from another beside it; whether it is new. */
export const borrowFrom = async (dir: string, mirror: string): Promise<boolean> => {
  const file = join(dir, 'objects', 'info', 'alternates');
  const known = await readFile(file, 'utf8').catch(() => '');
  const line = `${join(mirror, 'objects')}\n`;
  if (known.includes(line)) return false;
  await writeFile(`${file}.new`, known + line);
  await rename(`${file}.new`, file);
  return true;
};

/** Where a history was cut off is not borrowed with the objects. */
export const takeShallow = async (from: string, to: string): Promise<void> => {
  const cut = await readFile(join(from, 'shallow')).catch(() => null);
  if (cut !== null) await writeFile(join(to, 'shallow'), cut);
};

/** Lock files that a killed git left behind; only for a caller that holds the directory alone. */
export const removeLocks = async (dir: string): Promise<void> => {
  const entries = await readdir(dir, { withFileTypes: true });
  const refs = await readdir(join(dir, 'refs'), { withFileTypes: true, recursive: true });
  const stale = [...entries, ...refs].filter((e) => e.isFile() && e.name.endsWith('.lock'));
  for (const e of stale) await rm(join(e.parentPath, e.name), { force: true });
};
