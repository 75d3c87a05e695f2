/** Finds Docker or Podman, and what kind of engine answers (E20). */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { MINUTE } from '#model/values';
import { spawnProcess, type SpawnResult } from '#process';
import type { BoxFault } from '../box-faults.ts';
import { CONTAINER_ENGINES, type ContainerEngineName } from '../box-settings.ts';
import type { CgroupController } from '../control-groups.ts';

export type ContainerEngine = {
  name: ContainerEngineName;
  /** Absolute. */
  file: string;
  /** What its command line needs of our environment; a box never sees it. */
  env: Readonly<Record<string, string>>;
  version: string;
  /** Its root is our own user, not the machine's. */
  isRootless: boolean;
  /** The daemon maps all users of containers to others (`userns-remap`). */
  mapsUsers: boolean;
  /** Another machine, as `DOCKER_HOST` names it; null for this one. */
  host: string | null;
  /** As Node calls it. */
  arch: string;
  /** The folder on this machine of its images and containers; null where it is on another one. */
  root: string | null;
  /** Limits that the engine enforces; a rootless engine enforces none with control groups of version 1. */
  controllers: readonly CgroupController[];
  /** Its operator wants no new boxes there. */
  isDrained: boolean;
};

/** The command line reads these; a box could write to a `.docker` in its own HOME. */
const PASSES =
  /^(?:PATH|HOME|USER|LOGNAME|TMPDIR|XDG_\w+|DOCKER_\w+|CONTAINERS?_\w+|REGISTRY_AUTH_FILE|SSH_AUTH_SOCK|DBUS_SESSION_BUS_ADDRESS|(?:HTTPS?|NO|ALL)_PROXY)$/i;

const selectPassedVariables = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && PASSES.test(name) ? [[name, value]] : [],
    ),
  );

const findFile = (name: string, search: string): string | null => {
  for (const folder of search.split(':').filter((one) => path.isAbsolute(one))) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return realpathSync(file);
    } catch {
      continue;
    }
  }
  return null;
};

