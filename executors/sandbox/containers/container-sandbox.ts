/** Puts each command into a container of its own, which ends with it (E20). */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BoxWish, UsedBox } from '#model/environment';
import { certificatesIn } from '../../process/box-environment.ts';
import { markPrefix, RUN_MARK_VARIABLE, startTime } from '../../process/process-tree.ts';
import { egressMounts, throughEgress } from '../box-egress.ts';
import { boxLayout } from '../box-layout.ts';
import { measureDirs } from '../measure-directories.ts';
import type { BoxLimits } from '../resource-caps.ts';
import { groupName, inBox, type BoxPlaces, type ContainedCommand, type WrapInput } from '../wrap-command.ts';
import { createContainerCaps, removeContainers } from './container-caps.ts';
import {
  boxArguments,
  launchArgv,
  startScript,
  toContainerPlaces,
  type ContainerPlace,
} from './container-command.ts';
import { askEngine, type ContainerEngine } from './container-engine.ts';
import {
  chooseImage,
  createImageStore,
  isAllowedImage,
  type ImageSettings,
  type RunnableImage,
} from './container-images.ts';
import { startServices, type ServiceImage, type StartedServices } from './container-services.ts';

const OWN_LABEL = 'agentpr';
const OWNER_LABEL = 'agentpr.owner';

/** A box in which commands can run, one after the other or side by side. */
export type PreparedBox = {
  wrap(input: WrapInput): ContainedCommand;
  used: UsedBox | null;
  /** The last lines of its services. */
  logs(): Promise<string>;
  close(): Promise<void>;
};
export type BoxRequest = {
  runId: string;
  kind: 'agent' | 'install' | 'check';
  wish: BoxWish | null;
  /** It has no network but our own ways out, so that services may stand beside it. */
  closed: boolean;
  signal: AbortSignal;
};
export type PrepareBox = (request: BoxRequest) => Promise<PreparedBox | { says: string }>;

type ContainerDeps = {
  engine: ContainerEngine;
  settings: ImageSettings;
  places: BoxPlaces;
  limits: BoxLimits;
  /** Path of the profile of system calls. */
  profile: string;
  node: readonly ContainerPlace[] | null;
};

const findRealPath = (place: string): string | null => (existsSync(place) ? realpathSync(place) : null);
const START = '/box/start';

const ownerOf = (): string => `${process.pid}:${startTime(process.pid) ?? ''}`;
const isAlive = (owner: string): boolean => {
  const [pid = '', start = ''] = owner.split(':');
  return start !== '' && startTime(Number(pid)) === start;
};

/** A crash leaves containers behind; those of a living process of ours stay. */
export const sweepContainers = async (engine: ContainerEngine, dataDir: string): Promise<number> => {
  const filter = `label=${OWN_LABEL}=${markPrefix(dataDir, '').split('/')[0] ?? ''}`;
  const format = `{{.Names}} {{.Label "${OWNER_LABEL}"}}`;
  const listed = await askEngine(engine, ['ps', '--all', '--filter', filter, '--format', format]);
  const left = listed.stdout
    .split('\n')
    .map((line) => line.trim().split(' '))
    .flatMap(([name = '', owner = '']) => (name !== '' && !isAlive(owner) ? [name] : []));
  await removeContainers(engine, left);
  return left.length;
};

