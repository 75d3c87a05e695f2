/** Runs the commands of one box on another machine, over its Docker's own protocol (E20). */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { UsedBox } from '#model/environment';
import { spawnProcess, type SpawnResult } from '#process';
import { RUN_MARK_VARIABLE } from '../../process/process-tree.ts';
import {
  createContainerLimiter,
  explainLoss,
  HOLDS_NETWORK,
  isEndKnown,
  toLostResult,
} from '../containers/container-limits.ts';
import { boxArguments, createLaunchCommand, renderStartScript } from '../containers/container-command.ts';
import { fetchBoxImages } from '../containers/fetch-box-images.ts';
import type { ContainerEngine } from '../containers/container-engine.ts';
import type { ImageSettings, ImageStore, RunnableImage } from '../containers/container-images.ts';
import { containerLabelsOf, newContainerMark, START } from '../containers/container-sandbox.ts';
import { networkModeOf, startServices } from '../containers/container-services.ts';
import type { BoxedProcess, BoxRequest, PreparedBox } from '../containers/prepared-box.ts';
import type { BoxLimits } from '../box-settings.ts';
import { controlGroupName, toBoxPath, type WrapInput } from '../wrap-command.ts';
import { FOLDERS, startHoldingContainer, type Holder } from './holding-container.ts';
import { downloadFolders, makeStaging, uploadFolders, type FoldersOnHost } from './transfer-folders.ts';

type HostBoxDeps = {
  engine: ContainerEngine;
  images: ImageStore;
  settings: ImageSettings;
  limits: BoxLimits;
  dataDir: string;
  profile: string;
  /** Labels of containers on that machine. */
  own: readonly string[];
};

/** Each folder by its name below the volume. */
const foldersOf = ({ writable, shownAs = {} }: WrapInput): FoldersOnHost =>
  Object.fromEntries(
    writable.map((at) => {
      const name = path.relative(FOLDERS, shownAs[at] ?? at);
      if (name === '' || name.includes('/') || name.startsWith('.'))
        throw new Error(`${at} has no place in a box on another machine.`);
      return [name, realpathSync(at)];
    }),
  );

const createRun =
  (deps: HostBoxDeps, image: RunnableImage, holder: Holder, labels: readonly string[]) =>
  async (input: WrapInput, request: BoxedProcess): Promise<SpawnResult> => {
    const { engine, limits, dataDir, profile } = deps;
    const mark = newContainerMark(dataDir, input.runId);
    const name = controlGroupName(mark);
    const folders = foldersOf(input);
    const { staging, remove } = makeStaging(path.join(dataDir, 'box'), `host-${path.basename(mark)}`);
    const signal = request.signal ?? new AbortController().signal;
    const transfer = { engine, holder: holder.name, staging, signal };
    try {
      const start = path.basename(START);
      mkdirSync(path.join(staging, start));
      const env = { ...input.env, [RUN_MARK_VARIABLE]: mark };
      const script = renderStartScript({ argv: input.argv, env, tools: [], image: image.name });
      writeFileSync(path.join(staging, start, 'run'), script);
      const failed = await uploadFolders(transfer, folders, start);
      if (failed) return failed;
      const capsOf = createContainerLimiter({ engine, limits, measure: () => holder.measure() });
      const caps = capsOf(name, input.writable, { mark, open: () => {}, close: () => {} });
      const run = boxArguments({
        engine,
        name,
        labels,
        image: image.id,
        volumes: image.volumes,
        places: [],
        foldersOf: holder.name,
        cwd: toBoxPath(realpathSync(input.cwd), input.shownAs ?? {}),
        network: networkModeOf(holder.name),
        limits,
        scratchMb: limits.memoryMb / 4,
        profile,
        start: `${START}/run`,
      });
      const end = await spawnProcess({
        ...request,
        ...createLaunchCommand(engine, name, run),
        cwd: dataDir,
        env: { ...engine.env },
        pipes: true,
        caps,
      });
      if (!isEndKnown(end, caps.state())) return toLostResult(end, explainLoss(engine, end));
      if (end.ended !== 'exited') return end;
      return (await downloadFolders(transfer, folders, limits)) ?? end;
    } finally {
      remove();
    }
  };

export const prepareRemoteBox = async (
  deps: HostBoxDeps,
  request: BoxRequest,
): Promise<PreparedBox | { says: string }> => {
  const { engine, images, settings, limits, dataDir, profile, own } = deps;
  if (request.network === 'shared')
    return {
      says: `A box on ${engine.host} has no network of this machine. Set network.installs and network.checks to listed or none in agentpr.config.json.`,
    };
  const parts = await fetchBoxImages(images, settings, request);
  if ('says' in parts) return parts;
  const { image, services } = parts;
  const mark = newContainerMark(dataDir, request.runId);
  const labels = [...containerLabelsOf(mark), ...own];
  const about = { engine, limits, labels, profile };
  const name = controlGroupName(mark);
  const { network, signal } = request;
  const holder = await startHoldingContainer(about, `${name}${HOLDS_NETWORK}`, { image, network, signal });
  if ('says' in holder) return holder;
  const holding = holder.name;
  const started = await startServices(about, { name, holding }, services, signal);
  if ('says' in started) {
    await holder.close();
    return started;
  }
  const used: UsedBox = {
    image: { name: image.name, digest: image.digest },
    services: [...started.used],
    ...(engine.host === null ? {} : { host: engine.host }),
  };
  return {
    run: createRun(deps, image, holder, labels),
    used,
    logs: () => started.logs(),
    close: async () => {
      await started.close();
      await holder.close();
    },
  };
};
