/** Puts each command into a container of its own, which ends with it (E20). */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listCertificatePaths } from '../../process/box-environment.ts';
import { markPrefix, RUN_MARK_VARIABLE, findProcessStartTime } from '../../process/process-tree.ts';
import { spawnProcess } from '../../process/spawn.ts';
import { egressMounts, wrapInEgress } from '../box-egress.ts';
import { listBoxMounts } from '../box-layout.ts';
import { measureDirs } from '../measure-directories.ts';
import { findEngineReserve, toDiskFailure } from '../resource-limits.ts';
import type { BoxLimits } from '../box-settings.ts';
import {
  controlGroupName,
  toBoxPath,
  type BoxPlaces,
  type ContainedCommand,
  type WrapInput,
} from '../wrap-command.ts';
import { fetchBoxImages } from './fetch-box-images.ts';
import {
  createContainerLimiter,
  explainLoss,
  HOLDS_NETWORK,
  isEndKnown,
  toLostResult,
  removeContainers,
} from './container-limits.ts';
import {
  boxArguments,
  createLaunchCommand,
  renderStartScript,
  toContainerPlaces,
  type ContainerPlace,
} from './container-command.ts';
import { runContainerEngine, type ContainerEngine } from './container-engine.ts';
import { createImageStore, type ImageSettings, type RunnableImage } from './container-images.ts';
import { holdNetwork, networkModeOf, startServices } from './container-services.ts';
import { recordImageUse } from './fetched-images.ts';
import type { PrepareBox, PreparedBox } from './prepared-box.ts';

const OWN_LABEL = 'agentpr';
const OWNER_LABEL = 'agentpr.owner';

type BoxesDeps = {
  engine: ContainerEngine;
  settings: ImageSettings;
  places: BoxPlaces;
  limits: BoxLimits;
  /** Path of the profile of system calls. */
  profile: string;
  node: readonly ContainerPlace[] | null;
};

const findRealPath = (place: string): string | null => (existsSync(place) ? realpathSync(place) : null);
export const START = '/box/start';

const ownerOf = (): string => `${process.pid}:${findProcessStartTime(process.pid) ?? ''}`;
const isAlive = (owner: string): boolean => {
  const [pid = '', start = ''] = owner.split(':');
  return start !== '' && findProcessStartTime(Number(pid)) === start;
};

/** A crash leaves containers behind; those of a living process of ours stay. */
export const sweepContainers = async (
  engine: ContainerEngine,
  dataDir: string,
  labels: readonly string[] = [],
): Promise<number> => {
  const own = `${OWN_LABEL}=${markPrefix(dataDir, '').split('/')[0] ?? ''}`;
  const filters = [own, ...labels].flatMap((label) => ['--filter', `label=${label}`]);
  const owner = engine.name === 'podman' ? 'index .Labels' : '.Label';
  const format = `{{.Names}} {{${owner} "${OWNER_LABEL}"}}`;
  const listed = await runContainerEngine(engine, ['ps', '--all', ...filters, '--format', format]);
  const left = listed.stdout
    .split('\n')
    .map((line) => line.trim().split(' '))
    .flatMap(([name = '', owner = '']) => (name !== '' && !isAlive(owner) ? [name] : []));
  await removeContainers(engine, left);
  return left.length;
};

/** Of containers that a data directory's process starts. */
export const containerLabelsOf = (mark: string): string[] => {
  const [own = '', run = ''] = mark.split('/');
  return [`${OWN_LABEL}=${own}`, `agentpr.run=${run}`, `${OWNER_LABEL}=${ownerOf()}`];
};
export const newContainerMark = (dataDir: string, runId: string): string =>
  markPrefix(dataDir, runId) + randomBytes(6).toString('hex');