export const createContainerBoxes = (deps: ContainerDeps) => {
  const { engine, settings, places, limits, profile, node } = deps;
  const images = createImageStore(engine, places.dataDir);
  const capsOf = createContainerCaps({ engine, limits, measure: measureDirs });
  const below = path.join(places.dataDir, 'box');
  const empty = path.join(below, 'empty');
  mkdirSync(empty, { recursive: true, mode: 0o755 });
  const labelsOf = (mark: string): string[] => {
    const [own = '', run = ''] = mark.split('/');
    return [`${OWN_LABEL}=${own}`, `agentpr.run=${run}`, `${OWNER_LABEL}=${ownerOf()}`];
  };

  const wrapIn =
    (image: RunnableImage, services: StartedServices | null) =>
    (input: WrapInput): ContainedCommand => {
      const mark = markPrefix(places.dataDir, input.runId) + randomBytes(6).toString('hex');
      const name = groupName(mark);
      const env: Record<string, string> = { ...input.env, [RUN_MARK_VARIABLE]: mark };
      const egress = typeof input.network === 'string' ? null : input.network;
      if (egress !== null && node === null)
        throw new Error(
          'A container has no way out here, because the Node of this machine cannot be shown in it.',
        );
      const shownAs = input.shownAs ?? {};
      const mounts = toContainerPlaces(
        boxLayout({
          system: false,
          hidden: [places.dataDir, ...places.hidden],
          writable: input.writable,
          shownAs,
          readable: [...places.readable, ...(input.readable ?? []), ...certificatesIn(env)],
          tools: places.tools,
          more: egress === null ? [] : egressMounts(egress),
        }),
        { empty, realOf: findRealPath },
      );
      const start = path.join(below, `start-${path.basename(mark)}`);
      const argv = egress === null ? input.argv : throughEgress(egress, input.argv);
      const inside = [
        ...places.tools,
        ...(node === null ? [] : [path.dirname(realpathSync(process.execPath))]),
      ];
      const open = (): void => {
        mkdirSync(start, { recursive: true, mode: 0o700 });
        const script = startScript({ argv, env, tools: inside, image: image.name });
        writeFileSync(path.join(start, 'run'), script, { mode: 0o600 });
      };
      const close = (): void => rmSync(start, { recursive: true, force: true });
      const run = boxArguments({
        engine,
        name,
        labels: labelsOf(mark),
        image: image.id,
        volumes: image.volumes,
        places: [...mounts, ...(node ?? []), { from: start, at: START, writable: false }],
        cwd: inBox(realpathSync(input.cwd), shownAs),
        network: services?.network ?? (input.network === 'shared' ? 'host' : 'none'),
        limits,
        scratchMb: limits.memoryMb / 4,
        profile,
        start: `${START}/run`,
      });
      return {
        argv: launchArgv(engine, name, run),
        inherit: [],
        cwd: places.dataDir,
        env: { ...engine.env },
        pipes: true,
        caps: capsOf(name, input.writable, { mark, open, close }),
      };
    };

  const createPlainBox = (image: RunnableImage): PreparedBox => ({
    wrap: wrapIn(image, null),
    used: { image: { name: image.name, digest: image.digest }, services: [] },
    logs: () => Promise.resolve(''),
    close: () => Promise.resolve(),
  });

  const prepare: PrepareBox = async ({ runId, kind, wish, closed, signal }) => {
    const { agentImage, ...all } = settings;
    const own = kind === 'agent' ? agentImage : undefined;
    const chosen = own === undefined ? chooseImage(all, wish) : { name: own };
    if ('says' in chosen) return chosen;
    const image = await images.fetch(chosen.name, signal);
    if ('says' in image) return image;
    const wished = closed ? (wish?.services ?? []) : [];
    if (wished.length === 0) return createPlainBox(image);
    const services: ServiceImage[] = [];
    for (const service of wished) {
      if (!isAllowedImage(service.image, settings.allowed))
        return {
          says: `The service ${service.name} needs the image ${service.image}. To allow it, add it to containers.allowed in agentpr.config.json.`,
        };
      const found = await images.fetch(service.image, signal);
      if ('says' in found) return found;
      services.push({ service, image: found });
    }
    const mark = markPrefix(places.dataDir, runId) + randomBytes(6).toString('hex');
    const about = { engine, limits, labels: labelsOf(mark), profile };
    const started = await startServices(about, groupName(mark), image, services, signal);
    if ('says' in started) return started;
    return {
      ...createPlainBox(image),
      wrap: wrapIn(image, started),
      used: { image: { name: image.name, digest: image.digest }, services: [...started.used] },
      logs: () => started.logs(),
      close: () => started.close(),
    };
  };
  return { prepare, wrapIn: (image: RunnableImage) => wrapIn(image, null), images };
};

/** The engine's words that its container, not the command, could not be started. */
export const containerFailure = (exitCode: number | null, stderr: string): string | null => {
  const said = stderr.slice(0, 2000);
  const ours = /^containment: .*/m.exec(said)?.[0];
  if (ours !== undefined) return ours;
  if (exitCode === 125) return /^(?:docker|Error|setpriv): .*/m.exec(said)?.[0] ?? null;
  const ofRuntime = /^(?:docker: Error response from daemon: .*|Error: (?:OCI|runc|crun).*)/m;
  return exitCode === 126 || exitCode === 127 ? (ofRuntime.exec(said)?.[0] ?? null) : null;
};

export const writeProfile = (below: string, profile: string): string => {
  mkdirSync(below, { recursive: true, mode: 0o700 });
  const file = path.join(below, 'calls.json');
  if (!existsSync(file) || readFileSync(file, 'utf8') !== profile) writeFileSync(file, profile);
  return file;
};
