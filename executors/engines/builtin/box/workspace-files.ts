/** Reads and writes workspace files inside the box without following links out of it. */
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { FoundFile } from '../edits/apply-patch.ts';
import { findPathInTree } from '../edits/resolve-path.ts';
import { parseFileText } from '../edits/file-text.ts';

const MAX_FILE_BYTES = 8_000_000;
const MAX_LISTED_FILES = 50_000;
const SKIPPED = new Set(['.git', 'node_modules']);

export class NotThis extends Error {}

const requirePlainPath = (root: string, relative: string): string => {
  let place = root;
  for (const part of relative.split('/')) {
    place = path.join(place, part);
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new NotThis(`${relative} is, or lies behind, a symbolic link: name the file itself`);
  }
  return place;
};

export const resolveWorkspacePath = (root: string, said: string): string => {
  if (/^(?:\.\/?)?$/.test(said.trim()) || said.trim().replace(/\/$/, '') === root) return root;
  const relative = findPathInTree(said, root);
  if (relative === null) throw new NotThis(`${said.slice(0, 200)} is not a path in the workspace`);
  return requirePlainPath(root, relative);
};

export const readWorkspaceBytes = (root: string, said: string): Uint8Array => {
  const place = resolveWorkspacePath(root, said);
  const there = statSync(place, { throwIfNoEntry: false });
  if (there === undefined) throw new NotThis(`there is no file ${said}`);
  if (there.isDirectory()) throw new NotThis(`${said} is a directory: use list`);
  const file = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size, ...kind } = fstatSync(file);
    if (!fstatSync(file).isFile()) throw new NotThis(`${said} is no plain file (mode ${kind.mode})`);
    if (size > MAX_FILE_BYTES) throw new NotThis(`${said} has ${size} bytes: that is too large`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
};

export const readWorkspaceText = (root: string, relative: string): FoundFile => {
  try {
    if (lstatSync(requirePlainPath(root, relative), { throwIfNoEntry: false }) === undefined)
      return { kind: 'none' };
    const text = parseFileText(readWorkspaceBytes(root, relative));
    return text === null
      ? { kind: 'refused', why: `${relative} is no text in UTF-8: change it with a command` }
      : { kind: 'text', text };
  } catch (error) {
    if (error instanceof NotThis) return { kind: 'refused', why: error.message };
    return { kind: 'refused', why: `${relative} cannot be read (${codeOf(error)})` };
  }
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';

export const listFiles = (
  root: string,
  from: string,
  depth: number,
  most: number = MAX_LISTED_FILES,
): string[] => {
  const found: string[] = [];
  const collectBelow = (place: string, level: number): void => {
    const entries = readdirSync(place, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (found.length >= most) return;
      const at = path.join(place, entry.name);
      const relative = path.relative(root, at);
      if (entry.isDirectory()) {
        if (level >= depth || SKIPPED.has(entry.name)) found.push(`${relative}/`);
        else collectBelow(at, level + 1);
      } else found.push(relative);
    }
  };
  collectBelow(from, 1);
  return found;
};

type Write = { path: string; bytes: Uint8Array | null };

const writePlainFile = (root: string, { path: relative, bytes }: Write): void => {
  const place = requirePlainPath(root, relative);
  if (bytes === null) return rmSync(place);
  mkdirSync(path.dirname(place), { recursive: true });
  if (!realpathSync(path.dirname(place)).startsWith(realpathSync(root)))
    throw new NotThis(`${relative} would be outside the workspace`);
  const mode = lstatSync(place, { throwIfNoEntry: false })?.mode;
  const beside = `${place}.agentpr-${process.pid}`;
  writeFileSync(beside, bytes, { flag: 'wx' });
  if (mode !== undefined) chmodSync(beside, mode & 0o777);
  renameSync(beside, place);
};

/** Writes all files, or restores the earlier ones after a failure. */
export const writeWorkspaceFiles = (root: string, writes: readonly Write[]): void => {
  const done: Write[] = [];
  try {
    for (const write of writes) {
      const before = lstatSync(requirePlainPath(root, write.path), { throwIfNoEntry: false });
      const bytes = before === undefined ? null : readWorkspaceBytes(root, write.path);
      writePlainFile(root, write);
      done.push({ path: write.path, bytes });
    }
  } catch (error) {
    for (const write of done.toReversed()) writePlainFile(root, write);
    if (error instanceof NotThis) throw error;
    throw new NotThis(`it could not be written (${codeOf(error)}); nothing was changed`);
  }
};
