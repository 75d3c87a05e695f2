/** Takes folders of a box to another machine, and brings them back as the archive of a stranger (E20). */
import { lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { KB, MB, MINUTE, SECOND } from '#model/values';
import { spawnProcess, type SpawnResult } from '#process';
import { removeTree } from '../../process/folder-trees.ts';
import { toLostResult } from '../containers/container-limits.ts';
import { HOST_USER, type ContainerEngine } from '../containers/container-engine.ts';
import { measureDirs } from '../measure-directories.ts';
import { createLimitWatch } from '../resource-limits.ts';
import type { BoxLimits } from '../box-settings.ts';
import { FOLDERS } from './holding-container.ts';

/** Names below the volume of a holder, and where they lie here. */
export type FoldersOnHost = Readonly<Record<string, string>>;

const TRANSFER_MS = 30 * MINUTE;
const [USER = '', GROUP = ''] = HOST_USER.split(':');

/** Names with `/.` lead through the links of the staging folder, and nothing below is followed. */
const UPLOAD = String.raw`
folder=$1 engine=$2 to=$3 owner=$4 group=$5; shift 5
{ tar -C "$folder" -cf - --numeric-owner --owner="$owner" --group="$group" -- "$@" || : >"$folder/failed"; } |
  "$engine" cp - "$to" && [ ! -e "$folder/failed" ]`;

/** `setpriv` takes root's rights to make devices and to ignore modes. */
const DOWNLOAD = String.raw`
folder=$1 engine=$2 from=$3 into=$4 blocks=$5; shift 5
umask 022
ulimit -f "$blocks"
{ "$engine" cp "$from" - || : >"$folder/failed"; } |
  "$@" tar -C "$into" -xf - --strip-components=1 --no-same-owner --no-same-permissions --delay-directory-restore &&
  [ ! -e "$folder/failed" ]`;
const BLOCK = KB / 2;

const withoutRights = (): string[] =>
  process.getuid?.() === 0
    ? ['setpriv', '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all', '--']
    : ['setpriv', '--no-new-privs', '--'];

const isFolder = (at: string): boolean => lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true;

type Transfer = {
  engine: ContainerEngine;
  holder: string;
  /** Of our own, for this box. */
  staging: string;
  signal: AbortSignal;
};

/** Null where it went well, or was stopped by us for a reason that the end says. */
const failureOf = ({ engine, signal }: Transfer, end: SpawnResult, how: string): SpawnResult | null => {
  if (end.exitCode === 0 && !end.excess) return null;
  if (end.excess || signal.aborted) return end;
  const said = end.stderr.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
  return toLostResult(end, `the workspace was not ${how} ${engine.host}: ${said}`);
};

/** `start` is a folder of the staging folder that goes there as well. */
export const uploadFolders = async (
  transfer: Transfer,
  folders: FoldersOnHost,
  start: string,
): Promise<SpawnResult | null> => {
  const { engine, holder, staging, signal } = transfer;
  for (const [name, at] of Object.entries(folders)) symlinkSync(at, path.join(staging, name));
  const names = [start, ...Object.keys(folders).map((name) => `${name}/.`)];
  const end = await spawnProcess({
    argv: ['sh', '-c', UPLOAD, 'sh', staging, engine.file, `${holder}:${FOLDERS}`, USER, GROUP, ...names],
    cwd: '/',
    env: { ...engine.env },
    timeoutMs: TRANSFER_MS,
    maxOutputBytes: 65_536,
    signal,
  });
  return failureOf(transfer, end, 'taken to');
};

/**
 * Puts what came back in the place of what went there. Until all of it has come, nothing changes here:
 * it is unpacked beside it, into a new folder, by a program that makes neither devices nor owners.
 */
export const downloadFolders = async (
  transfer: Transfer,
  folders: FoldersOnHost,
  limits: BoxLimits,
): Promise<SpawnResult | null> => {
  const { engine, holder, staging, signal } = transfer;
  const into = `${Object.values(folders)[0] ?? staging}.arriving`;
  const watch = createLimitWatch({ limits, measure: measureDirs, counted: ['memory', 'pids'] })([into]);
  const blocks = String(Math.ceil((limits.diskMb * MB) / BLOCK));
  await removeTree(into);
  await mkdir(into);
  try {
    const end = await spawnProcess({
      argv: [
        ...(['sh', '-c', DOWNLOAD, 'sh', staging, engine.file, `${holder}:${FOLDERS}`] as const),
        ...[into, blocks, ...withoutRights()],
      ],
      cwd: '/',
      env: { ...engine.env },
      timeoutMs: TRANSFER_MS,
      maxOutputBytes: 65_536,
      signal,
      caps: {
        everyMs: SECOND,
        open: () => watch.begin(),
        measure: () => watch.look(null),
        close: (how) => watch.end(how, { oomKills: 0, refusedForks: 0 }),
      },
    });
    const failed = failureOf(transfer, end, 'brought back from');
    // guard: E20-whole-or-nothing
    if (failed) return failed;
    const names = Object.keys(folders);
    if (!names.every((name) => isFolder(path.join(into, name))))
      return toLostResult(end, `the workspace came back from ${engine.host} without its folders`);
    for (const [name, at] of Object.entries(folders)) {
      const gone = `${at}.gone`;
      await rename(at, gone);
      await rename(path.join(into, name), at);
      await removeTree(gone);
    }
    return null;
  } finally {
    await removeTree(into);
  }
};

export const makeStaging = (below: string, name: string): { staging: string; remove: () => void } => {
  const staging = path.join(below, name);
  mkdirSync(staging, { recursive: true, mode: 0o700 });
  return { staging, remove: () => rmSync(staging, { recursive: true, force: true }) };
};
