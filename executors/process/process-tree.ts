/**
 * Finds and ends every process that belongs to one we started: by group, session, parents, and an
 * inherited mark.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export type ProcessInfo = { pid: number; parent: number; group: number; session: number; start: number };

/** Environment variable that names the run in every process started for it. */
export const RUN_MARK_VARIABLE = 'AGENTPR_RUN_MARK';

const hash = (text: string, bits: bigint): bigint =>
  BigInt('0x' + createHash('sha256').update(text).digest('hex').slice(0, 16)) >> (64n - bits);

/** What all marks of one run in one data directory begin with. */
export const markPrefix = (dataDir: string, runId: string): string =>
  `${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}/${runId}/`;

/**
 * The mark as a resource limit: `env -i` loses the variable but no process loses its limits. The
 * size (2^60) binds nobody and has room: 40 bits for run and data directory, 16 for the single
 * process tree.
 */
export const limitTag = (mark: string): bigint => {
  const cut = mark.lastIndexOf('/') + 1;
  return FORM | (hash(mark.slice(0, cut), 40n) << 16n) | hash(mark.slice(cut), 16n);
};
const FORM = 1n << 60n;
const sameRun = (a: bigint, b: bigint): boolean => a >> 16n === b >> 16n;

/**
 * Limits that the kernel does not act on at that size, with prlimit's names for them. A limit can
 * be lowered but, by an ordinary user, never raised or taken off: whoever lowers all of them stands
 * out by having them.
 */
const MARK_LIMITS = { rttime: 'realtime timeout', locks: 'file locks', rss: 'resident set' } as const;
export type LimitName = keyof typeof MARK_LIMITS;
export const MARK_LIMIT_NAMES: readonly LimitName[] = ['rttime', 'locks', 'rss'];

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // The process is gone, or not ours to look at.
  }
};

/** The fields of /proc/<pid>/stat from the state on; a name may hold spaces and brackets. */
const statFields = (pid: number): string[] => {
  const stat = read(`/proc/${pid}/stat`);
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** null when the process is gone, is a zombie, or there is no /proc. */
export const readProc = (pid: number): ProcessInfo | null => {
  const fields = statFields(pid);
  const [state = 'X', parent, group, session] = fields;
  // A zombie leader with living threads is alive.
  if ('ZX'.includes(state) && !(Number(fields[17]) > 1)) return null;
  const [start] = fields.slice(19);
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    start: Number(start),
  };
};

/**
 * Field 22 of /proc/<pid>/stat: together with the pid it names one process; null where there is no
 * /proc.
 */
export const startTime = (pid: number): string | null => statFields(pid)[19] ?? null;

export const listProcs = (): ProcessInfo[] => {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return []; // No /proc here: only the process group is known.
  }
  return names.flatMap((name) => (/^\d+$/.test(name) ? (readProc(Number(name)) ?? []) : []));
};

/**
 * What of a process tells whose it is: all marks of its environment, and its limits (null: it has
 * none of that kind).
 */
type Marks = { environment: string; limits: readonly (bigint | null)[] };
const MARK_LIMIT_PATTERNS = MARK_LIMIT_NAMES.map(
  (name) => new RegExp(`^Max ${MARK_LIMITS[name]}\\s+\\S+\\s+(\\d+)`, 'm'),
);
const marksOf = (pid: number): Marks => {
  const named = read(`/proc/${pid}/environ`)
    .split('\0')
    .filter((entry) => entry.startsWith(`${RUN_MARK_VARIABLE}=`));
  const limits = read(`/proc/${pid}/limits`);
  return {
    environment: `${named.join('\0')}\0`,
    limits: MARK_LIMIT_PATTERNS.map((line) => line.exec(limits)?.[1]).map((found) =>
      found === undefined ? null : BigInt(found),
    ),
  };
};

/**
 * Every limit is set, as only we set them, but not as we set them: somebody has tried to shed the
 * mark.
 */
const isDefaced = ({ limits }: Marks): boolean => {
  const [first] = limits;
  const asGiven = limits.every((limit) => limit === first) && (first ?? 0n) >> 60n === 1n;
  return limits.every((limit) => limit !== null) && !asGiven;
};

