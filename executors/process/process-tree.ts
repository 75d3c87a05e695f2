/** Finds and kills processes that we started: by group, session, parent and a mark. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

type ProcessInfo = { pid: number; parent: number; group: number; session: number; start: number };

export const RUN_MARK_VARIABLE = 'AGENTPR_RUN_MARK';

const hashBits = (text: string, bits: bigint): bigint =>
  BigInt('0x' + createHash('sha256').update(text).digest('hex').slice(0, 16)) >> (64n - bits);

export const markPrefix = (dataDir: string, runId: string): string =>
  `${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}/${runId}/`;

/** The mark as a resource limit, which `env -i` does not remove; 2^60 and more has no effect. */
export const limitTag = (mark: string): bigint => {
  const cut = mark.lastIndexOf('/') + 1;
  return FORM | (hashBits(mark.slice(0, cut), 40n) << 16n) | hashBits(mark.slice(cut), 16n);
};
const FORM = 1n << 60n;
const sameRun = (oneLimit: bigint, otherLimit: bigint): boolean => oneLimit >> 16n === otherLimit >> 16n;

/** The kernel ignores these limits at that size, and users cannot raise them again. */
const MARK_LIMITS = { rttime: 'realtime timeout', locks: 'file locks', rss: 'resident set' } as const;
export type LimitName = keyof typeof MARK_LIMITS;
export const MARK_LIMIT_NAMES: readonly LimitName[] = ['rttime', 'locks', 'rss'];

const readOrEmpty = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
};

/** Skips the name, which may contain spaces and brackets. */
const statFields = (pid: number): string[] => {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** Returns null for a missing process, a zombie, or a system without /proc. */
const readProc = (pid: number): ProcessInfo | null => {
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

/** Field 22 of /proc/<pid>/stat identifies a process with its pid; null without /proc. */
export const findProcessStartTime = (pid: number): string | null => statFields(pid)[19] ?? null;

const listProcs = (): ProcessInfo[] => {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return []; // No /proc: only the process group is known.
  }
  return names.flatMap((name) => (/^\d+$/.test(name) ? (readProc(Number(name)) ?? []) : []));
};

type Marks = { environment: string; limits: readonly (bigint | null)[] };
const MARK_LIMIT_PATTERNS = MARK_LIMIT_NAMES.map(
  (name) => new RegExp(`^Max ${MARK_LIMITS[name]}\\s+\\S+\\s+(\\d+)`, 'm'),
);
const marksOf = (pid: number): Marks => {
  const named = readOrEmpty(`/proc/${pid}/environ`)
    .split('\0')
    .filter((entry) => entry.startsWith(`${RUN_MARK_VARIABLE}=`));
  const limits = readOrEmpty(`/proc/${pid}/limits`);
  return {
    environment: `${named.join('\0')}\0`,
    limits: MARK_LIMIT_PATTERNS.map((line) => line.exec(limits)?.[1]).map((found) =>
      found === undefined ? null : BigInt(found),
    ),
  };
};

/** Limits other than ours mean that somebody tried to remove the mark. */
const isDefaced = ({ limits }: Marks): boolean => {
  const [first] = limits;
  const asGiven = limits.every((limit) => limit === first) && (first ?? 0n) >> 60n === 1n;
  return limits.every((limit) => limit !== null) && !asGiven;
};

const isMarked = (marks: Marks, mark: string, tag: bigint): boolean => {
  const { environment, limits } = marks;
  const whole = !mark.endsWith('/');
  if (`\0${environment}`.includes(`\0${RUN_MARK_VARIABLE}=${mark}${whole ? '\0' : ''}`)) return true;
  const isOurs = (limit: bigint | null): boolean =>
    limit !== null && (whole ? limit === tag : sameRun(limit, tag));
  return limits.some(isOurs) || isDefaced(marks);
};

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

const descendantsOf = (root: number, procs: readonly ProcessInfo[]): ProcessInfo[] => {
  const children = procs.filter((p) => p.parent === root && p.pid !== root);
  return children.flatMap((child) => [child, ...descendantsOf(child.pid, procs)]);
};

const boxInit = (root: number, procs: readonly ProcessInfo[]): ProcessInfo | undefined =>
  descendantsOf(root, procs).find((p) =>
    /^NSpid:\t\d+\t(?:\d+\t)*1$/m.test(readOrEmpty(`/proc/${p.pid}/status`)),
  );

export const sendSignal = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // Gone already (ESRCH), or never ours (EPERM).
  }
};

/** Signals the children of a box's pid 1, which ignores it itself; otherwise the group. */
export const requestTreeStop = (root: number): void => {
  const procs = listProcs();
  const init = boxInit(root, procs);
  const targets = init === undefined ? [] : procs.filter((p) => p.parent === init.pid);
  if (targets.length === 0) sendSignal(-root, 'SIGTERM');
  for (const { pid } of targets) sendSignal(pid, 'SIGTERM');
};

export type ProcessTree = { root: number | null; start: number; mark: string | null };

/** `known` keeps descendants whose parents have died. */
export const listProcessTree = (
  tree: ProcessTree,
  known: Map<number, number>,
  look = readProcesses(),
): ProcessInfo[] => {
  const procs = look.procs.filter((p) => p.start >= tree.start && p.pid !== process.pid);
  const { root, mark } = tree;
  const tag = mark === null ? 0n : limitTag(mark);
  if (root !== null) for (const p of descendantsOf(root, procs)) known.set(p.pid, p.start);
  return procs.filter(
    (p) =>
      (root !== null && (p.pid === root || p.group === root || p.session === root)) ||
      known.get(p.pid) === p.start ||
      (mark !== null && isMarked(look.marks(p.pid), mark, tag)),
  );
};

/** Returns how many processes were alive at the deadline (ms). */
export const killProcessTree = async (tree: ProcessTree, deadlineMs = 3000): Promise<number> => {
  const known = new Map<number, number>();
  const until = performance.now() + deadlineMs;
  for (;;) {
    const left = listProcessTree(tree, known);
    // The group id cannot be reused while a member lives.
    if (tree.root !== null && left.some((p) => p.group === tree.root)) sendSignal(-tree.root, 'SIGKILL');
    // Scanning takes time, so a pid may have been reused.
    for (const { pid, start } of left)
      if (findProcessStartTime(pid) === String(start)) sendSignal(pid, 'SIGKILL');
    if (left.length === 0 || performance.now() > until) return left.length;
    await pause(2);
  }
};
