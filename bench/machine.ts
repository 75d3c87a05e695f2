/**
 * The machine that the numbers come from, in one line, and a temporary directory on a real disk.
 */
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
import Database from 'better-sqlite3';
import { median } from './measure.ts';

/** Of statfs(2): a sync costs nothing there, so nothing durable can be measured. */
const IN_MEMORY: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
]);

/** A fresh directory; throws when temporary files live in memory. */
export const temporaryDirectory = (): { dir: string; remove: () => void } => {
  const kind = IN_MEMORY.get(statfsSync(tmpdir()).type);
  if (kind !== undefined)
    throw new Error(`${tmpdir()} is ${kind}: set TMPDIR to a directory on a disk, or syncs cost nothing.`);
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-bench-'));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
};

/** How long it takes to make 8 KB durable, in µs: what every commit pays at least. */
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

export const machineLine = (): string => {
  const [first] = cpus();
  const sqlite = new Database(':memory:').prepare('select sqlite_version()').pluck().get();
  const load = readFileSync('/proc/loadavg', 'utf8').split(' ')[0];
  return [
    `${cpus().length} × ${first?.model.trim() ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB`,
    `Node ${process.versions.node}, SQLite ${String(sqlite)}, WAL, synchronous=FULL`,
    `fdatasync of 8 KB ${Math.round(syncCost())} µs (a virtual disk may lie), load ${load}`,
  ].join(' · ');
};
