/** E22: the filter of system calls, run as the kernel runs it. */
import { describe, expect, it } from 'vitest';
import { assembleSeccompFilter } from '../../executors/sandbox/assemble-seccomp-filter.ts';
import { createSeccompFilter } from '../../executors/sandbox/seccomp-filter.ts';
import { CALL_GROUPS, type CallGroup } from '../../executors/sandbox/box-settings.ts';
import { isWellFormed, runFilter } from '../support/bpf-interpreter.ts';

const ALLOWED = 0x7fff0000;
const KILLED = 0x80000000;
const refusedWith = (errno: number): number => 0x00050000 + errno;
const [FORBIDDEN, MISSING, NO_FAMILY] = [refusedWith(1), refusedWith(38), refusedWith(97)];

const [X86_64, I386, AARCH64, ARM] = [0xc000003e, 0x40000003, 0xc00000b7, 0x40000028];
/** From the kernel's headers; the product has a table of its own. */
const PROCESSORS = [
  {
    name: 'x64',
    architecture: X86_64,
    other: [I386, AARCH64],
    calls: {
      read: 0,
      mmap: 9,
      socket: 41,
      socketpair: 53,
      connect: 42,
      clone: 56,
      execve: 59,
      kill: 62,
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
      bpf: 321,
      userfaultfd: 323,
      seccomp: 317,
    },
  },
  {
    name: 'arm64',
    architecture: AARCH64,
    other: [ARM, X86_64],
    calls: {
      read: 63,
      mmap: 222,
      socket: 198,
      socketpair: 199,
      connect: 203,
      clone: 220,
      execve: 221,
      kill: 129,
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
      bpf: 280,
      userfaultfd: 282,
      seccomp: 277,
    },
  },
] as const;
const NEWER = { io_uring_setup: 425, clone3: 435, pidfd_getfd: 438, open_tree: 428, mount_setattr: 442 };
const NEW_USER = 0x10000000n;

