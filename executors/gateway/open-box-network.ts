/** Opens the network of one box before its command, and closes it afterwards. */
import type { ContainmentLevel } from '#model/evidence';
import type { CommandNetwork } from '#ports/processes';
import { ensureRealDirectory, placeFile } from '../process/home-files.ts';
import type { BoxReach } from '#sandbox';
import type { ModelGateway, BoxNetworkMode, OpenedGateway, RefusedHost } from './gateway.ts';
import type { NoWay } from './tunnel.ts';

export type BoxNetwork = {
  reach: BoxReach;
  pass: Readonly<Record<string, string>>;
  refused: () => readonly RefusedHost[];
  close: () => Promise<void>;
};

const WHY: Readonly<Record<NoWay, string>> = {
  not_listed: 'it is not listed. To allow it, add it to network.hosts in agentpr.config.json',
  inward:
    'it leads into a private network. To allow it, add it to network.privateHosts in agentpr.config.json',
  unknown: 'nobody knows this name. Look at its spelling, and at the DNS of this host',
  unreachable: 'it does not answer',
  proxy:
    'the proxy of this host (HTTPS_PROXY) does not connect to it. Look at what the proxy allows, and at NO_PROXY',
  other_name:
    'the connection asked for another name than was said, or was no TLS. Use HTTPS, with names shown',
  plain: 'it was asked for without TLS. Use https:// for it',
};

export const describeRefusedHosts = (refused: readonly RefusedHost[]): string =>
  refused.map(({ host, why }) => `agentpr: no way out of the box to ${host}: ${WHY[why]}.\n`).join('');

const replaceVariables = (
  pass: Readonly<Record<string, string>>,
  ours: Readonly<Record<string, string>>,
): Record<string, string> => {
  const names = new Set(Object.keys(ours).map((name) => name.toUpperCase()));
  const others = Object.entries(pass).filter(([name]) => !names.has(name.toUpperCase()));
  // The box cannot reach the operator's proxy.
  const kept =
    Object.keys(ours).length === 0 ? others : others.filter(([name]) => !/^(HTTP|ALL)_PROXY$/i.test(name));
  return { ...Object.fromEntries(kept), ...ours };
};

/** HOME may contain links of an agent, which are not followed. */
const placeFiles = (home: string, files: OpenedGateway['files']): void => {
  for (const { folder, name, content } of files) {
    const at = folder.split('/').reduce((outer, part) => ensureRealDirectory(outer, part), home);
    placeFile(at, name, content);
  }
};

export const toCommandNetwork = (
  gateway: Pick<ModelGateway, 'reachable'> | undefined,
  network: BoxNetworkMode,
  level: ContainmentLevel,
): CommandNetwork => {
  if (network === 'none') return { kind: 'none' };
  if (network === 'shared' || level === 'group' || gateway === undefined) return { kind: 'open' };
  const { registries, hosts } = gateway.reachable();
  return registries.length + hosts.length === 0
    ? { kind: 'none' }
    : { kind: 'listed', registries: [...registries], hosts: [...hosts] };
};

export const openBoxNetwork = async (
  gateway: ModelGateway | undefined,
  network: BoxNetworkMode,
  box: { runId: string; level: ContainmentLevel; home: string; pass: Readonly<Record<string, string>> },
): Promise<BoxNetwork> => {
  const createPlainNetwork = (reach: BoxReach): BoxNetwork => ({
    reach,
    pass: box.pass,
    refused: () => [],
    close: () => Promise.resolve(),
  });
  if (network === 'none') return createPlainNetwork('none');
  // guard: E16-listed-box
  if (network === 'shared' || box.level === 'group' || gateway === undefined)
    return createPlainNetwork('shared');
  return toBoxNetwork(await gateway.open({ runId: box.runId, network, models: null }), box);
};

export const toBoxNetwork = (
  opened: OpenedGateway,
  box: { home: string; pass: Readonly<Record<string, string>> },
): BoxNetwork => {
  placeFiles(box.home, opened.files);
  const { reach, refused, close } = opened;
  return { reach, pass: replaceVariables(box.pass, opened.env), refused, close };
};
