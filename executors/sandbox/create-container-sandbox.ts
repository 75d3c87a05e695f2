/** Makes the sandbox of the level `container`, and tries it from inside where an image is there (E20). */
import { mkdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { childEnvironment, makeTemporaryDirectory, spawnProcess } from '#process';
import type { BoxFault } from './box-faults.ts';
import type { CallGroup, BoxLimits, ContainerEngineName } from './box-settings.ts';
import type { ProcessEnd } from '#ports/processes';
import { findLimitWeaknesses } from './resource-limits.ts';
import type { BoxPlaces, ContainedCommand, WrapInput } from './wrap-command.ts';
import { renderSeccompProfile } from './containers/seccomp-profile.ts';
import { type BoxHost, findContainerEngine, type ContainerEngine } from './containers/container-engine.ts';
import { inspectImage, type ImageSettings, type RunnableImage } from './containers/container-images.ts';
import { findContainerFailure } from './containers/container-limits.ts';
import {
  createContainerBoxes,
  sweepContainers,
  writeSeccompProfile,
} from './containers/container-sandbox.ts';
import { prepareNodeMounts } from './containers/image-node.ts';
import type { PrepareBox } from './containers/prepared-box.ts';
import { createRemoteBoxes } from './hosts/remote-boxes.ts';

export type ContainerSetup = ImageSettings & {
  engine?: ContainerEngineName | undefined;
  /** Of the operator, for the engine's command line. */
  env: Readonly<Record<string, string | undefined>>;
  /** Other machines for installations and checks. */
  hosts?: readonly BoxHost[];
};
export const NO_CONTAINER_SETUP: ContainerSetup = { allowed: [], env: {} };

/** Prints every broken guarantee of the box. */
const CANARY = String.raw`
grep -q '^Seccomp:[^0-9]*2$' /proc/self/status || echo "its system calls are not filtered"
grep -q '^CapEff:[^0-9]*0*$' /proc/self/status || echo "it has capabilities"
grep -q '^NoNewPrivs:[^0-9]*1$' /proc/self/status || echo "it may gain rights"
[ "$(readlink /proc/self/ns/pid)" != "$2" ] || echo "it shares the process ids of the host"
echo x >written || echo "it cannot write to the workspace"
[ ! -e "$1" ] || echo "it sees what is to be hidden"
( : >/etc/.agentpr ) 2>/dev/null && echo "it can write to /etc"
( : >>/proc/sys/kernel/core_pattern ) 2>/dev/null && echo "it can change the kernel's settings"
[ "$(tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' \n')" = lo ] || echo "it has a network"
echo alive`;

type Parts = {
  engine: ContainerEngine;
  settings: ImageSettings;
  places: BoxPlaces;
  limits: BoxLimits;
  profile: string;
};

/** Returns null if containers of this image keep what a box promises, else the reason. */
const tryImage = async (parts: Parts, image: RunnableImage): Promise<string | null> => {
  const root = makeTemporaryDirectory('agentpr-probe-');
  try {
    const workspace = path.join(root, 'workspace');
    mkdirSync(workspace);
    mkdirSync(path.join(root, 'data'));
    writeFileSync(path.join(root, 'token'), 'hidden');
    const places = { dataDir: path.join(root, 'data'), hidden: [], readable: [], tools: [] };
    const { wrapIn } = createContainerBoxes({ ...parts, places, node: null });
    const wrapped = wrapIn(image)({
      runId: 'probe',
      argv: ['sh', '-c', CANARY, 'sh', path.join(root, 'token'), readlinkSync('/proc/self/ns/pid')],
      cwd: workspace,
      writable: [workspace],
      network: 'none',
      env: childEnvironment({ home: workspace }),
    });
    const end = await spawnProcess({ ...wrapped, timeoutMs: 60_000, maxOutputBytes: 16_384 });
    const said = end.stdout.split('\n').filter((line) => line !== '' && line !== 'alive');
    if (said.length > 0) return `${said.join(', ')}.`;
    if (end.exitCode === 0 && end.stdout.endsWith('alive\n')) return null;
    return end.stderr.trim().split('\n').slice(0, 2).join(' ').slice(0, 300) || `it ended as ${end.ended}.`;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

type ContainerSandbox = {
  level: 'container';
  weaknesses: readonly string[];
  wrap(input: WrapInput): ContainedCommand;
  prepare: PrepareBox;
  refusal(end: Pick<ProcessEnd, 'exitCode' | 'stdout' | 'stderr'>): string | null;
};
type ContainersOutcome =
  | { kind: 'ready'; sandbox: ContainerSandbox; engine: ContainerEngine }
  | { kind: 'refused'; fault: BoxFault };

const NO_IMAGE = 'No image is there to try a container with, so what it promises was not seen from inside.';
const NO_NODE =
  'The Node of AgentPR cannot be shown in a container here, so that boxes reach no model and no registry.';

export const createContainerSandbox = async (input: {
  settings: ContainerSetup;
  places: BoxPlaces;
  limits: BoxLimits;
  allowedCalls: readonly CallGroup[];
}): Promise<ContainersOutcome> => {
  const { settings, places, limits, allowedCalls } = input;
  const found = await findContainerEngine(settings.engine, settings.env);
  if ('fault' in found) return { kind: 'refused', fault: found.fault };
  const { engine } = found;
  const below = path.join(places.dataDir, 'box');
  const profile = writeSeccompProfile(below, renderSeccompProfile(allowedCalls));
  await sweepContainers(engine, places.dataDir);
  const parts = { engine, settings, places, limits, profile };
  const first = settings.image ?? settings.otherwise;
  const image = first === undefined ? null : await inspectImage(engine, first);
  const wrong = image && (await tryImage(parts, image));
  if (wrong !== null)
    return { kind: 'refused', fault: { kind: 'box_other', program: engine.name, said: wrong } };
  const node = await prepareNodeMounts(below);
  const boxes = createContainerBoxes({ ...parts, node });
  const { env, hosts = [] } = settings;
  const { dataDir } = places;
  const elsewhere = createRemoteBoxes({ hosts, settings, env, limits, dataDir, profile });
  return {
    kind: 'ready',
    engine,
    sandbox: {
      level: 'container',
      weaknesses: [
        ...(image ? [] : [NO_IMAGE]),
        ...(node ? [] : [NO_NODE]),
        ...findLimitWeaknesses(engine.controllers),
      ],
      prepare: async (request) =>
        (request.kind === 'agent' ? null : await elsewhere(request)) ?? boxes.prepare(request),
      wrap: (command) => {
        if (!image) throw new Error('No image was chosen for this command. Set containers.image.');
        return boxes.wrapIn(image)(command);
      },
      refusal: ({ exitCode, stdout, stderr }) =>
        exitCode === 0 || stdout !== '' ? null : findContainerFailure(exitCode, stderr),
    },
  };
};
