/** E22: what a program in a box gets for each system call that the filter refuses, by making them. */
import { describe, expect, it } from 'vitest';
import { childEnvironment, spawnProcess } from '#process';
import { createSandbox } from '../../executors/sandbox/create-sandbox.ts';
import { CALL_GROUPS, type CallGroup } from '../../executors/sandbox/box-settings.ts';
import type { LevelUnderTest } from './containment-contract.ts';
import { dataDirectory } from './contained.ts';

const PERL = '/usr/bin/perl';
const X64 = {
  socket: 41,
  clone: 56,
  ptrace: 101,
  mount: 165,
  keyctl: 250,
  add_key: 248,
  unshare: 272,
  bpf: 321,
  perf: 298,
  setns: 308,
  vm_readv: 310,
  userfaultfd: 323,
  io_uring: 425,
  clone3: 435,
};
const ARM64: typeof X64 = {
  socket: 198,
  clone: 220,
  ptrace: 117,
  mount: 40,
  keyctl: 219,
  add_key: 217,
  unshare: 97,
  bpf: 280,
  perf: 241,
  setns: 268,
  vm_readv: 270,
  userfaultfd: 282,
  io_uring: 425,
  clone3: 435,
};
const NUMBERS = process.arch === 'arm64' ? ARM64 : X64;

/** Each line is a call and its error number, 0 where it succeeded. Forks undo what succeeds. */
const program = `
sub attempt { my ($name, @call) = @_;
  my $pid = fork; if ($pid == 0) { $! = 0; my $got = syscall(shift @call, @call); my $error = $! + 0;
    exit 0 if $name eq "clone" && $got == 0;
    syswrite STDOUT, "$name " . ($got < 0 ? $error : 0) . "\\n"; exit 0 }
  waitpid $pid, 0 }
my $sleeper = fork; if ($sleeper == 0) { sleep 60; exit 0 }
attempt("vsock", ${NUMBERS.socket}, 40, 1, 0);
attempt("packet", ${NUMBERS.socket}, 17, 3, 0);
attempt("inet", ${NUMBERS.socket}, 2, 1, 0);
attempt("unix", ${NUMBERS.socket}, 1, 1, 0);
attempt("io_uring", ${NUMBERS.io_uring}, 0, 0);
attempt("bpf", ${NUMBERS.bpf}, 0, 0, 0);
attempt("keyctl", ${NUMBERS.keyctl}, 0, -3, 1);
attempt("add_key", ${NUMBERS.add_key}, "user", "agentpr", "x", 1, -3);
attempt("attach", ${NUMBERS.ptrace}, 16, $sleeper, 0, 0);
attempt("traceme", ${NUMBERS.ptrace}, 0, 0, 0, 0);
attempt("vm_readv", ${NUMBERS.vm_readv}, $sleeper, 0, 0, 0, 0, 0);
attempt("unshare", ${NUMBERS.unshare}, 0x10000000);
attempt("clone", ${NUMBERS.clone}, 0x10000011, 0, 0, 0, 0);
attempt("clone3", ${NUMBERS.clone3}, 0, 0);
attempt("mount", ${NUMBERS.mount}, "x", "/tmp", "tmpfs", 0, 0);
attempt("setns", ${NUMBERS.setns}, 0, 0x10000000);
attempt("userfaultfd", ${NUMBERS.userfaultfd}, 1);
kill 9, $sleeper; waitpid $sleeper, 0;`;

const errorsIn = async (
  start: LevelUnderTest['start'],
  allowedCalls: CallGroup[],
): Promise<Record<string, number>> => {
  const at = dataDirectory();
  const outcome = await createSandbox({ ...start, dataDir: at.dataDir, allowedCalls });
  if (outcome.kind === 'refused') throw new Error(outcome.weaknesses.join(' '));
  expect(outcome.sandbox.level).toBe(start.setting);
  const wrapped = outcome.sandbox.wrap({
    runId: 'r1',
    argv: [PERL, '-e', program],
    cwd: at.workspace,
    writable: [at.workspace, at.home],
    network: 'none',
    env: childEnvironment({ home: at.home }),
  });
  const end = await spawnProcess({ ...wrapped, timeoutMs: 60_000, maxOutputBytes: 10_000 });
  expect(end).toMatchObject({ exitCode: 0, stderr: '' });
  return Object.fromEntries(
    end.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([name = '', error]) => [name, Number(error)]),
  );
};

const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97];
const isKnown = process.arch === 'x64' || process.arch === 'arm64';

export const describeCallFilter = ({ name, reason: lack, start }: LevelUnderTest): void => {
  const reason = lack ?? (isKnown ? null : process.arch);
  describe.skipIf(reason !== null)(`a box by ${name}${reason === null ? '' : ` (${reason})`}`, () => {
    it('E22: refuses vsock, io_uring, BPF, keys, others’ memory, namespaces and mounts, and leaves the rest', async () => {
      expect(await errorsIn(start, [])).toEqual({
        vsock: EAFNOSUPPORT,
        packet: EAFNOSUPPORT,
        inet: 0,
        unix: 0,
        io_uring: ENOSYS,
        bpf: EPERM,
        keyctl: EPERM,
        add_key: EPERM,
        attach: EPERM,
        traceme: 0,
        vm_readv: EPERM,
        unshare: EPERM,
        clone: EPERM,
        clone3: ENOSYS,
        mount: EPERM,
        setns: EPERM,
        userfaultfd: EPERM,
      });
    });

    it('E22: a setting gives back all of it but vsock', async () => {
      const errors = await errorsIn(start, [...CALL_GROUPS]);
      expect(errors).toMatchObject({ vsock: EAFNOSUPPORT, inet: 0, attach: 0, vm_readv: 0 });
      expect(errors['clone3']).not.toBe(ENOSYS);
      expect(errors['io_uring']).not.toBe(ENOSYS);
      expect(errors['setns']).not.toBe(EPERM);
    });
  });
};
