/** The command line of one container, and the script by which its command starts (E20). */
import { readFileSync } from 'node:fs';
import { KB, MB } from '#model/values';
import type { BoxCommand } from '../box-commands.ts';
import type { BoxMount } from '../box-layout.ts';
import { LIFELINE, LIFELINE_FD } from '../box-lifeline.ts';
import type { BoxLimits } from '../box-settings.ts';
import { userFlags, type ContainerEngine } from './container-engine.ts';

export type ContainerPlace = { from: string; at: string; writable: boolean };

export type ContainerInput = {
  engine: ContainerEngine;
  name: string;
  labels: readonly string[];
  /** By its id, so that a tag that moves meanwhile changes nothing. */
  image: string;
  /** Folders that the image declares as volumes: they would be on the host's disk, and stay. */
  volumes: readonly string[];
  places: readonly ContainerPlace[];
  /** A container whose folders are shown as well. */
  foldersOf: string | null;
  cwd: string;
  network: string;
  limits: BoxLimits;
  scratchMb: number;
  profile: string;
  /** Of the script, in the container. */
  start: string;
};

/** Both engines read a mount as a line of comma-separated values. */
const quoteCsv = (field: string): string =>
  /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
const mountFlags = ({ from, at, writable }: ContainerPlace): string[] => [
  '--mount',
  [
    ...['type=bind', quoteCsv(`source=${from}`), quoteCsv(`target=${at}`)],
    // guard: E20-read-only-mounts
    ...(writable ? [] : ['readonly']),
  ].join(','),
];

/** The margin lets a measurement find the tree over its limit. */
const MORE_PROCESSES = 8;

/** A line is its title, the soft limit, the hard one and a unit. */
const ownHardLimit = (title: string): number | null => {
  try {
    const lines = readFileSync('/proc/self/limits', 'latin1').split('\n');
    const line = lines.find((one) => one.startsWith(title)) ?? '';
    const hard = line.slice(title.length).trim().split(/\s+/)[1] ?? '';
    return /^\d+$/.test(hard) ? Number(hard) : null;
  } catch {
    return null;
  }
};
const MOST_FILES = 1_048_576;
/** Podman lowers its own limit, and may then not ask for more than that. */
const LEAST_PROCESSES = 4_096;
/** An engine may ask for more than this machine gives, and then nothing starts. */
const ulimitArguments = (
  { diskMb, memoryMb, processes: most }: BoxLimits,
  { controllers }: ContainerEngine,
): string[] => {
  const files = Math.min(ownHardLimit('Max open files') ?? MOST_FILES, MOST_FILES);
  const hard = ownHardLimit('Max processes');
  const processes = hard && Math.min(hard, Math.max(LEAST_PROCESSES, most + MORE_PROCESSES));
  return [
    ...['--ulimit', 'core=0:0', '--ulimit', `fsize=${diskMb * MB}:${diskMb * MB}`],
    ...['--ulimit', `nofile=${files}:${files}`],
    ...(processes === null ? [] : ['--ulimit', `nproc=${processes}:${processes}`]),
    // A backstop between two measurements of the tree.
    ...(controllers.includes('memory') ? [] : ['--ulimit', `data=${2 * memoryMb * MB}:${2 * memoryMb * MB}`]),
  ];
};

/** Podman says with each command what it cannot limit. */
const groupArguments = ({ memoryMb, processes }: BoxLimits, { controllers }: ContainerEngine): string[] => [
  ...(controllers.includes('memory') ? ['--memory', `${memoryMb}m`, '--memory-swap', `${memoryMb}m`] : []),
  ...(controllers.includes('pids') ? ['--pids-limit', String(processes + MORE_PROCESSES)] : []),
];

export const tmpfsArguments = (at: string, mb: number): string[] => [
  '--tmpfs',
  `${at}:rw,exec,nosuid,nodev,mode=1777,size=${Math.round(mb * KB)}k`,
];

const PROXY_VARIABLES = ['HTTP', 'HTTPS', 'FTP', 'ALL', 'NO']
  .map((kind) => `${kind}_PROXY`)
  .flatMap((name) => [name, name.toLowerCase()]);
/** Clients give a container the proxies of the host, with their passwords. */
const withoutProxies = ({ name }: ContainerEngine): string[] =>
  name === 'podman' ? ['--http-proxy=false'] : PROXY_VARIABLES.flatMap((one) => ['--env', `${one}=`]);

/** E20: walls that every container of ours has, box or service. */
export const isolationFlags = ({
  engine,
  limits,
  network,
  profile,
  labels,
  name,
}: Pick<ContainerInput, 'engine' | 'limits' | 'network' | 'profile' | 'labels' | 'name'>): string[] => [
  ...withoutProxies(engine),
  ...['--name', name, ...labels.flatMap((label) => ['--label', label]), '--pull', 'never'],
  ...['--network', network, '--ipc', 'private', '--no-healthcheck', '--oom-score-adj', '500'],
  // guard: E20-no-capabilities
  ...['--cap-drop', 'all', '--security-opt', 'no-new-privileges'],
  // guard: E20-call-filter
  ...['--security-opt', `seccomp=${profile}`],
  // With SELinux, a label of the engine's would hide the workspace.
  ...['--security-opt', 'label=disable'],
  // guard: E20-limits
  ...groupArguments(limits, engine),
  ...ulimitArguments(limits, engine),
  // What is printed goes to us alone; the engine would keep it on the host's disk.
  ...['--log-driver', 'none'],
];

