/**
 * The systemd unit of AgentPR, as text. It confines AgentPR as far as the boxes of its agents can
 * still be built inside: docs/run-it-for-a-year.md says what is left out for that, and why.
 */
import { createHash } from 'node:crypto';

export type SystemdUnitOptions = {
  scope: 'system' | 'user';
  /** Of a system service; a user's runs as that user. */
  account: string | null;
  /** Absolute paths: where .env is, where everything is kept, the node, and cli/agentpr.js. */
  directory: string;
  dataDir: string;
  node: string;
  cli: string;
  /** What follows `agentpr start`. */
  args: readonly string[];
  /** PATH of the service: its toolchains are shown to checks. */
  path: string;
  /** The version of systemd, and of agentpr. */
  systemd: number;
  version: string;
};

/** The first line says who wrote it, the second what it was. */
const UNIT_HEADER =
  /^# Written by agentpr (\S+): `agentpr service install` writes it anew\.\n# sha256 (\w+)\n/;

/** `%` begins a specifier everywhere. */
const plain = (text: string): string => text.replaceAll('%', '%%');
const quoted = (text: string): string => `"${plain(text).replace(/[\\"]/g, '\\$&')}"`;
/** Words of a command line are searched for variables as well. */
const word = (text: string): string => quoted(text).replaceAll('$', '$$$$');

/** Of a system service only; systemd refuses or ignores them for a user's. */
const SYSTEM_ONLY_SETTINGS = [
  'CapabilityBoundingSet=',
  'AmbientCapabilities=',
  'PrivateDevices=yes',
  'ProtectClock=yes',
  'ProtectKernelModules=yes',
  'RemoveIPC=yes',
];
const BOTH = [
  'NoNewPrivileges=yes',
  'UMask=0077',
  'ProtectSystem=strict',
  'ProtectHome=read-only',
  'PrivateTmp=yes',
  'KeyringMode=private',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
  // A box is made of these; a time namespace is the only one left.
  'RestrictNamespaces=user mnt pid net ipc uts cgroup',
  'SystemCallArchitectures=native',
  'SystemCallFilter=~@clock @cpu-emulation @module @obsolete @raw-io @reboot @swap',
  'SystemCallErrorNumber=EPERM',
];

export const unitOf = (wish: SystemdUnitOptions): string => {
  const { scope, account, directory, dataDir, node, cli, args, path, systemd, version } = wish;
  const system = scope === 'system';
  const lines = [
    '[Unit]',
    'Description=AgentPR: coding agents across many repositories, from your phone',
    ...(system ? ['Wants=network-online.target', 'After=network-online.target'] : []),
    // It comes back however often: Postgres or the network may be away for longer than five tries.
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${[node, cli, 'start', ...args].map(word).join(' ')}`,
    `WorkingDirectory=${plain(directory)}`,
    `Environment=${quoted(`PATH=${path}`)}`,
    // One heap of glibc, given back early: docs/bench.md says what that saves.
    'Environment=MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=65536',
    ...(account === null ? [] : [`User=${account}`]),
    'Restart=on-failure',
    'RestartSec=10',
    // A setting is wrong, or something is not installed: that needs a person.
    'RestartPreventExitStatus=69 78',
    // It stops its agents itself; whoever is left after that is killed.
    'KillMode=mixed',
    'TimeoutStopSec=60',
    // An agent that was killed for its memory is no reason to stop everything.
    'OOMPolicy=continue',
    // Limits of boxes are control groups below ours.
    'Delegate=memory pids',
    ...(systemd >= 254 ? ['DelegateSubgroup=main'] : []),
    '',
    ...BOTH,
    ...(system ? SYSTEM_ONLY_SETTINGS : ['PrivateUsers=yes']),
    `ReadWritePaths=${quoted(dataDir)}`,
    '',
    '[Install]',
    `WantedBy=${system ? 'multi-user.target' : 'default.target'}`,
  ];
  const text = `${lines.join('\n')}\n`;
  return `# Written by agentpr ${version}: \`agentpr service install\` writes it anew.\n# sha256 ${sumOf(text)}\n${text}`;
};

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export type FoundUnit = { version: string; edited: boolean; directory: string; programs: string[] };

/** What a unit file says of itself; null when it is not one of ours. */
export const readUnit = (text: string): FoundUnit | null => {
  const [head, version, sum] = UNIT_HEADER.exec(text) ?? [];
  if (head === undefined || version === undefined) return null;
  const rest = text.slice(head.length);
  const unquoted = (value: string): string => value.replace(/\\(.)/g, '$1').replaceAll('%%', '%');
  const [, directory = ''] = /^WorkingDirectory=(.*)$/m.exec(rest) ?? [];
  const [, start = ''] = /^ExecStart=(.*)$/m.exec(rest) ?? [];
  const words = [...start.matchAll(/"((?:\\.|[^"\\])*)"/g)].map(([, one = '']) =>
    unquoted(one).replaceAll('$$', '$'),
  );
  return {
    version,
    edited: sumOf(rest) !== sum,
    directory: directory.replaceAll('%%', '%'),
    programs: words.slice(0, 2),
  };
};
