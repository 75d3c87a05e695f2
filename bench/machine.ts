/** Describes the machine in one line, and makes a temporary directory on a real disk. */
import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { median } from './measure.ts';

/** Types of statfs(2) whose sync is free, so that durability cannot be measured. */
const IN_MEMORY: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
]);

/** Throws if temporary files are in memory. */
export const temporaryDirectory = (): { dir: string; remove: () => void } => {
  const kind = IN_MEMORY.get(statfsSync(tmpdir()).type);
  if (kind !== undefined)
    throw new Error(`${tmpdir()} is ${kind}: set TMPDIR to a directory on a disk, or syncs cost nothing.`);
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-bench-'));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
};

/** Time to make 8 KB durable (µs), the minimum of every commit. */
const syncCost = (): number => {
  const { dir, remove } = temporaryDirectory();
  const file = openSync(join(dir, 'sync'), 'w');
  const page = Buffer.alloc(8_192, 1);
  const costs = Array.from({ length: 200 }, (_, i) => {
    writeSync(file, page, 0, page.length, (i % 50) * page.length);
    const began = performance.now();
    fdatasyncSync(file);
    return (performance.now() - began) * 1_000;
  });
  closeSync(file);
  remove();
  return median(costs);
};

/** Share of the processors above which other work distorts the times. */
const QUIET_SHARE = 0.15;
const WATCH_MS = 500;

const processorTimes = (): { busy: number; all: number } => {
  const each = cpus().map(({ times }) => ({ all: Object.values(times).reduce((a, b) => a + b), ...times }));
  const all = each.reduce((sum, one) => sum + one.all, 0);
  return { all, busy: all - each.reduce((sum, one) => sum + one.idle, 0) };
};

/** Returns a warning if others use the processors; null on a quiet machine. */
export const watchOthers = async (): Promise<string | null> => {
  const before = processorTimes();
  await setTimeout(WATCH_MS);
  const after = processorTimes();
  const share = (after.busy - before.busy) / (after.all - before.all);
  if (share <= QUIET_SHARE) return null;
  const percent = Math.round(share * 100);
  return `other work takes ${percent} % of the processors; trust the ratios, and times only as upper limits`;
};

export const machineLine = (): string => {
  const [first] = cpus();
  const sqlite = new Database(':memory:').prepare('select sqlite_version()').pluck().get();
  const load = readFileSync('/proc/loadavg', 'utf8').split(' ')[0];
  return [
    `${cpus().length} × ${first?.model.trim() ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB`,
    `Node ${process.versions.node} (libuv ${process.versions.uv}), SQLite ${String(sqlite)}, WAL, synchronous=FULL`,
    `fdatasync of 8 KB ${Math.round(syncCost())} µs (a virtual disk may lie), load ${load}`,
  ].join(' · ');
};
