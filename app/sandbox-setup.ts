/** Creates the sandboxes for repositories' commands with this machine's toolchains. */
import { type BoxFault, type CommandSandbox, createSandbox, findToolchains } from '#sandbox';
import type { LanguageTexts } from '#language';
import { createGateway, type ModelGateway } from '#gateway';
import { ConfigError, StartFailure } from './config-error.ts';
import type { WorkConfig } from './config.ts';

export type SandboxSetup = {
  sandbox: CommandSandbox;
  tools: readonly string[];
  pass: Readonly<Record<string, string>>;
};

export const createBoxGateway = (
  { file, proxies }: Pick<WorkConfig, 'file' | 'proxies'>,
  { pass }: Pick<SandboxSetup, 'pass'>,
  hooks: Pick<Parameters<typeof createGateway>[0], 'hide' | 'onTrouble' | 'onEcho' | 'budget'> = {},
): ModelGateway => {
  const { hosts, privateHosts, registries } = file.network;
  return createGateway({ ...hooks, proxies, listed: { hosts, privateHosts, registries, pass } });
};

/** The cause, its remedy, and the way without it. */
export const explainBoxFault = (words: LanguageTexts, fault: BoxFault): string => {
  const { says, fix } = words.hostFinding(fault);
  return words.settingsProblems.noSuchBox(says, fix);
};

export const createSandboxSetup = async ({
  file,
  operator,
  ...config
}: WorkConfig): Promise<SandboxSetup> => {
  if (file.boxes.length > 0 && config.sandbox !== 'container')
    throw new ConfigError(({ settingsProblems: p }) => p.hostsNeedContainers);
  // An image brings its own toolchains, and those of this machine do not run there.
  const toolchains =
    config.sandbox === 'container' ? { path: [], readable: [], env: {} } : findToolchains(operator);
  const contained = await createSandbox({
    setting: config.sandbox,
    dataDir: config.dataDir,
    tools: file.tools,
    readable: [...file.readable, ...toolchains.readable],
    limits: file.sandboxLimits,
    controlGroup: file.sandboxLimits.controlGroup ?? null,
    allowedCalls: file.sandboxCalls,
    containers: { ...file.containers, env: operator.env, hosts: file.boxes },
  });
  if (contained.kind === 'refused')
    throw new StartFailure((words) => explainBoxFault(words, contained.fault));
  const { sandbox } = contained;
  const { scripts, installs, checks } = file.network;
  if (sandbox.level === 'group' && [scripts, installs, checks].includes('none'))
    throw new ConfigError(({ settingsProblems: p }) => p.networkNeedsBox);
  return {
    sandbox,
    tools: [...file.tools, ...toolchains.path],
    pass: { ...toolchains.env, ...config.pass },
  };
};
