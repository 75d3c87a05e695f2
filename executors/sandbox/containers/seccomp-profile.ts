/** The same filter of system calls as a bubblewrap box has, as Docker and Podman read it (E22). */
import { listRefusedSystemCalls, SOCKET_FAMILIES } from '../seccomp-filter.ts';
import { CALL_GROUPS, type CallGroup } from '../box-settings.ts';

type Condition = { index: number; value: number; valueTwo?: number; op: string };
type Rule = { names: readonly string[]; action: string; errnoRet?: number; args?: readonly Condition[] };

const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97];
const refusalRule = (names: readonly string[], errnoRet: number, args?: readonly Condition[]): Rule => ({
  names,
  action: 'SCMP_ACT_ERRNO',
  errnoRet,
  ...(args ? { args } : {}),
});

/** Refused by the engines' own profiles too, without the capabilities that a box lacks. */
const OF_ROOT = [
  ...['acct', 'clock_adjtime', 'clock_adjtime64', 'clock_settime', 'clock_settime64', 'create_module'],
  ...['delete_module', 'finit_module', 'init_module', 'get_kernel_syms', 'query_module', 'ioperm', 'iopl'],
  ...['kcmp', 'kexec_file_load', 'kexec_load', 'lookup_dcookie', 'move_pages', 'nfsservctl', 'quotactl'],
  ...['open_by_handle_at', 'reboot', 'settimeofday', 'stime', 'swapon', 'swapoff'],
  ...['sysfs', '_sysctl', 'uselib', 'ustat', 'vm86', 'vm86old', 'quotactl_fd', 'fanotify_init', 'chroot'],
  ...['syslog', 'vhangup', 'sethostname', 'setdomainname', 'bdflush'],
];

/** Files, cgroups, host name, IPC, users, processes, network (linux/sched.h). */
const NAMESPACE_FLAGS = [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000];
const NEW_TIME = 0x80;
const flagCondition = (flag: number): Condition[] => [
  { index: 0, value: flag, valueTwo: flag, op: 'SCMP_CMP_MASKED_EQ' },
];
const PTRACE_OF_OTHERS = [16, 0x4206];

/** Each family below the highest allowed one that is not allowed, and everything above it. */
const foreignFamilies = (): Condition[] => {
  const highest = Math.max(...SOCKET_FAMILIES);
  const between = Array.from({ length: highest }, (_, i) => i).filter((i) => !SOCKET_FAMILIES.includes(i));
  return [
    ...between.map((value) => ({ index: 0, value, op: 'SCMP_CMP_EQ' })),
    { index: 0, value: highest + 1, op: 'SCMP_CMP_GE' },
  ];
};

/** A profile as JSON. Programs of other processors are killed by their first call. */
export const renderSeccompProfile = (allowed: readonly CallGroup[]): string => {
  const isRefused = (group: CallGroup): boolean => !allowed.includes(group);
  const plain = CALL_GROUPS.filter(isRefused).flatMap((group) => listRefusedSystemCalls(group));
  const rules: Rule[] = [
    ...plain.map(([names, answer]) => refusalRule(names, answer === 'missing' ? ENOSYS : EPERM)),
    refusalRule(OF_ROOT, EPERM),
    // guard: E22-container-families
    ...foreignFamilies().map((family) => refusalRule(['socket', 'socketpair'], EAFNOSUPPORT, [family])),
    ...(isRefused('ptrace')
      ? PTRACE_OF_OTHERS.map((value) =>
          refusalRule(['ptrace'], EPERM, [{ index: 0, value, op: 'SCMP_CMP_EQ' }]),
        )
      : []),
    ...(isRefused('namespaces')
      ? [
          ...NAMESPACE_FLAGS.map((flag) => refusalRule(['clone', 'unshare'], EPERM, flagCondition(flag))),
          refusalRule(['unshare'], EPERM, flagCondition(NEW_TIME)),
        ]
      : []),
  ];
  const archMap = ['SCMP_ARCH_X86_64', 'SCMP_ARCH_AARCH64'].map((architecture) => ({
    architecture,
    subArchitectures: [],
  }));
  return JSON.stringify({ defaultAction: 'SCMP_ACT_ALLOW', archMap, syscalls: rules });
};