/** Whether these name a mark. One that ends in `/` stands for all trees of its run. */
const name = (marks: Marks, mark: string, tag: bigint): boolean => {
  const { environment, limits } = marks;
  const whole = !mark.endsWith('/');
  if (`\0${environment}`.includes(`\0${RUN_MARK_VARIABLE}=${mark}${whole ? '\0' : ''}`)) return true;
  const isOurs = (limit: bigint | null): boolean =>
    limit !== null && (whole ? limit === tag : sameRun(limit, tag));
  return limits.some(isOurs) || isDefaced(marks);
};

/** Every process at one moment. What tells whose it is is read when somebody asks, and once. */
export type ProcessSnapshot = { procs: readonly ProcessInfo[]; marks(pid: number): Marks };
export const readProcesses = (): ProcessSnapshot => {
  const read = new Map<number, Marks>();
  return {
    procs: listProcs(),
    marks: (pid) => {
      const known = read.get(pid) ?? marksOf(pid);
      read.set(pid, known);
      return known;
    },
  };
};

const below = (root: number, procs: readonly ProcessInfo[]): ProcessInfo[] => {
  const children = procs.filter((p) => p.parent === root && p.pid !== root);
  return children.flatMap((child) => [child, ...below(child.pid, procs)]);
};

/** The first process below `root` that is pid 1 of its own pid namespace. */
const boxInit = (root: number, procs: readonly ProcessInfo[]): ProcessInfo | undefined =>
  below(root, procs).find((p) => /^NSpid:\t\d+\t(?:\d+\t)*1$/m.test(read(`/proc/${p.pid}/status`)));

/** False when there is nobody to get it. */
export const sendSignal = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // Gone already (ESRCH), or never ours (EPERM).
  }
};

/**
 * Asks politely. In a box the signal goes to the children of its first process: that one ignores
 * it, and a sandbox program that gets it ends everything at once. Otherwise the process group is
 * asked.
 */
export const askToStop = (root: number): void => {
  const procs = listProcs();
  const init = boxInit(root, procs);
  const targets = init === undefined ? [] : procs.filter((p) => p.parent === init.pid);
  if (targets.length === 0) sendSignal(-root, 'SIGTERM');
  for (const { pid } of targets) sendSignal(pid, 'SIGTERM');
};

/** `root` is null when only the mark is known. */
export type ProcessTree = { root: number | null; start: number; mark: string | null };

/**
 * Living members of a tree. `known` remembers those seen as descendants while their parents lived.
 */
export const processTreeMembers = (
  tree: ProcessTree,
  known: Map<number, number>,
  look = readProcesses(),
): ProcessInfo[] => {
  const procs = look.procs.filter((p) => p.start >= tree.start && p.pid !== process.pid);
  const { root, mark } = tree;
  const tag = mark === null ? 0n : limitTag(mark);
  if (root !== null) for (const p of below(root, procs)) known.set(p.pid, p.start);
  return procs.filter(
    (p) =>
      (root !== null && (p.pid === root || p.group === root || p.session === root)) ||
      known.get(p.pid) === p.start ||
      (mark !== null && name(look.marks(p.pid), mark, tag)),
  );
};

/**
 * Kills until a look at /proc finds nobody. Returns how many were still alive at the deadline (ms).
 */
export const killTree = async (tree: ProcessTree, deadlineMs = 3000): Promise<number> => {
  const known = new Map<number, number>();
  const until = performance.now() + deadlineMs;
  for (;;) {
    const left = processTreeMembers(tree, known);
    // While a member of the group lives, its id cannot have gone to a stranger.
    if (tree.root !== null && left.some((p) => p.group === tree.root)) sendSignal(-tree.root, 'SIGKILL');
    // A look at everybody takes a while, in which an id can have gone to a stranger.
    for (const { pid, start } of left) if (startTime(pid) === String(start)) sendSignal(pid, 'SIGKILL');
    if (left.length === 0 || performance.now() > until) return left.length;
    await pause(2);
  }
};