/** Arguments behind `run`. */
export const boxArguments = (input: ContainerInput): string[] => {
  const { engine, image, volumes, places, foldersOf, cwd, scratchMb, start } = input;
  const covered = new Set(places.map(({ at }) => at));
  return [
    ...['--interactive', '--init', ...isolationFlags(input), ...userFlags(engine)],
    // guard: E20-read-only-root
    ...['--read-only', ...(engine.name === 'podman' ? ['--read-only-tmpfs=false'] : [])],
    ...['/tmp', '/var/tmp'].flatMap((at) => tmpfsArguments(at, scratchMb)),
    ...['--shm-size', `${Math.round(scratchMb * KB)}k`],
    // As in other boxes, nothing is told of the machine's devices.
    ...['--tmpfs', '/sys:ro,nosuid,nodev,noexec,size=64k'],
    ...volumes.filter((at) => !covered.has(at)).flatMap((at) => tmpfsArguments(at, scratchMb)),
    ...places.flatMap(mountFlags),
    ...(foldersOf === null ? [] : ['--volumes-from', foldersOf]),
    ...['--workdir', cwd, '--entrypoint', 'sh', image, start],
  ];
};

/** Of the places of a box without a system of the host's. A link shows what it leads to. */
export const toContainerPlaces = (
  mounts: readonly BoxMount[],
  { empty, realOf }: { empty: string; realOf: (place: string) => string | null },
): ContainerPlace[] =>
  mounts.flatMap((mount): ContainerPlace[] => {
    switch (mount.kind) {
      case 'scratch':
        return [];
      case 'hide':
        return [{ from: mount.file ? '/dev/null' : empty, at: mount.path, writable: false }];
      case 'write':
        return [{ from: mount.from ?? mount.path, at: mount.path, writable: true }];
      case 'read':
        return [{ from: mount.from ?? mount.path, at: mount.path, writable: false }];
      case 'link': {
        const from = realOf(mount.path);
        return from === null ? [] : [{ from, at: mount.path, writable: false }];
      }
    }
  });

const quoteShell = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * The image keeps its own PATH and variables, and ours come in addition. They are in this file
 * alone: whoever may ask the engine about its containers learns none of them.
 */
export const renderStartScript = (input: {
  argv: readonly [string, ...string[]];
  env: Readonly<Record<string, string>>;
  /** Folders of programs that are shown. */
  tools: readonly string[];
  image: string;
}): string => {
  const [program] = input.argv;
  const { PATH: _, ...env } = input.env;
  const assigned = Object.entries(env).map(([name, value]) => quoteShell(`${name}=${value}`));
  const more = input.tools.map((folder) => `:${folder}`).join('');
  return [
    `PATH=\${PATH:-${DEFAULT_PATH}}${quoteShell(more)}; export PATH`,
    `command -v ${quoteShell(program)} >/dev/null 2>&1 || {`,
    `  echo ${quoteShell(`containment: ${program} is not in the image ${input.image}`)} >&2; exit 127; }`,
    `exec env ${[...assigned, ...input.argv.map(quoteShell)].join(' ')}`,
    '',
  ].join('\n');
};

/** Podman waits for a container to end by itself. */
export const listRemovalFlags = ({ name }: Pick<ContainerEngine, 'name'>): readonly string[] =>
  name === 'podman' ? ['--time', '0'] : [];

/**
 * Runs the command line of the engine and passes SIGTERM on to it: we ask the command to stop. A
 * reader of the lifeline removes the container when AgentPR dies. It kills the command line first,
 * whose end stops a reader that still waits, but not one at work; an engine that is just ending the
 * container may refuse at first. The command line is alone in its session, since a rootless Podman
 * is two processes that both pass the signal on.
 */
const LAUNCHER = String.raw`
engine=$1 name=$2 at_once=$3; shift 3
exec 3<&0
setsid "$engine" run "$@" <&3 3<&- ${LIFELINE_FD}<&- &
client=$!
( trap "" TERM; read -r _ <&${LIFELINE_FD}
trap "" USR1; kill -9 $client; cd /
for pause in 0.2 1 3 0; do "$engine" rm --force --volumes $at_once "$name" && break; sleep $pause; done ) >/dev/null 2>&1 3<&- &
reader=$!
trap 'told=1; kill $client 2>/dev/null' TERM
exec </dev/null 3<&- ${LIFELINE_FD}<&-
while :; do
  told= code=0; wait $client || code=$?
  [ -n "$told" ] || break
done
kill -USR1 $reader 2>/dev/null
exit $code`;

export const createLaunchCommand = (
  engine: ContainerEngine,
  name: string,
  run: readonly string[],
): BoxCommand => ({
  argv: ['sh', '-c', LAUNCHER, 'sh', engine.file, name, listRemovalFlags(engine).join(' '), ...run],
  inherit: [LIFELINE],
});
