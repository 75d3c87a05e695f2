/** E20: the command line of a container has every wall, and shows what is named. */
import { describe, expect, it } from 'vitest';
import { MB } from '#model/values';
import { renderSeccompProfile } from '../../executors/sandbox/containers/seccomp-profile.ts';
import {
  boxArguments,
  toContainerPlaces,
  type ContainerInput,
} from '../../executors/sandbox/containers/container-command.ts';
import type { ContainerEngine } from '../../executors/sandbox/containers/container-engine.ts';
import { DEFAULT_LIMITS } from '../../executors/sandbox/box-settings.ts';

const engine: ContainerEngine = {
  name: 'docker',
  file: '/usr/bin/docker',
  env: {},
  version: '28',
  isRootless: false,
  mapsUsers: false,
  host: null,
  arch: 'x64',
  root: null,
  controllers: ['memory', 'pids'],
  isDrained: false,
};
const input = (more: Partial<ContainerInput> = {}): ContainerInput => ({
  engine,
  name: 'agentpr.x',
  labels: ['agentpr=x'],
  image: 'sha256:1',
  volumes: ['/data'],
  places: [
    { from: '/runs/a, "b"', at: '/box/tree', writable: true },
    { from: '/tool', at: '/tool', writable: false },
  ],
  foldersOf: null,
  cwd: '/box/tree',
  network: 'none',
  limits: DEFAULT_LIMITS,
  scratchMb: 16,
  profile: '/calls.json',
  start: '/box/start/run',
  ...more,
});
const valuesOf = (args: readonly string[], flag: string): string[] =>
  args.flatMap((arg, i) => (arg === flag ? [args[i + 1] ?? ''] : []));

describe('the command of a container', () => {
  const args = boxArguments(input());

  it('E20: gives no capabilities, no new rights, no network, a filter, and limits', () => {
    expect(valuesOf(args, '--cap-drop')).toEqual(['all']);
    expect(valuesOf(args, '--cap-add')).toEqual([]);
    expect(valuesOf(args, '--security-opt')).toEqual(
      expect.arrayContaining(['no-new-privileges', 'seccomp=/calls.json']),
    );
    expect(valuesOf(args, '--network')).toEqual(['none']);
    expect(valuesOf(args, '--memory')).toEqual(['4096m']);
    expect(valuesOf(args, '--memory-swap')).toEqual(['4096m']);
    expect(valuesOf(args, '--pids-limit')).toEqual(['520']);
    const bare = boxArguments(input({ engine: { ...engine, controllers: [] } }));
    expect(bare).not.toContain('--memory');
    expect(bare).not.toContain('--pids-limit');
    expect(valuesOf(bare, '--ulimit')).toContain(`data=${8192 * MB}:${8192 * MB}`);
    expect(valuesOf(args, '--ulimit')).toEqual(
      expect.arrayContaining(['core=0:0', `fsize=${8192 * MB}:${8192 * MB}`]),
    );
    expect(valuesOf(args, '--log-driver')).toEqual(['none']);
    expect(args).not.toContain('--privileged');
  });

  it('E20: has a read-only root, and writes to what is named and to memory alone', () => {
    expect(args).toContain('--read-only');
    expect(valuesOf(args, '--mount')).toEqual([
      'type=bind,"source=/runs/a, ""b""",target=/box/tree',
      'type=bind,source=/tool,target=/tool,readonly',
    ]);
    const inMemory = valuesOf(args, '--tmpfs').filter((one) => one.includes(':rw,'));
    expect(inMemory.map((one) => one.split(':')[0])).toEqual(['/tmp', '/var/tmp', '/data']);
    for (const one of inMemory) expect(one).toContain('size=16384k');
    expect(valuesOf(args, '--tmpfs').filter((one) => one.includes(':ro,'))).toEqual([
      '/sys:ro,nosuid,nodev,noexec,size=64k',
    ]);
  });

  it('E20: is given no proxy of the host', () => {
    const emptied = valuesOf(args, '--env');
    expect(emptied).toHaveLength(10);
    expect(emptied).toEqual(expect.arrayContaining(['HTTPS_PROXY=', 'https_proxy=', 'NO_PROXY=']));
    const podman = boxArguments(input({ engine: { ...engine, name: 'podman' } }));
    expect(podman).toContain('--http-proxy=false');
    expect(valuesOf(podman, '--env')).toEqual([]);
  });

  it('runs an image by its id, with the ids of the caller', () => {
    expect(args.slice(-3)).toEqual(['sh', 'sha256:1', '/box/start/run']);
    const own = `${process.getuid?.()}:${process.getgid?.()}`;
    expect(valuesOf(args, '--user')).toEqual([own]);
    const rootless = boxArguments(input({ engine: { ...engine, isRootless: true } }));
    expect(valuesOf(rootless, '--user')).toEqual(['0:0']);
    const podman = boxArguments(input({ engine: { ...engine, name: 'podman', isRootless: true } }));
    expect(valuesOf(podman, '--userns')).toEqual(['keep-id']);
    expect(podman).toContain('--read-only-tmpfs=false');
  });
});

describe('what a container is shown', () => {
  it('shows what a link leads to, hides by emptiness, and leaves scratch to the engine', () => {
    const places = toContainerPlaces(
      [
        { kind: 'link', path: '/opt/go', target: 'go-1.26' },
        { kind: 'link', path: '/gone', target: 'nowhere' },
        { kind: 'hide', path: '/ws/.env', file: true },
        { kind: 'hide', path: '/ws/inner', file: false },
        { kind: 'scratch', path: '/tmp' },
      ],
      { empty: '/empty', realOf: (place) => (place === '/opt/go' ? '/opt/go-1.26' : null) },
    );
    expect(places).toEqual([
      { from: '/opt/go-1.26', at: '/opt/go', writable: false },
      { from: '/dev/null', at: '/ws/.env', writable: false },
      { from: '/empty', at: '/ws/inner', writable: false },
    ]);
  });
});

describe('the filter of a container', () => {
  type Rule = { names: string[]; errnoRet: number; args?: { op: string; value: number }[] };
  const rulesOf = (allowed: Parameters<typeof renderSeccompProfile>[0]): Rule[] =>
    (JSON.parse(renderSeccompProfile(allowed)) as { syscalls: Rule[] }).syscalls;

  it('E22: refuses sockets of every family but Unix, IPv4, IPv6 and netlink', () => {
    const refused = rulesOf([]).filter(({ names }) => names.includes('socket'));
    const isRefused = (family: number): boolean =>
      refused.some(({ args }) =>
        args?.some(({ op, value }) => (op === 'SCMP_CMP_EQ' ? family === value : family >= value)),
      );
    const open = Array.from({ length: 64 }, (_, family) => family).filter((family) => !isRefused(family));
    expect(open).toEqual([1, 2, 10, 16]);
  });

  it('E22: gives back what a setting names, and never vsock', () => {
    const names = rulesOf(['bpf', 'io_uring', 'keys', 'namespaces', 'perf', 'ptrace', 'userfaultfd']).flatMap(
      (rule) => rule.names,
    );
    for (const call of ['bpf', 'io_uring_setup', 'keyctl', 'mount', 'ptrace', 'clone', 'clone3'])
      expect(names).not.toContain(call);
    expect(names).toContain('socket');
    expect(names).toContain('kexec_load');
  });
});
