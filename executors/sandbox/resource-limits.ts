/** Limits memory, processes and disk of a process tree by the best available means (E2). */
import { failureDetail } from '#model/failure';
import { MB, MINUTE, KB } from '#model/values';
import { readFileSync, statfsSync, type StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { OutsideFailure } from '#ports/forge';
import type { CapExcess } from '#ports/processes';
import {
  createControlGroup,
  findControlGroupHomes,
  type CgroupController,
  type GroupEvents,
  type GroupHome,
} from './control-groups.ts';
import type { BoxLimits } from './box-settings.ts';
import { toPathVariable } from '../process/box-environment.ts';
import {
  readProcesses,
  listProcessTree,
  type ProcessSnapshot,
  type ProcessTree,
} from '../process/process-tree.ts';
import { spawnProcess, type ProcessCaps } from '../process/spawn.ts';

const LOOK_MS = 1000;
const MEASURE_MS = MINUTE;
/** A run leaves this free for the ledger. */
const MIN_FREE_DISK = { bytes: 256 * MB, files: 2_000 };

/** The ledger would fail at less, so the run's data is discarded. */
const MIN_DISK_RESERVE = { bytes: 32 * MB, files: 200 };

const isBelow = (fs: StatsFs, least: typeof MIN_FREE_DISK): boolean =>
  fs.bavail * fs.bsize < least.bytes || (fs.files > 0 && fs.ffree < least.files);
export const isDiskFull = async (place: string): Promise<boolean> =>
  isBelow(await statfs(place), MIN_DISK_RESERVE);

const formatNumber = (value: number): string => Math.round(value).toLocaleString('en');
const over = {
  memory: ({ memoryMb }: BoxLimits): CapExcess => ({
    limit: 'memory',
    detail: failureDetail({ kind: 'memory_exceeded', limit: memoryMb }),
    says: `it used more than ${formatNumber(memoryMb)} MB of memory (sandboxLimits.memoryMb)`,
  }),
  reserved: ({ memoryMb }: BoxLimits): CapExcess => ({
    limit: 'memory',
    detail: failureDetail({ kind: 'memory_ran_out', limit: memoryMb }),
    says: `it ran out of memory; a run may use ${formatNumber(memoryMb)} MB (sandboxLimits.memoryMb)`,
  }),
  processes: ({ processes }: BoxLimits): CapExcess => ({
    limit: 'processes',
    detail: failureDetail({ kind: 'processes_exceeded', limit: processes }),
    says: `it started more than ${formatNumber(processes)} processes and threads (sandboxLimits.processes)`,
  }),
  refusedForks: ({ processes }: BoxLimits): CapExcess => ({
    limit: 'processes',
    detail: failureDetail({ kind: 'processes_ran_out', limit: processes }),
    says: `it could start no more processes; a run may have ${formatNumber(processes)} processes and threads (sandboxLimits.processes)`,
  }),
  disk: ({ diskMb }: BoxLimits): CapExcess => ({
    limit: 'disk',
    detail: failureDetail({ kind: 'disk_exceeded', limit: diskMb }),
    says: `it wrote more than ${formatNumber(diskMb)} MB to disk (sandboxLimits.diskMb)`,
  }),
  reserve: (): CapExcess => ({
    limit: 'reserve',
    detail: failureDetail({ kind: 'run_disk_nearly_full', limit: MIN_FREE_DISK.bytes / MB }),
    says: `less than ${formatNumber(MIN_FREE_DISK.bytes / MB)} MB or ${formatNumber(MIN_FREE_DISK.files)} files are left on the disk; free some space`,
  }),
  engineReserve: (place: string): CapExcess => ({
    limit: 'reserve',
    detail: failureDetail({ kind: 'engine_disk_nearly_full', limit: MIN_FREE_DISK.bytes / MB, place }),
    says: `less than ${formatNumber(MIN_FREE_DISK.bytes / MB)} MB or ${formatNumber(MIN_FREE_DISK.files)} files are left on the disk of ${place}, where the container engine keeps images and containers; free some space there`,
  }),
};

/** Finds whether the engine's disk, on which services write, is nearly full; null if it is not. */
export const findEngineReserve = async (root: string | null): Promise<CapExcess | null> => {
  if (root === null) return null;
  // Not everybody may look there.
  const fs = await statfs(root).catch(() => null);
  return fs !== null && isBelow(fs, MIN_FREE_DISK) ? over.engineReserve(root) : null;
};

/** The machine's disk, not the command, ended it. */
export const toDiskFailure = ({ says, detail }: CapExcess): OutsideFailure =>
  new OutsideFailure('disk_full', `A command was stopped: ${says}.`, { detail: detail ?? null });

const usageOfProcess = (pid: number): { bytes: number; threads: number } => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const statusField = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    return { bytes: statusField('RssAnon') * KB, threads: statusField('Threads') };
  } catch {
    return { bytes: 0, threads: 0 };
  }
};

