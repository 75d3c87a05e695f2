/** Watches the limits of a container, and removes it with everything in it (E2). */
import type { CapExcess, ProcessEnd } from '#ports/processes';
import type { ProcessCaps, SpawnResult } from '../../process/spawn.ts';
import { killProcessTree, findProcessStartTime } from '../../process/process-tree.ts';
import { createLimitWatch, findEngineReserve, type MeasureDirectories } from '../resource-limits.ts';
import type { BoxLimits } from '../box-settings.ts';
import { listRemovalFlags } from './container-command.ts';
import { runContainerEngine, type ContainerEngine } from './container-engine.ts';

const CONTAINER_LOOK_MS = 1000;

/** Ends the name of a container that holds a network for others. */
export const HOLDS_NETWORK = '.net';

/** Returns false where the engine could not do it. */
export const removeContainers = async (
  engine: ContainerEngine,
  names: readonly string[],
): Promise<boolean> => {
  const isHolder = (name: string): boolean => name.endsWith(HOLDS_NETWORK);
  const atOnce = listRemovalFlags(engine);
  let isRemoved = true;
  // Podman keeps a container that others depend on.
  for (const some of [names.filter((name) => !isHolder(name)), names.filter(isHolder)]) {
    if (some.length === 0) continue;
    const { exitCode } = await runContainerEngine(engine, ['rm', '--force', '--volumes', ...atOnce, ...some]);
    isRemoved = isRemoved && exitCode === 0;
  }
  return isRemoved;
};

const STATE_FORMAT = '{{.State.Status}} {{.State.ExitCode}} {{.State.OOMKilled}}';
type ContainerState = { status: string; exitCode: number; isOutOfMemory: boolean };
const readState = (said: string): ContainerState | null => {
  const [status = '', code = '', outOfMemory] = said.split(' ');
  return /^\d+$/.test(code)
    ? { status, exitCode: Number(code), isOutOfMemory: outOfMemory === 'true' }
    : null;
};

/** `state` is the container's own before it was removed; null where the engine did not say it. */
type ContainerCaps = ProcessCaps & { state(): ContainerState | null };

/**
 * A command line that lost its engine ends as a failed command does. Only the engine's own word
 * that the container ended, and how, makes its end one of the command.
 */
export const isEndKnown = (
  { ended, exitCode, excess }: Pick<ProcessEnd, 'ended' | 'exitCode' | 'excess'>,
  state: ContainerState | null,
): boolean => {
  if (ended !== 'exited' && ended !== 'signalled') return true;
  // An engine without disk starts nothing, and has nothing to say of it.
  if (excess?.limit === 'reserve') return true;
  if (state === null) return false;
  // One that never began says why by the code of the command line.
  // guard: E20-end-known
  return state.status === 'exited' || state.status === 'stopped'
    ? state.exitCode === exitCode
    : state.status !== 'running';
};

/** An end of which nothing is known but that it came. */
export const toLostResult = (end: SpawnResult, says: string): SpawnResult => ({
  ...end,
  exitCode: null,
  ended: 'over_limit',
  excess: { limit: 'lost', says },
});

/** The engine's words that its container, not the command, could not be started. */
export const findContainerFailure = (exitCode: number | null, stderr: string): string | null => {
  const said = stderr.slice(0, 2000);
  const ours = /^containment: .*/m.exec(said)?.[0];
  if (ours !== undefined) return ours;
  if (exitCode === 125) return /^(?:docker|Error|setpriv): .*/m.exec(said)?.[0] ?? null;
  const ofRuntime = /^(?:docker: Error response from daemon: .*|Error: (?:OCI|runc|crun).*)/m;
  return exitCode === 126 || exitCode === 127 ? (ofRuntime.exec(said)?.[0] ?? null) : null;
};

/** Whoever reads it learns what the command line said last. */
export const explainLoss = (
  { name, host }: ContainerEngine,
  { exitCode, stderr }: Pick<ProcessEnd, 'exitCode' | 'stderr'>,
): string => {
  const last = stderr.trim().split('\n').at(-1) ?? '';
  const said = (findContainerFailure(exitCode, stderr) ?? last).slice(0, 300);
  const who = host === null ? name : `the box host ${host}`;
  return `${who} did not say how the command ended${said === '' ? '' : `: ${said}`}`;
};

const isGone = async (engine: ContainerEngine, name: string): Promise<boolean> => {
  const listed = await runContainerEngine(engine, ['ps', '--all', '--quiet', '--filter', `name=${name}`]);
  return listed.exitCode === 0 && listed.stdout.trim() === '';
};

export const createContainerLimiter = (deps: {
  engine: ContainerEngine;
  limits: BoxLimits;
  measure: MeasureDirectories;
  /** Asked when a command failed. */
  findReserve: () => Promise<CapExcess | null>;
}) => {
  const { engine, limits, measure, findReserve } = deps;
  // One process too many is refused, and not told.
  const counted = engine.controllers.filter((one) => one === 'memory');
  const watchOf = createLimitWatch({ limits, measure, counted });
  /** What an engine that was away could not remove; the next command that ends has it removed. */
  const left = new Set<string>();
  return (
    name: string,
    writable: readonly string[],
    { mark, ...hooks }: { mark: string; open: () => void; close: () => void },
  ): ContainerCaps => {
    const watch = watchOf(writable);
    let root: number | null = null;
    let lastState: ContainerState | null = null;
    const stateOf = async (format: string): Promise<string> =>
      (await runContainerEngine(engine, ['inspect', '--format', format, name])).stdout.trim();
    /** Processes of a container are no children of its command line. */
    const rootOf = async (): Promise<number | null> => {
      if (engine.host !== null) return null;
      const pid = Number(await stateOf('{{.State.Pid}}'));
      return Number.isInteger(pid) && pid > 1 ? pid : null;
    };
    return {
      everyMs: CONTAINER_LOOK_MS,
      open: () => {
        hooks.open();
        watch.begin();
      },
      measure: async () => {
        root ??= await rootOf();
        const start = root === null ? null : findProcessStartTime(root);
        const tree = { root, start: Number(start ?? 0), mark: null };
        return (await watch.look(start === null ? null : tree)) ?? (await findEngineReserve(engine.root));
      },
      close: async (end): Promise<CapExcess | null> => {
        lastState = readState(await stateOf(STATE_FORMAT));
        // A daemon that died leaves the processes of its containers alive.
        left.add(name);
        for (const one of left)
          if ((await removeContainers(engine, [one])) || (await isGone(engine, one))) left.delete(one);
        if (left.has(name)) await killProcessTree({ root: null, start: 0, mark });
        hooks.close();
        const events = { oomKills: lastState?.isOutOfMemory ? 1 : 0, refusedForks: 0 };
        const met = await watch.end(end, events);
        return met ?? (end.exitCode === 0 ? null : findReserve());
      },
      state: () => lastState,
    };
  };
};
