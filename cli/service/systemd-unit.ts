/** Generates the systemd unit; docs/operating.md explains its limits. */
import { createHash } from 'node:crypto';

export type SystemdUnitOptions = {
  scope: 'system' | 'user';
  account: string | null;
  directory: string;
  dataDir: string;
  node: string;
  cli: string;
  args: readonly string[];
  path: string;
  systemd: number;
  version: string;
};

/** The mark contains our version and the file's hash. */
const UNIT_HEADER =
  /^# Written by agentpr (\S+): `agentpr service install` writes it anew\.\n# sha256 (\w+)\n/;

/** `%` starts a specifier in every value. */
const escapeSpecifiers = (text: string): string => text.replaceAll('%', '%%');
const quoteUnitValue = (text: string): string => `"${escapeSpecifiers(text).replace(/[\\"]/g, '\\$&')}"`;
/** `$` is expanded in command lines. */
const quoteCommandWord = (text: string): string => quoteUnitValue(text).replaceAll('$', '$$$$');

/** System services only; user services refuse or ignore them. */
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
  // A sandbox needs all of these namespaces.
  'RestrictNamespaces=user mnt pid net ipc uts cgroup',
  'SystemCallArchitectures=native',
  'SystemCallFilter=~@clock @cpu-emulation @module @obsolete @raw-io @reboot @swap',
  'SystemCallErrorNumber=EPERM',
];

export const renderSystemdUnit = (wish: SystemdUnitOptions): string => {
  const { scope, account, directory, dataDir, node, cli, args, path, systemd, version } = wish;
  const system = scope === 'system';
  const lines = [
    '[Unit]',
    'Description=AgentPR: coding agents across many repositories, from your phone',
    ...(system ? ['Wants=network-online.target', 'After=network-online.target'] : []),
    // Restarts without limit, because Postgres or the network may be away for long.
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${[node, cli, 'start', ...args].map(quoteCommandWord).join(' ')}`,
    `WorkingDirectory=${escapeSpecifiers(directory)}`,
    `Environment=${quoteUnitValue(`PATH=${path}`)}`,
    // docs/bench.md: a single glibc arena saves memory.
    'Environment=MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=65536',
    ...(account === null ? [] : [`User=${account}`]),
    'Restart=on-failure',
    'RestartSec=10',
    // Configuration errors need a person.
    'RestartPreventExitStatus=69 78',
    // AgentPR stops its agents itself; systemd kills the rest.
    'KillMode=mixed',
    'TimeoutStopSec=60',
    // An agent killed for its memory must not stop the service.
    'OOMPolicy=continue',
    // Sandbox limits use sub-groups of this control group.
    'Delegate=memory pids',
    ...(systemd >= 254 ? ['DelegateSubgroup=main'] : []),
    '',
    ...BOTH,
    ...(system ? SYSTEM_ONLY_SETTINGS : ['PrivateUsers=yes']),
    `ReadWritePaths=${quoteUnitValue(dataDir)}`,
    '',
    '[Install]',
    `WantedBy=${system ? 'multi-user.target' : 'default.target'}`,
  ];
  const text = `${lines.join('\n')}\n`;
  return `# Written by agentpr ${version}: \`agentpr service install\` writes it anew.\n# sha256 ${sumOf(text)}\n${text}`;
};

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

type FoundUnit = { version: string; edited: boolean; directory: string; programs: string[] };

export const parseSystemdUnit = (text: string): FoundUnit | null => {
  const [head, version, sum] = UNIT_HEADER.exec(text) ?? [];
  if (head === undefined || version === undefined) return null;
  const rest = text.slice(head.length);
  const unquoteUnitValue = (value: string): string => value.replace(/\\(.)/g, '$1').replaceAll('%%', '%');
  const [, directory = ''] = /^WorkingDirectory=(.*)$/m.exec(rest) ?? [];
  const [, start = ''] = /^ExecStart=(.*)$/m.exec(rest) ?? [];
  const words = [...start.matchAll(/"((?:\\.|[^"\\])*)"/g)].map(([, one = '']) =>
    unquoteUnitValue(one).replaceAll('$$', '$'),
  );
  return {
    version,
    edited: sumOf(rest) !== sum,
    directory: directory.replaceAll('%%', '%'),
    programs: words.slice(0, 2),
  };
};
