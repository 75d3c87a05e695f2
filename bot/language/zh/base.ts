/** E15: Chinese texts about what the base commit lacks or fails. Plain text, not escaped. */
import { toolchainOf } from '../../../orchestrator/model/toolchains.ts';
import { faultOf, type BaselineStop, type ObservedToolchain } from '../../../orchestrator/model/baseline.ts';
import type { StopFault, CommandFailure } from '../../../orchestrator/model/command-failure.ts';

const way = (get: string): string => (get.startsWith('https:') ? get : `\`${get}\``);
const versioned = (get: string): string => (get.startsWith('npm install -g ') ? `${get}@<版本>` : get);
const waysTo = (program: string | null): readonly string[] =>
  (program === null ? null : toolchainOf(program))?.get ?? [];
const got = (program: string | null): string => {
  const get = waysTo(program);
  return get.length === 0 ? '请在主机上安装它。' : `获取方法：${get.map(way).join(' 或 ')}。`;
};
const another = (program: string | null): string => {
  const get = waysTo(program).filter((one) => !one.startsWith('apt-get '));
  return get.length === 0
    ? '请在主机上安装所需的版本。'
    : `获取方法：${get.map(versioned).map(way).join(' 或 ')}。`;
};

const registry = ({ host = '软件源', status }: CommandFailure): string =>
  status === undefined ? host : `${host}（HTTP ${status}）`;

const troubles: Record<CommandFailure['kind'], (command: string, of: CommandFailure) => string> = {
  no_program: (command, { program }) => `这台机器没有 ${program}，而 \`${command}\` 需要它。${got(program)}`,
  no_network: (command, { host }) =>
    host !== undefined
      ? `\`${command}\` 连不上 ${host}。请检查这台机器的网络、DNS 和代理，以及 network.hosts 是否列出了它，然后重试。`
      : `\`${command}\` 连不上它需要的主机（软件源，或它自己访问的地址）。请检查这台机器的网络、代理和软件源设置。`,
  registry_refused: (command, of) =>
    `\`${command}\` 被 ${registry(of)} 拒绝。请检查这台机器为它配置的凭据和地址（环境变量，或仓库里的软件源设置），然后重试。`,
  registry_down: (command, of) =>
    `\`${command}\` 失败，因为 ${registry(of)} 现在无法使用。仓库本身没有问题：请稍等，然后重试。`,
  bad_certificate: (command, { host }) =>
    `\`${command}\` 不信任 ${host ?? '软件源'} 的证书。请在这台机器上指明签发它的机构（NODE_EXTRA_CA_CERTS、SSL_CERT_FILE、PIP_CERT 等），然后重试。`,
  proxy_refuses: (command, { host }) =>
    `\`${command}\` 在前往 ${host ?? '软件源'} 的路上被代理拒绝。请检查 HTTPS_PROXY 里的用户和密码、代理允许的范围以及 NO_PROXY，然后重试。`,
  wrong_version: (command, { program }) =>
    `\`${command}\` 需要的 ${program ?? '程序'} 版本与这台机器上的不同。${another(program)}`,
  no_box: (command) => `无法启动 \`${command}\` 的沙箱。\`agentpr doctor\` 会说明原因。`,
  no_room: (command) => `\`${command}\` 所需的空间不足。请腾出空间，或调高 sandboxLimits。`,
  stale_lockfile: (command) => `\`${command}\` 在基准分支上失败：锁文件与清单不一致。只有项目自己能修复。`,
  no_package: (command, { host }) =>
    `\`${command}\` 在基准分支上失败：${host ?? '软件源'} 里没有它要的某个软件包。`,
  not_installed: (command) => `\`${command}\` 缺少依赖：之前的安装失败了。`,
  fails: (command) => `\`${command}\` 在基准分支上就失败，那时还没有任何改动。`,
};

const faults: Record<StopFault, string> = {
  environment: '这台机器还不能用于这个仓库',
  install: '基准分支无法安装依赖',
};

export const zhStopped = ({ stop, more }: { stop: BaselineStop; more: number }): string => {
  const { commandFailure: trouble, command } = stop;
  const says = trouble.says === '' ? '' : `首个错误：${trouble.says}`;
  const others = more === 0 ? '' : `另有 ${more} 条命令也因此无法运行。`;
  return `${faults[faultOf(stop)]}。${troubles[trouble.kind](command, trouble)}${says}${others}`;
};

export const zhToolMismatch = ({ name, asked, source, version }: ObservedToolchain): string =>
  `这里是 ${name} ${version ?? '?'}，仓库要求 ${asked ?? '?'}${source ? `（${source}）` : ''}`;
