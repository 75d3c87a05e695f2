/** Limits memory and processes of a tree by control groups of the kernel (E2). */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sendSignal } from '../process/process-tree.ts';
import { MINUTE } from '#model/values';

export type CgroupController = 'memory' | 'pids';
export type GroupHome = { dir: string; version: 1 | 2; controllers: readonly CgroupController[] };
/** The unit of `memory` is bytes. */
type GroupCaps = { memory: number; pids: number };
export type GroupEvents = { oomKills: number; refusedForks: number };

const readOrEmpty = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
const tryWrite = (file: string, text: string): boolean => {
  try {
    writeFileSync(file, text);
    return true;
  } catch {
    return false;
  }
};
const splitFields = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

type Mount = { version: 1 | 2; point: string; options: readonly string[] };
const mountsIn = (mountinfo: string): Mount[] =>
  mountinfo.split('\n').flatMap((line): Mount[] => {
    const [left = '', right = ''] = line.split(' - ');
    const [type, , options = ''] = right.split(' ');
    const point = left.split(' ')[4] ?? '';
    if (type === 'cgroup2') return [{ version: 2, point, options: [] }];
    return type === 'cgroup' ? [{ version: 1, point, options: options.split(',') }] : [];
  });

/** Lines are `<id>:<controllers>:<path>`. */
const ownPath = (own: string, controller: string): string | null => {
  const line = own
    .split('\n')
    .find((l) => (l.split(':')[1] ?? '').split(',').includes(controller) && l !== '');
  return line === undefined ? null : line.split(':').slice(2).join(':');
};

const mayWrite = (dir: string): boolean => {
  try {
    accessSync(dir, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** Named groups belong to a service manager or container, even if root could write there. */
const candidateGroups = (
  mount: Mount,
  own: string | null,
  named: string | null,
  { root }: { root: boolean },
): string[] => {
  if (named !== null) return [path.join(mount.point, named)];
  if (own === null) return [];
  const places = own === '/' ? [own] : root ? [] : [own, path.dirname(own)];
  return places.map((place) => path.join(mount.point, place));
};

/** Version 2 passes on a controller only if enabled, and never beside processes. */
const enableControllers = (dir: string): CgroupController[] => {
  const control = path.join(dir, 'cgroup.subtree_control');
  for (const controller of ['memory', 'pids'])
    if (!splitFields(readOrEmpty(control)).includes(controller)) tryWrite(control, `+${controller}`);
  return (['memory', 'pids'] as const).filter((controller) =>
    splitFields(readOrEmpty(control)).includes(controller),
  );
};

/** Returns candidates that are not tested yet. */
export const findControlGroupHomes = (
  named: string | null,
  { proc = '/proc/self', root = process.getuid?.() === 0 } = {},
): GroupHome[] => {
  const own = readOrEmpty(`${proc}/cgroup`);
  const mounts = mountsIn(readOrEmpty(`${proc}/mountinfo`));
  const homes: GroupHome[] = [];
  for (const mount of mounts) {
    const missing = (['memory', 'pids'] as const).filter(
      (c) => !homes.some((h) => h.controllers.includes(c)),
    );
    const offered = mount.version === 1 ? missing.filter((c) => mount.options.includes(c)) : missing;
    if (offered.length === 0) continue;
    const ours = ownPath(own, mount.version === 1 ? (offered[0] ?? '') : '');
    for (const dir of candidateGroups(mount, ours, named, { root })) {
      if (!existsSync(dir) || !mayWrite(dir)) continue;
      const given = mount.version === 1 ? offered : enableControllers(dir).filter((c) => offered.includes(c));
      if (given.length === 0) continue;
      homes.push({ dir, version: mount.version, controllers: given });
      break;
    }
  }
  return homes;
};

const setCaps = (home: GroupHome, dir: string, caps: GroupCaps): boolean => {
  const setLimit = (name: string, value: number): boolean => tryWrite(path.join(dir, name), String(value));
  const pids = !home.controllers.includes('pids') || setLimit('pids.max', caps.pids);
  if (!home.controllers.includes('memory')) return pids;
  const [limit, swap] =
    home.version === 2
      ? (['memory.max', ['memory.swap.max', 0]] as const)
      : (['memory.limit_in_bytes', ['memory.memsw.limit_in_bytes', caps.memory]] as const);
  const memory = setLimit(limit, caps.memory);
  setLimit(swap[0], swap[1]);
  return pids && memory;
};

const readCount = (text: string, name: string): number =>
  Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1] ?? 0);

const eventsOf = (dirs: readonly string[]): GroupEvents => {
  const sumCounts = (file: string, name: string): number =>
    dirs.reduce((total, dir) => total + readCount(readOrEmpty(path.join(dir, file)), name), 0);
  return {
    oomKills: sumCounts('memory.events', 'oom_kill') + sumCounts('memory.oom_control', 'oom_kill'),
    refusedForks: sumCounts('pids.events', 'max'),
  };
};

const removeGroup = async (dir: string): Promise<void> => {
  for (let tries = 0; tries < 50 && existsSync(dir); tries += 1) {
    try {
      rmdirSync(dir);
    } catch {
      tryWrite(path.join(dir, 'cgroup.kill'), '1');
      const pids = splitFields(readOrEmpty(path.join(dir, 'cgroup.procs'))).map(Number);
      // Invisible processes are listed as 0, and a signal to 0 would hit ourselves.
      for (const pid of pids.filter((p) => p > 1)) sendSignal(pid, 'SIGKILL');
      await pause(10);
    }
  }
};

export const createControlGroup = (homes: readonly GroupHome[], name: string) => {
  const dirs = homes.map((home) => path.join(home.dir, name));
  return {
    joins: dirs.map((dir) => path.join(dir, 'cgroup.procs')),
    /** Returns false if a limit did not take hold. Throws if no group can be made. */
    open: (caps: GroupCaps): boolean =>
      homes.reduce((held, home, i) => {
        const dir = dirs[i] ?? '';
        mkdirSync(dir, { recursive: true });
        return setCaps(home, dir, caps) && held;
      }, true),
    events: (): GroupEvents => eventsOf(dirs),
    close: async (): Promise<GroupEvents> => {
      const events = eventsOf(dirs);
      for (const dir of dirs) await removeGroup(dir);
      return events;
    },
  };
};

const ABANDONED_MS = MINUTE;

export const removeStaleControlGroups = (homes: readonly GroupHome[], own: string, all: string): void => {
  for (const { dir } of homes)
    for (const name of readdirSync(dir).filter((found) => found.startsWith(all))) {
      const group = path.join(dir, name);
      try {
        if (name.startsWith(own) || Date.now() - statSync(group).ctimeMs > ABANDONED_MS) rmdirSync(group);
      } catch {
        continue;
      }
    }
};
