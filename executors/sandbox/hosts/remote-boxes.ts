/** Boxes on other machines, for installations and checks. Agents stay on this one (E20). */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BoxHost, findHostEngine, type ContainerEngine } from '../containers/container-engine.ts';
import { createImageStore, type ImageSettings, type ImageStore } from '../containers/container-images.ts';
import { sweepContainers } from '../containers/container-sandbox.ts';
import type { BoxRequest, PreparedBox } from '../containers/prepared-box.ts';
import type { BoxLimits } from '../box-settings.ts';
import { createHostSlots, selectBoxHosts } from './choose-host.ts';
import { prepareRemoteBox } from './remote-box.ts';

/** Several installations share a host, and each removes only what it left there itself. */
const PLACE_LABEL = 'agentpr.place';
const readPlace = (below: string): string => {
  const file = path.join(below, 'place');
  try {
    return readFileSync(file, 'utf8');
  } catch {
    mkdirSync(below, { recursive: true, mode: 0o700 });
    const place = randomUUID();
    writeFileSync(file, place, { mode: 0o600 });
    return place;
  }
};
const placeLabelOf = (dataDir: string): string => `${PLACE_LABEL}=${readPlace(path.join(dataDir, 'box'))}`;

type Connected = { engine: ContainerEngine; images: ImageStore };

/** Removes what this installation left on a host, and counts it. */
export const sweepHost = async (
  host: string,
  { dataDir, env }: { dataDir: string; env: Readonly<Record<string, string | undefined>> },
): Promise<number> => {
  const found = await findHostEngine(host, env);
  return 'fault' in found ? 0 : sweepContainers(found.engine, dataDir, [placeLabelOf(dataDir)]);
};

export const createRemoteBoxes = (input: {
  hosts: readonly BoxHost[];
  settings: ImageSettings;
  env: Readonly<Record<string, string | undefined>>;
  limits: BoxLimits;
  dataDir: string;
  profile: string;
}) => {
  const { hosts, settings, env, limits, dataDir, profile } = input;
  const slots = createHostSlots(() => performance.now());
  const connected = new Map<string, Promise<Connected | null>>();

  const connect = async ({ host }: BoxHost): Promise<Connected | null> => {
    const found = await findHostEngine(host, env);
    if ('fault' in found) return null;
    await sweepContainers(found.engine, dataDir, [placeLabelOf(dataDir)]);
    // Whoever runs that machine removes its images.
    return { engine: found.engine, images: createImageStore(found.engine, () => {}) };
  };
  const connectOnce = (one: BoxHost): Promise<Connected | null> => {
    const before = connected.get(one.host) ?? connect(one);
    connected.set(one.host, before);
    return before;
  };
  const takesMore = async ({ host }: BoxHost): Promise<boolean> => {
    const found = await findHostEngine(host, env);
    return 'engine' in found && !found.engine.isDrained;
  };

  const prepareOn = async (
    one: BoxHost,
    request: BoxRequest,
  ): Promise<PreparedBox | { says: string } | null> => {
    const there = (await takesMore(one)) ? await connectOnce(one) : null;
    if (there === null) return null;
    const deps = { ...there, settings, limits, dataDir, profile, own: [placeLabelOf(dataDir)] };
    const box = await prepareRemoteBox(deps, request);
    // A host that went away fails every question in its own way.
    return 'says' in box && !(await takesMore(one)) ? null : box;
  };

  /** Null: the command stays on this machine. */
  return async (request: BoxRequest): Promise<PreparedBox | { says: string } | null> => {
    const fitting = selectBoxHosts(hosts, request.wish?.labels ?? []);
    if (fitting === null || 'says' in fitting) return fitting;
    for (;;) {
      const { host, slot } = await slots.take(fitting, request.signal);
      const leave = (): void => {
        connected.delete(host.host);
        slot.leaveOut();
      };
      let box: PreparedBox | { says: string } | null;
      try {
        box = await prepareOn(host, request);
      } catch (error) {
        slot.free();
        throw error;
      }
      if (box === null) {
        leave();
        slot.free();
        continue;
      }
      if ('says' in box) {
        slot.free();
        return box;
      }
      const prepared = box;
      return {
        ...prepared,
        run: async (command, process) => {
          const end = await prepared.run(command, process);
          if (end.excess?.limit === 'lost') leave();
          return end;
        },
        close: async () => {
          try {
            await prepared.close();
          } finally {
            slot.free();
          }
        },
      };
    }
  };
};
