/**
 * The container that holds what belongs to a box on another machine: its network, its folders as a
 * volume, and its way out (E20). It ends with our connection to it, and takes the volume along.
 */
import { DAY, KB, MINUTE } from '#model/values';
import type { CapExcess } from '#ports/processes';
import { spawnProcess, type SpawnResult } from '#process';
import { checkHostReserve } from '../resource-limits.ts';
import type { BoxReach } from '../wrap-command.ts';
import { removeContainers } from '../containers/container-limits.ts';
import { createLaunchCommand, tmpfsArguments, isolationFlags } from '../containers/container-command.ts';
import {
  runContainerEngine,
  firstOutputLines,
  type ContainerEngine,
} from '../containers/container-engine.ts';
import type { RunnableImage } from '../containers/container-images.ts';
import type { ContainerDeps } from '../containers/container-services.ts';
import { ensureEgressImage, DOOR_PROGRAM } from './egress-image.ts';
import { createRemoteEgress } from './remote-egress.ts';

/** Of the volume, in holder and box. */
export const FOLDERS = '/box';

export type Holder = {
  name: string;
  /** How many bytes the folders take there; null where that cannot be told. */
  measure: () => Promise<number | null>;
  /** Returns the limit that a nearly full disk meets; null if there is room, or nobody can tell. */
  findReserve: () => Promise<CapExcess | null>;
  close(): Promise<void>;
};

const NOBODY_IDS = '65534:65534';
const OPEN = 'open\n';
/** Longer than any command may take. */
const HELD_MS = 20 * DAY;

const measureFolders = async (engine: ContainerEngine, name: string): Promise<number | null> => {
  const said = await runContainerEngine(engine, ['exec', name, 'du', '-sk', FOLDERS], { timeoutMs: MINUTE });
  const kb = Number(/^(\d+)\s/.exec(said.stdout)?.[1] ?? Number.NaN);
  return Number.isNaN(kb) ? null : kb * KB;
};

/** The fourth word of the last line is what is free (KB). */
const findHostReserve = async (engine: ContainerEngine, name: string): Promise<CapExcess | null> => {
  const said = await runContainerEngine(engine, ['exec', name, 'df', '-Pk', FOLDERS], { timeoutMs: MINUTE });
  const free = /^\S+ +\d+ +\d+ +(\d+) /m.exec(said.stdout)?.[1];
  return free === undefined ? null : checkHostReserve(Number(free) * KB, engine.host ?? engine.name);
};

type Part = { image: string; volumes: readonly string[]; command: readonly string[] };
/** Without a way out, the box's own image does. */
const choosePart = async (
  engine: ContainerEngine,
  image: RunnableImage,
  network: BoxReach,
  signal: AbortSignal,
): Promise<Part | { says: string }> => {
  if (typeof network === 'string')
    return {
      image: image.id,
      volumes: image.volumes,
      command: ['sh', '-c', 'echo open; exec cat >/dev/null'],
    };
  const door = await ensureEgressImage(engine, signal);
  if ('says' in door) return door;
  const command = ['node', '--no-warnings', DOOR_PROGRAM, String(network.port)];
  return { image: door.image, volumes: [], command };
};

export const startHoldingContainer = async (
  deps: ContainerDeps,
  name: string,
  { image, network, signal }: { image: RunnableImage; network: BoxReach; signal: AbortSignal },
): Promise<Holder | { says: string }> => {
  const { engine } = deps;
  const part = await choosePart(engine, image, network, signal);
  if ('says' in part) return part;
  const [program = '', ...args] = part.command;
  const way = typeof network === 'string' ? null : createRemoteEgress(network.socket);
  const { promise: said, resolve: say } = Promise.withResolvers<void>();
  const run = [
    ...['--interactive', '--rm', '--init', ...isolationFlags({ ...deps, name, network: 'none' })],
    ...['--read-only', '--user', NOBODY_IDS, '--mount', `type=volume,target=${FOLDERS}`],
    // What the image declares as volumes would be others' folders of the box.
    ...part.volumes.flatMap((at) => tmpfsArguments(at, 1)),
    ...['--entrypoint', program, part.image, ...args],
  ];
  const closing = new AbortController();
  const running: Promise<SpawnResult> = spawnProcess({
    ...createLaunchCommand(engine, name, run),
    cwd: '/',
    env: { ...engine.env },
    timeoutMs: HELD_MS,
    maxOutputBytes: 65_536,
    graceMs: 0,
    signal: closing.signal,
    onStdin: (stdin) => way?.onStdin(stdin),
    streamsStdout: true,
    onStdout: (chunk) => {
      if (way) way.onStdout(chunk);
      else if (chunk.toString().includes(OPEN)) say();
    },
  });
  void way?.opened.then(say);
  const close = async (): Promise<void> => {
    way?.close();
    closing.abort();
    await running;
    // It goes by itself when it hears of our end; it is not waited for.
    await removeContainers(engine, [name]);
  };
  const first = await Promise.race([
    said.then(() => null),
    running,
    new Promise<'stopped'>((resolve) => {
      if (signal.aborted) resolve('stopped');
      signal.addEventListener('abort', () => resolve('stopped'), { once: true });
    }),
  ]);
  if (first === null)
    return {
      name,
      measure: () => measureFolders(engine, name),
      findReserve: () => findHostReserve(engine, name),
      close,
    };
  await close();
  return {
    says:
      first === 'stopped' ? 'The box was not waited for.' : `It cannot be held: ${firstOutputLines(first)}`,
  };
};