/** Fallback for kernels that do not count per tree. */
const lookAtTree = (
  tree: ProcessTree,
  limits: BoxLimits,
  counted: readonly CgroupController[],
  look: () => ProcessSnapshot,
): CapExcess | null => {
  if (counted.length === 2) return null;
  const all = listProcessTree(tree, new Map(), look()).map(({ pid }) => usageOfProcess(pid));
  const sumUsage = (part: 'bytes' | 'threads'): number => all.reduce((total, one) => total + one[part], 0);
  if (!counted.includes('pids') && sumUsage('threads') > limits.processes) return over.processes(limits);
  if (!counted.includes('memory') && sumUsage('bytes') > limits.memoryMb * MB) return over.memory(limits);
  return null;
};

/** One scan serves all trees for half a second. */
const createLooks = () => {
  let at = -Infinity;
  let last: ProcessSnapshot | null = null;
  return (): ProcessSnapshot => {
    const now = performance.now();
    if (last === null || now - at > LOOK_MS / 2) [at, last] = [now, readProcesses()];
    return last;
  };
};

export type MeasureDirectories = (dirs: readonly string[]) => Promise<number | null>;

/** Measuring is slow, so it waits until the disk grew by the run's remaining allowance. */
const createDiskWatch = (dirs: readonly string[], limits: BoxLimits, measure: MeasureDirectories) => {
  const limit = limits.diskMb * MB;
  const place = dirs[0] ?? '/';
  const bytesInUse = (fs: StatsFs): number => (fs.blocks - fs.bfree) * fs.bsize;
  let left = limit;
  let usedThen = Infinity;
  let measured = performance.now();
  const begin = (): void => void (usedThen = bytesInUse(statfsSync(place)));
  const look = async (): Promise<CapExcess | null> => {
    const fs = await statfs(place);
    const used = bytesInUse(fs);
    if (isBelow(fs, MIN_FREE_DISK)) return over.reserve();
    const due = used - usedThen >= left || performance.now() - measured > MEASURE_MS;
    if (!due) return null;
    const size = await measure(dirs);
    measured = performance.now();
    if (size === null) return null;
    usedThen = used;
    left = limit - size;
    return left < 0 ? over.disk(limits) : null;
  };
  const end = async (): Promise<CapExcess | null> => ((await isDiskFull(place)) ? over.reserve() : null);
  return { begin, look, end };
};

/** A shell reports SIGXFSZ as 128 + 25. */
const tooLong = (end: { exitCode: number | null; signal: string | null }): boolean =>
  end.signal === 'SIGXFSZ' || end.exitCode === 153;

const OUT_OF_MEMORY =
  /out of memory|memory exhausted|cannot allocate memory|allocation failed|bad_alloc|MemoryError|ENOMEM/i;

const OUT_OF_PROCESSES =
  /cannot fork|\bfork(?: failed|:)|can't start new thread|resource temporarily unavailable|pthread_create failed|unable to create native thread|\bspawn\b.{0,300}\bEAGAIN\b/i;

/** Recognises limits that the kernel enforces for each process. */
const findAdmittedExcess = (
  stderr: string,
  limits: BoxLimits,
  counted: readonly CgroupController[],
): CapExcess | null => {
  if (!counted.includes('memory') && OUT_OF_MEMORY.test(stderr)) return over.reserved(limits);
  return !counted.includes('pids') && OUT_OF_PROCESSES.test(stderr) ? over.refusedForks(limits) : null;
};

const findExceededCap = (events: GroupEvents, limits: BoxLimits): CapExcess | null => {
  if (events.oomKills > 0) return over.memory(limits);
  return events.refusedForks > 0 ? over.processes(limits) : null;
};

export type CappedCommand = {
  caps: ProcessCaps;
  join: readonly [string, ...string[]];
  /** Options of prlimit; inside the box, only its own processes count. */
  around: readonly string[];
  inside: readonly string[];
};

