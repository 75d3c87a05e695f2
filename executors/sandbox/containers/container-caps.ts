/** Watches the limits of a container, and removes it with everything in it (E2). */
import type { CapExcess } from '#ports/processes';
import type { ProcessCaps } from '../../process/spawn.ts';
import { killTree, startTime } from '../../process/process-tree.ts';
import { createLimitWatch, type BoxLimits, type MeasureDirectories } from '../resource-caps.ts';
import { askEngine, type ContainerEngine } from './container-engine.ts';

const CONTAINER_LOOK_MS = 1000;

/** Returns false where the engine could not do it. */
export const removeContainers = async (engine: ContainerEngine, names: readonly string[]): Promise<boolean> =>
  names.length === 0 || (await askEngine(engine, ['rm', '--force', '--volumes', ...names])).exitCode === 0;

export const createContainerCaps = (deps: {
  engine: ContainerEngine;
  limits: BoxLimits;
  measure: MeasureDirectories;
}) => {
  const { engine, limits, measure } = deps;
  const watchOf = createLimitWatch({ limits, measure, counted: ['memory'] });
  return (
    name: string,
    writable: readonly string[],
    { mark, ...hooks }: { mark: string; open: () => void; close: () => void },
  ): ProcessCaps => {
    const watch = watchOf(writable);
    let root: number | null = null;
    const stateOf = async (format: string): Promise<string> =>
      (await askEngine(engine, ['inspect', '--format', format, name])).stdout.trim();
    /** Processes of a container are no children of its command line. */
    const rootOf = async (): Promise<number | null> => {
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
        const start = root === null ? null : startTime(root);
        const tree = { root, start: Number(start ?? 0), mark: null };
        return watch.look(start === null ? null : tree);
      },
      close: async (end): Promise<CapExcess | null> => {
        const isOutOfMemory = (await stateOf('{{.State.OOMKilled}}')) === 'true';
        // A daemon that died leaves the processes of its containers alive.
        if (!(await removeContainers(engine, [name]))) await killTree({ root: null, start: 0, mark });
        hooks.close();
        return watch.end(end, { oomKills: isOutOfMemory ? 1 : 0, refusedForks: 0 });
      },
    };
  };
};
