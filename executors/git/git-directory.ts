/** Creates and maintains git directories without starting a process. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { RAW_ATTRIBUTES } from './trusted-git.ts';

/** Relative, so that a data directory may be moved. */
const alternateLine = (dir: string, lender: string): string =>
  `${relative(join(dir, 'objects'), join(lender, 'objects'))}\n`;

export const makeGitDir = async (dir: string, alternate: string | null): Promise<void> => {
  for (const part of ['objects/info', 'objects/pack', 'refs/heads', 'info'])
    await mkdir(join(dir, part), { recursive: true });
  await writeFile(join(dir, 'config'), '[core]\n\trepositoryformatversion = 0\n');
  await writeFile(join(dir, 'info', 'attributes'), RAW_ATTRIBUTES);
  if (alternate !== null)
    await writeFile(join(dir, 'objects', 'info', 'alternates'), alternateLine(dir, alternate));
  await writeFile(join(dir, 'HEAD'), 'ref: refs/heads/none\n');
};

export const addAlternate = async (dir: string, mirror: string): Promise<boolean> => {
  const file = join(dir, 'objects', 'info', 'alternates');
  const known = await readFile(file, 'utf8').catch(() => '');
  const line = alternateLine(dir, mirror);
  if (known.includes(line)) return false;
  await writeFile(`${file}.new`, known + line);
  await rename(`${file}.new`, file);
  return true;
};

export const copyShallowFile = async (from: string, to: string): Promise<void> => {
  const cut = await readFile(join(from, 'shallow')).catch(() => null);
  if (cut !== null) await writeFile(join(to, 'shallow'), cut);
};

/** Removes lock files of a killed git. The caller must hold the directory alone. */
export const removeLocks = async (dir: string): Promise<void> => {
  const entries = await readdir(dir, { withFileTypes: true });
  const refs = await readdir(join(dir, 'refs'), { withFileTypes: true, recursive: true });
  const stale = [...entries, ...refs].filter((e) => e.isFile() && e.name.endsWith('.lock'));
  for (const e of stale) await rm(join(e.parentPath, e.name), { force: true });
};