/** What is measured of a tree, and how its end is judged. */
export const createLimitWatch = (deps: {
  limits: BoxLimits;
  measure: MeasureDirectories;
  /** What the kernel counts for each tree. */
  counted: readonly CgroupController[];
}) => {
  const { limits, measure, counted } = deps;
  const looks = createLooks();
  return (writable: readonly string[]) => {
    const disk = createDiskWatch(writable, limits, measure);
    return {
      begin: disk.begin,
      look: async (tree: ProcessTree | null): Promise<CapExcess | null> =>
        (tree && lookAtTree(tree, limits, counted, looks)) ?? (await disk.look()),
      end: async (
        end: Parameters<ProcessCaps['close']>[0],
        events: GroupEvents,
      ): Promise<CapExcess | null> => {
        const met = findExceededCap(events, limits) ?? (await disk.end());
        if (met !== null || end.exitCode === 0) return met;
        if (tooLong(end)) return over.disk(limits);
        return findAdmittedExcess(end.stderr, limits, counted);
      },
    };
  };
};

/** `homes` must be tested; `name` must be unique to the tree. */
export const createTreeLimiter = (deps: {
  homes: readonly GroupHome[];
  limits: BoxLimits;
  measure: MeasureDirectories;
}) => {
  const { homes, limits, measure } = deps;
  const counted = homes.flatMap((home) => home.controllers);
  const memory = limits.memoryMb * MB;
  const watchOf = createLimitWatch({ limits, measure, counted });
  return (name: string, writable: readonly string[]): CappedCommand => {
    const group = createControlGroup(homes, name);
    const watch = watchOf(writable);
    const findRefusedFork = (): CapExcess | null =>
      group.events().refusedForks > 0 ? over.processes(limits) : null;
    return {
      join: ['sh', '-c', JOIN, 'sh', ...group.joins, '--'],
      around: [
        `--fsize=${limits.diskMb * MB}`,
        // A backstop between two measurements of the tree.
        ...(counted.includes('memory') ? [] : [`--data=${2 * memory}`]),
      ],
      // The margin lets a measurement find the tree over its limit.
      inside: counted.includes('pids') ? [] : [`--nproc=${limits.processes + 8}`],
      caps: {
        everyMs: LOOK_MS,
        open: () => {
          try {
            watch.begin();
            group.open({ memory, pids: limits.processes });
          } catch (error) {
            if (!(error instanceof Error && 'code' in error)) throw error;
          }
        },
        measure: async (tree) => findRefusedFork() ?? (await watch.look(tree)),
        close: async (end) => watch.end(end, await group.close()),
      },
    };
  };
};

/** The score makes the kernel kill us last if memory runs out. */
const JOIN = String.raw`
{ echo 500 >/proc/self/oom_score_adj; } 2>/dev/null
while [ "$1" != -- ]; do
  { echo 0 >"$1"; } 2>/dev/null || { echo "containment: a control group could not be joined" >&2; exit 125; }
  shift
done
shift
exec "$@"`;

/** Tests each home with a real process, because a limit may have no effect. */
export const findUsableGroupHomes = async (named: string | null, prefix: string): Promise<GroupHome[]> => {
  const usable: GroupHome[] = [];
  for (const home of findControlGroupHomes(named)) {
    const group = createControlGroup([home], `${prefix}probe.${process.pid}`);
    try {
      const held = group.open({ memory: 256 * MB, pids: 64 });
      const argv = ['sh', '-c', JOIN, 'sh', ...group.joins, '--', 'true'] as const;
      const env = { PATH: toPathVariable() };
      const end = await spawnProcess({
        argv: [...argv],
        cwd: '/',
        env,
        timeoutMs: 5_000,
        maxOutputBytes: 4_096,
      });
      if (held && end.exitCode === 0) usable.push(home);
    } catch {
      continue;
    } finally {
      await group.close();
    }
  }
  return usable;
};

export const findLimitWeaknesses = (counted: readonly CgroupController[]): string[] => {
  const missing = (['memory', 'pids'] as const).filter((controller) => !counted.includes(controller));
  if (missing.length === 0) return [];
  const what = missing
    .map((controller) => (controller === 'memory' ? 'memory' : 'the number of processes'))
    .join(' and ');
  return [
    `No control group for ${what} may be made here, so a run is only looked at every second and stopped when it has too much.`,
  ];
};
