/** The filter of system calls of a box, for the processors that are known (E22). */
import { assembleSeccompFilter, type FilterLine } from './assemble-seccomp-filter.ts';
import { CALL_GROUPS, type CallGroup } from './box-settings.ts';

/** Numbers of asm/unistd_64.h and asm-generic/unistd.h. */
const X86_64 = {
  socket: 41,
  socketpair: 53,
  clone: 56,
  ptrace: 101,
  pivot_root: 155,
  mount: 165,
  umount2: 166,
  add_key: 248,
  request_key: 249,
  keyctl: 250,
  unshare: 272,
  perf_event_open: 298,
  setns: 308,
  process_vm_readv: 310,
  process_vm_writev: 311,
  bpf: 321,
  userfaultfd: 323,
};
const AARCH64: typeof X86_64 = {
  socket: 198,
  socketpair: 199,
  clone: 220,
  ptrace: 117,
  pivot_root: 41,
  mount: 40,
  umount2: 39,
  add_key: 217,
  request_key: 218,
  keyctl: 219,
  unshare: 97,
  perf_event_open: 241,
  setns: 268,
  process_vm_readv: 270,
  process_vm_writev: 271,
  bpf: 280,
  userfaultfd: 282,
};
/** Newer calls have one number everywhere. */
const EVERYWHERE = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  clone3: 435,
  pidfd_getfd: 438,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  mount_setattr: 442,
};
type Call = keyof typeof X86_64 | keyof typeof EVERYWHERE;

/** `audit` is the kernel's name of the architecture (linux/audit.h). */
type Processor = { audit: number; calls: Readonly<Record<Call, number>>; prctl: number; x32: number | null };
const PROCESSORS: Readonly<Record<string, Processor>> = {
  x64: { audit: 0xc000003e, calls: { ...X86_64, ...EVERYWHERE }, prctl: 157, x32: 0x40000000 },
  arm64: { audit: 0xc00000b7, calls: { ...AARCH64, ...EVERYWHERE }, prctl: 167, x32: null },
};

const KILL_PROCESS = 0x80000000;
const ALLOW = 0x7fff0000;
const ERRNO = 0x00050000;
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97];

/** UNIX, INET, INET6, NETLINK: only these are cut by a network of one's own. VSOCK (40) is not. */
export const SOCKET_FAMILIES: readonly number[] = [1, 2, 10, 16];
/** Files, cgroups, host name, IPC, users, processes, network (linux/sched.h). */
const NAMESPACE_FLAGS = 0x7e020000;
const NEW_TIME = 0x80;
const PTRACE_ATTACH = 16;
const PTRACE_SEIZE = 0x4206;

/** A program that asks for a missing call falls back to an older one. */
const PLAIN_CALLS: Readonly<Record<CallGroup, readonly [Call[], 'missing' | 'forbidden'][]>> = {
  io_uring: [[['io_uring_setup', 'io_uring_enter', 'io_uring_register'], 'missing']],
  bpf: [[['bpf'], 'forbidden']],
  keys: [[['add_key', 'request_key', 'keyctl'], 'forbidden']],
  ptrace: [[['process_vm_readv', 'process_vm_writev', 'pidfd_getfd'], 'forbidden']],
  namespaces: [
    // The filter cannot read the flags of clone3, which lie in memory.
    [['clone3'], 'missing'],
    [['setns', 'mount', 'umount2', 'pivot_root', 'open_tree', 'move_mount'], 'forbidden'],
    [['fsopen', 'fsconfig', 'fsmount', 'fspick', 'mount_setattr'], 'forbidden'],
  ],
  perf: [[['perf_event_open'], 'forbidden']],
  userfaultfd: [[['userfaultfd'], 'forbidden']],
};

export const listRefusedSystemCalls = (
  group: CallGroup,
): readonly (readonly [readonly string[], 'missing' | 'forbidden'])[] => PLAIN_CALLS[group];

const linesOf = ({ audit, calls, x32 }: Processor, allowed: readonly CallGroup[]): FilterLine[] => {
  const isRefused = (group: CallGroup): boolean => !allowed.includes(group);
  const refused = CALL_GROUPS.filter(isRefused).flatMap((group) => PLAIN_CALLS[group]);
  return [
    ['load', 'architecture'],
    ['unless', '=', audit, 'foreign'],
    ['load', 'number'],
    ...(x32 === null ? [] : ([['if', '>=', x32, 'missing']] as const)),
    ...refused.flatMap(([names, answer]) =>
      names.map((name): FilterLine => ['if', '=', calls[name], answer]),
    ),
    ['if', '=', calls.socket, 'socket'],
    ['if', '=', calls.socketpair, 'socket'],
    ...(isRefused('ptrace') ? ([['if', '=', calls.ptrace, 'ptrace']] as const) : []),
    ...(isRefused('namespaces')
      ? ([
          ['if', '=', calls.clone, 'clone'],
          ['if', '=', calls.unshare, 'unshare'],
        ] as const)
      : []),
    ['return', ALLOW],
    ['label', 'socket'],
    ['load', 'argument 0'],
    ...SOCKET_FAMILIES.map((family): FilterLine => ['if', '=', family, 'allowed']),
    ['return', ERRNO | EAFNOSUPPORT],
    ['label', 'ptrace'],
    ['load', 'argument 0'],
    ['if', '=', PTRACE_ATTACH, 'forbidden'],
    ['if', '=', PTRACE_SEIZE, 'forbidden'],
    ['return', ALLOW],
    ['label', 'clone'],
    ['load', 'argument 0'],
    // The low byte of these flags is a signal.
    ['if', 'any of', NAMESPACE_FLAGS, 'forbidden'],
    ['return', ALLOW],
    ['label', 'unshare'],
    ['load', 'argument 0'],
    ['if', 'any of', NAMESPACE_FLAGS | NEW_TIME, 'forbidden'],
    ['label', 'allowed'],
    ['return', ALLOW],
    ['label', 'forbidden'],
    ['return', ERRNO | EPERM],
    ['label', 'missing'],
    ['return', ERRNO | ENOSYS],
    ['label', 'foreign'],
    ['return', KILL_PROCESS],
  ];
};

export type CallFilter = { program: Uint8Array; prctl: number };

/** Null for a processor whose calls are not in the tables. */
export const createSeccompFilter = (
  architecture: string,
  allowed: readonly CallGroup[],
): CallFilter | null => {
  const processor = PROCESSORS[architecture];
  if (!processor) return null;
  return { program: assembleSeccompFilter(linesOf(processor, allowed)), prctl: processor.prctl };
};
