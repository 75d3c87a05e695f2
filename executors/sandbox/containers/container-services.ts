/** Starts the services of a box in one closed network, and waits until they are ready (E20). */
import { setTimeout as pause } from 'node:timers/promises';
import type { BoxService, UsedImage } from '#model/environment';
import { KB, MINUTE, SECOND } from '#model/values';
import type { BoxLimits } from '../box-settings.ts';
import { isolationFlags } from './container-command.ts';
import { removeContainers } from './container-limits.ts';
import { runContainerEngine, firstOutputLines, type ContainerEngine } from './container-engine.ts';
import type { RunnableImage } from './container-images.ts';

export type ServiceImage = { service: BoxService; image: RunnableImage };
type StartedServices = {
  used: readonly UsedImage[];
  /** The last lines of each, for whoever reads why a command failed. */
  logs(): Promise<string>;
  close(): Promise<void>;
};

const READY_MS = 2 * MINUTE;
const SERVICE_LOOK_MS = 300;
const LOG_LINES = 20;

/** Images of databases begin as root, give their folder away and go on as another user. */
const SERVICE_CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'];

export type ContainerDeps = {
  engine: ContainerEngine;
  limits: BoxLimits;
  labels: readonly string[];
  profile: string;
};

/** Holds a network that nobody else is in, for a box and its services. Says why when it cannot. */
export const holdNetwork = async (
  deps: ContainerDeps,
  name: string,
  image: Pick<RunnableImage, 'id'>,
): Promise<{ says: string } | null> => {
  const held = await runContainerEngine(
    deps.engine,
    [
      ...['run', '--detach', '--init', ...isolationFlags({ ...deps, name, network: 'none' })],
      ...['--read-only', '--user', '65534:65534', '--entrypoint', 'sh', image.id],
      ...['-c', 'while :; do sleep 3600; done'],
    ],
    { timeoutMs: MINUTE },
  );
  if (held.exitCode === 0) return null;
  await removeContainers(deps.engine, [name]);
  return { says: `The network of the services cannot be made: ${firstOutputLines(held)}` };
};

export const networkModeOf = (holding: string): string => `container:${holding}`;

const serviceArguments = (
  deps: ContainerDeps,
  name: string,
  network: string,
  { service, image }: ServiceImage,
): string[] => {
  const logs =
    deps.engine.name === 'docker'
      ? ['json-file', '--log-opt', 'max-size=1m', '--log-opt', 'max-file=1']
      : ['k8s-file', '--log-opt', 'max-size=1mb'];
  const walls = isolationFlags({ ...deps, name, network });
  const size = Math.round((deps.limits.memoryMb * KB) / 2);
  return [
    ...['run', '--detach', ...walls.slice(0, -1), ...logs],
    ...SERVICE_CAPABILITIES.flatMap((one) => ['--cap-add', one]),
    // Data of a service ends with it, and counts as its memory.
    ...image.volumes.flatMap((at) => ['--tmpfs', `${at}:rw,nosuid,nodev,size=${size}k`]),
    ...Object.entries(service.env).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    image.id,
  ];
};

/** Its state in these tables. */
const LISTENS = '0A';

/** Ports on which something listens in a network, from /proc/net/tcp and tcp6. */
export const parseListeningPorts = (tables: string): number[] =>
  tables.split('\n').flatMap((line) => {
    const [, local = '', , state] = line.trim().split(/\s+/);
    const port = Number.parseInt(local.split(':')[1] ?? '', 16);
    return state === LISTENS && port > 0 ? [port] : [];
  });

/** In the network that `holding` holds. Says why when one does not come up; none is left then. */
export const startServices = async (
  deps: ContainerDeps,
  { name, holding }: { name: string; holding: string },
  services: readonly ServiceImage[],
  signal: AbortSignal,
): Promise<StartedServices | { says: string }> => {
  const { engine } = deps;
  const named = services.map((one) => ({ ...one, container: `${name}.${one.service.name}` }));
  const all = named.map(({ container }) => container);
  const logsOf = async (container: string): Promise<string> => {
    const { stdout, stderr } = await runContainerEngine(engine, [
      'logs',
      '--tail',
      String(LOG_LINES),
      container,
    ]);
    return `${stdout}${stderr}`.trim();
  };
  const close = async (): Promise<void> => {
    await removeContainers(engine, all);
  };

  const isReady = async ({ service, container }: (typeof named)[number]): Promise<boolean> => {
    if (service.health !== null) {
      const asked = ['exec', container, 'sh', '-c', service.health];
      return (await runContainerEngine(engine, asked)).exitCode === 0;
    }
    const tables = await runContainerEngine(engine, [
      'exec',
      holding,
      'cat',
      '/proc/net/tcp',
      '/proc/net/tcp6',
    ]);
    const open = parseListeningPorts(tables.stdout);
    return service.ports.every((port) => open.includes(port));
  };
  const untilReady = async (one: (typeof named)[number]): Promise<string | null> => {
    const until = performance.now() + READY_MS;
    for (;;) {
      if (signal.aborted) return `The service ${one.service.name} was not waited for.`;
      const state = await runContainerEngine(engine, [
        'inspect',
        '--format',
        '{{.State.Running}}',
        one.container,
      ]);
      if (state.stdout.trim() !== 'true')
        return `The service ${one.service.name} (${one.image.name}) ended: ${await logsOf(one.container)}`;
      if (await isReady(one)) return null;
      if (performance.now() > until)
        return `The service ${one.service.name} (${one.image.name}) was not ready within ${READY_MS / SECOND} seconds: ${await logsOf(one.container)}`;
      await pause(SERVICE_LOOK_MS);
    }
  };
  const failServices = async (says: string): Promise<{ says: string }> => {
    await close();
    return { says };
  };

  for (const one of named) {
    const started = await runContainerEngine(
      engine,
      serviceArguments(deps, one.container, networkModeOf(holding), one),
      {
        timeoutMs: MINUTE,
      },
    );
    if (started.exitCode !== 0)
      return failServices(`The service ${one.service.name} cannot be started: ${firstOutputLines(started)}`);
  }
  const wrong = (await Promise.all(named.map(untilReady))).find((one) => one !== null);
  if (wrong !== undefined && wrong !== null) return failServices(wrong);
  return {
    used: named.map(({ image: { name: of, digest } }) => ({ name: of, digest })),
    logs: async () => {
      const said = await Promise.all(
        named.map(async ({ service, container }) => [service.name, await logsOf(container)] as const),
      );
      return said.flatMap(([of, lines]) => (lines === '' ? [] : [`--- service ${of}:\n${lines}\n`])).join('');
    },
    close,
  };
};