describe.each(PROCESSORS)('the filter for $name', ({ name, architecture, other, calls }) => {
  const numbers = { ...calls, ...NEWER };
  const answersWith =
    (allowed: readonly CallGroup[]) =>
    (call: keyof typeof numbers, argument = 0n): number => {
      const { program } = createSeccompFilter(name, allowed) ?? { program: new Uint8Array() };
      return runFilter(program, { architecture, number: numbers[call], argument });
    };
  const answer = answersWith([]);

  it('E22: refuses vsock and every family that a network of its own does not cut, and leaves the others', () => {
    for (const family of [40n, 17n, 38n, 31n, 30n, 0n, 45n]) {
      expect(answer('socket', family)).toBe(NO_FAMILY);
      expect(answer('socketpair', family)).toBe(NO_FAMILY);
    }
    for (const family of [1n, 2n, 10n, 16n]) expect(answer('socket', family)).toBe(ALLOWED);
    // The kernel reads an int: what stands above it hides nothing.
    expect(answer('socket', (1n << 32n) | 40n)).toBe(NO_FAMILY);
  });

  it('E22: refuses io_uring, BPF, keys and perf, as missing where programs have another way', () => {
    expect(answer('io_uring_setup')).toBe(MISSING);
    for (const call of ['bpf', 'keyctl', 'add_key', 'request_key', 'perf_event_open', 'userfaultfd'] as const)
      expect(answer(call)).toBe(FORBIDDEN);
  });

  it('E22: refuses to attach to others, and leaves a debugger its own child', () => {
    for (const request of [16n, 0x4206n]) expect(answer('ptrace', request)).toBe(FORBIDDEN);
    for (const request of [0n, 3n, 7n]) expect(answer('ptrace', request)).toBe(ALLOWED);
    expect(answer('process_vm_readv')).toBe(FORBIDDEN);
    expect(answer('pidfd_getfd')).toBe(FORBIDDEN);
  });

  it('E22: refuses namespaces and mounts, and leaves processes and threads', () => {
    const kinds = [0x00020000n, 0x02000000n, 0x04000000n, 0x08000000n, NEW_USER, 0x20000000n, 0x40000000n];
    for (const kind of kinds) {
      expect(answer('clone', kind | 17n)).toBe(FORBIDDEN);
      expect(answer('unshare', kind)).toBe(FORBIDDEN);
    }
    expect(answer('unshare', 0x80n)).toBe(FORBIDDEN);
    expect(answer('clone3')).toBe(MISSING);
    for (const call of ['setns', 'mount', 'umount2', 'pivot_root', 'open_tree', 'mount_setattr'] as const)
      expect(answer(call)).toBe(FORBIDDEN);
    // A fork by signal 17, a thread of glibc, and a private table of files.
    for (const flags of [17n, 0x01200011n, 0x3d0f00n, 0x400n]) expect(answer('clone', flags)).toBe(ALLOWED);
    expect(answer('unshare', 0x400n)).toBe(ALLOWED);
  });

  it('E22: lets everything else through, also a filter of the program itself', () => {
    for (const call of ['read', 'mmap', 'connect', 'execve', 'kill', 'seccomp'] as const)
      expect(answer(call)).toBe(ALLOWED);
  });

  it('E22: a program for another processor is killed, whatever it calls', () => {
    const { program } = createSeccompFilter(name, CALL_GROUPS) ?? { program: new Uint8Array() };
    for (const foreign of other)
      for (const number of [0, 41, 198, 425, 0xffffffff])
        expect(runFilter(program, { architecture: foreign, number })).toBe(KILLED);
  });

  it.each([
    ['io_uring', 'io_uring_setup', 0n],
    ['bpf', 'bpf', 0n],
    ['keys', 'keyctl', 0n],
    ['ptrace', 'ptrace', 16n],
    ['ptrace', 'process_vm_readv', 0n],
    ['namespaces', 'unshare', NEW_USER],
    ['namespaces', 'clone', NEW_USER],
    ['namespaces', 'clone3', 0n],
    ['namespaces', 'mount', 0n],
    ['perf', 'perf_event_open', 0n],
    ['userfaultfd', 'userfaultfd', 0n],
  ] as const)('E22: the setting %s lets %s through, and nothing else', (group, call, argument) => {
    expect(answersWith([group])(call, argument)).toBe(ALLOWED);
    expect(answersWith(CALL_GROUPS.filter((one) => one !== group))(call, argument)).not.toBe(ALLOWED);
    expect(answersWith([group])('socket', 40n)).toBe(NO_FAMILY);
  });

  it('E22: every jump stays in the program, with each setting', () => {
    for (const allowed of [[], [...CALL_GROUPS], ...CALL_GROUPS.map((one) => [one])])
      expect(isWellFormed(createSeccompFilter(name, allowed)?.program ?? new Uint8Array(8))).toBe(true);
  });
});

it('E22: calls by the x32 numbers are missing, and those below them are not', () => {
  const { program } = createSeccompFilter('x64', []) ?? { program: new Uint8Array() };
  for (const number of [0x40000000, 0x40000029, 0x7fffffff, 0xffffffff])
    expect(runFilter(program, { architecture: X86_64, number })).toBe(MISSING);
  expect(runFilter(program, { architecture: X86_64, number: 0x3fffffff })).toBe(ALLOWED);
});

it('E22: a processor that is in no table has no filter', () => {
  expect(createSeccompFilter('riscv64', [])).toBeNull();
});

describe('the assembler', () => {
  it('E22: writes the bytes that the kernel reads', () => {
    const program = assembleSeccompFilter([
      ['load', 'number'],
      ['if', '=', 41, 'no'],
      ['return', 0x7fff0000],
      ['label', 'no'],
      ['return', 0x00050001],
    ]);
    expect(Buffer.from(program).toString('hex')).toBe(
      '2000000000000000' + '1500010029000000' + '060000000000ff7f' + '0600000001000500',
    );
  });

  it.each([
    ['to nowhere', [['if', '=', 1, 'nowhere'] as const, ['return', 0] as const]],
    ['back', [['label', 'start'] as const, ['if', '=', 1, 'start'] as const, ['return', 0] as const]],
    [
      'too far',
      [
        ['unless', '=', 1, 'end'] as const,
        ...Array.from({ length: 256 }, () => ['return', 0] as const),
        ['label', 'end'] as const,
        ['return', 0] as const,
      ],
    ],
  ])('E22: refuses to jump %s', (_, lines) => {
    expect(() => assembleSeccompFilter(lines)).toThrow('cannot jump');
  });
});
