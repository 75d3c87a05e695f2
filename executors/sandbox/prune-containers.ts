/** Removes what containers left on this machine, for `agentpr prune` (E20). */
import { DAY } from '#model/values';
import type { BoxFault } from './box-faults.ts';
import { runContainerEngine, findContainerEngine } from './containers/container-engine.ts';
import type { ContainerEngineName } from './box-settings.ts';
import { sweepContainers } from './containers/container-sandbox.ts';
import { sweepHost } from './hosts/remote-boxes.ts';
import { readFetchedImages, writeFetchedImages } from './containers/fetched-images.ts';

type Pruned = { containers: number; images: readonly string[]; kept: readonly string[] };

/** Removes containers that nobody watches, and images that we fetched and did not use for a while. */
export const pruneContainers = async (input: {
  dataDir: string;
  engine?: ContainerEngineName | undefined;
  env: Readonly<Record<string, string | undefined>>;
  /** Other machines; those that do not answer are left out. */
  hosts: readonly string[];
  keepDays: number;
  now: number;
}): Promise<Pruned | { fault: BoxFault }> => {
  const { dataDir, env, hosts, keepDays, now } = input;
  const found = await findContainerEngine(input.engine, input.env);
  if ('fault' in found) return found;
  const { engine } = found;
  const there = await Promise.all(hosts.map((host) => sweepHost(host, { dataDir, env })));
  const containers = there.reduce((sum, one) => sum + one, await sweepContainers(engine, dataDir));
  const all = readFetchedImages(dataDir);
  const [images, kept]: [string[], string[]] = [[], []];
  for (const [id, { name, usedAt }] of Object.entries(all)) {
    if (now - usedAt < keepDays * DAY) {
      kept.push(name);
      continue;
    }
    const removed = await runContainerEngine(engine, ['rmi', id]);
    const isGone =
      removed.exitCode === 0 || (await runContainerEngine(engine, ['image', 'inspect', id])).exitCode !== 0;
    if (!isGone) kept.push(name);
    else {
      images.push(name);
      delete all[id];
    }
  }
  if (images.length > 0) writeFetchedImages(dataDir, all);
  return { containers, images, kept };
};