/** An engine on another machine, or on a busy one, takes its time. */
const ASK_MS = MINUTE;
export const runContainerEngine = (
  { file, env }: Pick<ContainerEngine, 'file' | 'env'>,
  args: readonly string[],
  { timeoutMs = ASK_MS, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<SpawnResult> =>
  spawnProcess({
    argv: [file, ...args],
    cwd: '/',
    env,
    timeoutMs,
    maxOutputBytes: 1_000_000,
    ...(signal ? { signal } : {}),
  });

export const firstOutputLines = ({ stderr, stdout, ended }: SpawnResult): string =>
  (stderr.trim() === '' ? stdout : stderr).trim().split('\n').slice(0, 2).join(' ').slice(0, 300) ||
  `it ended as ${ended}.`;

const DockerInfo = z.object({
  ServerVersion: z.string().optional(),
  OperatingSystem: z.string().optional(),
  SecurityOptions: z.array(z.string()).nullish(),
  Architecture: z.string().optional(),
  DockerRootDir: z.string().optional(),
  MemoryLimit: z.boolean().optional(),
  PidsLimit: z.boolean().optional(),
  Labels: z.array(z.string()).nullish(),
});
const PodmanInfo = z.object({
  host: z.object({
    serviceIsRemote: z.boolean().optional(),
    cgroupControllers: z.array(z.string()).nullish(),
    security: z.object({ rootless: z.boolean() }),
  }),
  version: z.object({ Version: z.string() }),
  store: z.object({ graphRoot: z.string().optional() }).optional(),
});

/** Null where the engine printed something else. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

type Known = Pick<ContainerEngine, 'name' | 'file' | 'env'>;
type Answer = ContainerEngine | { said: string };

const REMOTE =
  'its engine is on another machine, and workspaces cannot be shown there; such machines are named in boxes of agentpr.config.json';
/** A virtual machine of Docker Desktop shows no socket of ours, and has other users. */
const isElsewhere = (host: string, system: string): boolean =>
  process.platform !== 'linux' || /docker desktop/i.test(system) || !/^(?:unix:|\/|$)/.test(host);

/** The machine's name for itself (`uname -m`). */
const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: 'x64', aarch64: 'arm64' };

/** A label of a daemon, which it reads again on SIGHUP. */
const DRAINED = 'agentpr.drain=true';
const CONTROLLERS = ['memory', 'pids'] as const;

const askDocker = async (known: Known, elsewhere: string | null): Promise<Answer> => {
  const end = await runContainerEngine(known, ['info', '--format', '{{json .}}']);
  const info = DockerInfo.safeParse(parseJson(end.stdout)).data;
  if (!info?.ServerVersion) return { said: firstOutputLines(end) };
  if (elsewhere === null) {
    const context = await runContainerEngine(known, [
      'context',
      'inspect',
      '--format',
      '{{.Endpoints.docker.Host}}',
    ]);
    const host = known.env['DOCKER_HOST'] ?? (context.exitCode === 0 ? context.stdout.trim() : '');
    if (isElsewhere(host, info.OperatingSystem ?? '')) return { said: REMOTE };
  }
  const options = (info.SecurityOptions ?? []).join(' ');
  if (!/name=seccomp/.test(options)) return { said: 'it has no filter of system calls (seccomp)' };
  return {
    ...known,
    version: info.ServerVersion,
    isRootless: /name=rootless/.test(options),
    mapsUsers: /name=userns/.test(options),
    host: elsewhere,
    arch: ARCHITECTURES[info.Architecture ?? ''] ?? info.Architecture ?? '',
    root: (elsewhere === null && info.DockerRootDir) || null,
    controllers: CONTROLLERS.filter((one) => info[one === 'memory' ? 'MemoryLimit' : 'PidsLimit'] !== false),
    isDrained: info.Labels?.includes(DRAINED) === true,
  };
};

const askPodman = async (known: Known): Promise<Answer> => {
  const end = await runContainerEngine(known, ['info', '--format', 'json']);
  const info = PodmanInfo.safeParse(parseJson(end.stdout)).data;
  if (!info) return { said: firstOutputLines(end) };
  if (info.host.serviceIsRemote === true || isElsewhere('', '')) return { said: REMOTE };
  const { rootless } = info.host.security;
  const { Version: version } = info.version;
  return {
    ...known,
    version,
    isRootless: rootless,
    mapsUsers: false,
    host: null,
    arch: process.arch,
    root: info.store?.graphRoot ?? null,
    controllers: CONTROLLERS.filter((one) => info.host.cgroupControllers?.includes(one)),
    isDrained: false,
  };
};

type FoundEngine = { engine: ContainerEngine } | { fault: BoxFault };

/** The one that is named; else the first that answers. */
export const findContainerEngine = async (
  named: ContainerEngineName | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<FoundEngine> => {
  const env = selectPassedVariables(environment);
  let fault: BoxFault | null = null;
  for (const name of named === undefined ? CONTAINER_ENGINES : [named]) {
    const file = findFile(name, env['PATH'] ?? '');
    if (file === null) continue;
    const known = { name, file, env };
    const answer = await (name === 'docker' ? askDocker(known, null) : askPodman(known));
    if (!('said' in answer)) return { engine: answer };
    fault ??= { kind: 'box_engine_silent', program: name, said: answer.said };
  }
  return { fault: fault ?? { kind: 'box_absent', program: named ?? 'docker', said: '' } };
};

/** Docker of another machine, which our own command line asks by ssh. */
export const findHostEngine = async (
  host: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<FoundEngine> => {
  const { DOCKER_CONTEXT: _, ...passed } = selectPassedVariables(environment);
  const env: Record<string, string> = { ...passed, DOCKER_HOST: host };
  const file = findFile('docker', env['PATH'] ?? '');
  if (file === null) return { fault: { kind: 'box_absent', program: 'docker', said: '' } };
  const answer = await askDocker({ name: 'docker', file, env }, host);
  if (!('said' in answer)) return { engine: answer };
  return { fault: { kind: 'box_engine_silent', program: 'docker', said: answer.said } };
};

/** Of commands on another machine: no account has to exist there. */
export const HOST_USER = '1000:1000';

/** Whose ids a container runs with, so that files stay the caller's own. */
export const userFlags = ({ name, isRootless, mapsUsers, host }: ContainerEngine): string[] => {
  if (host !== null) return ['--user', HOST_USER];
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (isRootless && name === 'podman') return ['--userns', 'keep-id', '--user', `${uid}:${gid}`];
  if (isRootless) return ['--user', '0:0'];
  return [...(mapsUsers ? ['--userns', 'host'] : []), '--user', `${uid}:${gid}`];
};

/** Another machine that runs boxes. */
export type BoxHost = {
  /** As `DOCKER_HOST` names it. */
  host: string;
  labels: readonly string[];
  /** Boxes at the same time; 0 takes none. */
  parallel: number;
};