export const createContainerBoxes = (deps: BoxesDeps) => {
  const { engine, settings, places, limits, profile, node } = deps;
  const images = createImageStore(engine, (image, { isNew }) =>
    recordImageUse(places.dataDir, image, { isNew, now: Date.now() }),
  );
  const capsOf = createContainerLimiter({ engine, limits, measure: measureDirs });
  const below = path.join(places.dataDir, 'box');
  const empty = path.join(below, 'empty');
  mkdirSync(empty, { recursive: true, mode: 0o755 });

  // Engines of ours show it as well, and an engine takes no place twice.
  const ofNode = new Set(node?.map(({ at }) => at));

  const wrapIn = (image: RunnableImage, holding: string | null) => (input: WrapInput) => {
    const mark = newContainerMark(places.dataDir, input.runId);
    const name = controlGroupName(mark);
    const env: Record<string, string> = { ...input.env, [RUN_MARK_VARIABLE]: mark };
    const egress = typeof input.network === 'string' ? null : input.network;
    if (egress !== null && node === null)
      throw new Error(
        'A container has no way out here, because the Node of this machine cannot be shown in it.',
      );
    const shownAs = input.shownAs ?? {};
    const mounts = toContainerPlaces(
      listBoxMounts({
        system: false,
        hidden: [places.dataDir, ...places.hidden],
        writable: input.writable,
        shownAs,
        readable: [...places.readable, ...(input.readable ?? []), ...listCertificatePaths(env)],
        tools: places.tools,
        more: egress === null ? [] : egressMounts(egress),
      }),
      { empty, realOf: findRealPath },
    );
    const start = path.join(below, `start-${path.basename(mark)}`);
    const argv = egress === null ? input.argv : wrapInEgress(egress, input.argv);
    const inside = [
      ...places.tools,
      ...(node === null ? [] : [path.dirname(realpathSync(process.execPath))]),
    ];
    const open = (): void => {
      mkdirSync(start, { recursive: true, mode: 0o700 });
      const script = renderStartScript({ argv, env, tools: inside, image: image.name });
      writeFileSync(path.join(start, 'run'), script, { mode: 0o600 });
    };
    const close = (): void => rmSync(start, { recursive: true, force: true });
    const run = boxArguments({
      engine,
      name,
      labels: containerLabelsOf(mark),
      image: image.id,
      volumes: image.volumes,
      places: [
        ...mounts.filter(({ at }) => !ofNode.has(at)),
        ...(node ?? []),
        { from: start, at: START, writable: false },
      ],
      cwd: toBoxPath(realpathSync(input.cwd), shownAs),
      network: holding === null ? (input.network === 'shared' ? 'host' : 'none') : networkModeOf(holding),
      foldersOf: null,
      limits,
      scratchMb: limits.memoryMb / 4,
      profile,
      start: `${START}/run`,
    });
    return {
      ...createLaunchCommand(engine, name, run),
      cwd: places.dataDir,
      env: { ...engine.env },
      pipes: true,
      caps: capsOf(name, input.writable, { mark, open, close }),
    } satisfies ContainedCommand;
  };

  const createBox = (image: RunnableImage, holding: string | null): PreparedBox => {
    const wrap = wrapIn(image, holding);
    return {
      run: async (input, request) => {
        const wrapped = wrap(input);
        const end = await spawnProcess({ ...wrapped, ...request });
        return isEndKnown(end, wrapped.caps.state()) ? end : toLostResult(end, explainLoss(engine, end));
      },
      used: { image: { name: image.name, digest: image.digest }, services: [] },
      logs: () => Promise.resolve(''),
      close: () => Promise.resolve(),
    };
  };

  const openBox: PrepareBox = async (request) => {
    const parts = await fetchBoxImages(images, settings, request);
    if ('says' in parts) return parts;
    const { image, services } = parts;
    if (services.length === 0) return createBox(image, null);
    const mark = newContainerMark(places.dataDir, request.runId);
    const about = { engine, limits, labels: containerLabelsOf(mark), profile };
    const name = controlGroupName(mark);
    const holding = `${name}${HOLDS_NETWORK}`;
    const failed = await holdNetwork(about, holding, image);
    if (failed) return failed;
    const letGo = async (): Promise<void> => void (await removeContainers(engine, [holding]));
    const started = await startServices(about, { name, holding }, services, request.signal);
    if ('says' in started) {
      await letGo();
      return started;
    }
    const box = createBox(image, holding);
    return {
      ...box,
      used: { image: { name: image.name, digest: image.digest }, services: [...started.used] },
      logs: () => started.logs(),
      close: async () => {
        await started.close();
        await letGo();
      },
    };
  };
  const prepare: PrepareBox = async (request) => {
    const box = await openBox(request);
    const full = 'says' in box ? await findEngineReserve(engine.root) : null;
    if (full) throw toDiskFailure(full);
    return box;
  };
  return { prepare, wrapIn: (image: RunnableImage) => wrapIn(image, null), images };
};

export const writeSeccompProfile = (below: string, profile: string): string => {
  mkdirSync(below, { recursive: true, mode: 0o700 });
  const file = path.join(below, 'calls.json');
  if (!existsSync(file) || readFileSync(file, 'utf8') !== profile) writeFileSync(file, profile);
  return file;
};
