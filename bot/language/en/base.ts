/** E15: English texts about what the base commit lacks or fails. Plain text, not escaped. */
import { toolchainOf } from '../../../orchestrator/model/toolchains.ts';
import { faultOf, type BaselineStop, type ObservedToolchain } from '../../../orchestrator/model/baseline.ts';
import { countWords } from '../../../orchestrator/model/text-format.ts';
import type { StopFault, CommandFailure } from '../../../orchestrator/model/command-failure.ts';

const way = (get: string): string => (get.startsWith('https:') ? get : `\`${get}\``);
/** The required version is part of the first error or given beside it. */
const versioned = (get: string): string => (get.startsWith('npm install -g ') ? `${get}@<version>` : get);
const waysTo = (program: string | null): readonly string[] =>
  (program === null ? null : toolchainOf(program))?.get ?? [];
const got = (program: string | null): string => {
  const get = waysTo(program);
  return get.length === 0 ? 'Install it on the host.' : `To get it: ${get.map(way).join(' or ')}.`;
};
/** apt has only one version of a package, so it offers no other. */
const another = (program: string | null): string => {
  const get = waysTo(program).filter((one) => !one.startsWith('apt-get '));
  return get.length === 0
    ? 'Install that one on the host.'
    : `To get it: ${get.map(versioned).map(way).join(' or ')}.`;
};

const registry = ({ host = 'the package registry', status }: CommandFailure): string =>
  status === undefined ? host : `${host} (HTTP ${status})`;

const troubles: Record<CommandFailure['kind'], (command: string, of: CommandFailure) => string> = {
  no_program: (command, { program }) =>
    `\`${command}\` needs ${program}, which is not installed on this machine. ${got(program)}`,
  no_network: (command, { host }) =>
    host !== undefined
      ? `\`${command}\` cannot reach ${host}. Check the network, the DNS and the proxy of this machine, and whether network.hosts lists it, then retry.`
      : `\`${command}\` cannot reach a host that it needs: its package registry, or one that it asks itself. Check the network, the proxy and the registry settings of this machine.`,
  registry_refused: (command, of) =>
    `\`${command}\` is refused by ${registry(of)}. Check the credential and the address that this machine has for it (its variables, or the registry settings of the repository), then retry.`,
  registry_down: (command, of) =>
    `\`${command}\` failed because ${registry(of)} does not work now. Nothing is wrong with the repository: wait a little, then retry.`,
  bad_certificate: (command, { host }) =>
    `\`${command}\` does not trust the certificate of ${host ?? 'the registry'}. Name the authority that signed it (NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, PIP_CERT and their like) on this machine, then retry.`,
  proxy_refuses: (command, { host }) =>
    `\`${command}\` is refused by the proxy on the way to ${host ?? 'the registry'}. Check the user and the password in HTTPS_PROXY, what the proxy allows, and NO_PROXY, then retry.`,
  wrong_version: (command, { program }) =>
    `\`${command}\` needs a different version of ${program ?? 'a program'} from the one on this machine. ${another(program)}`,
  no_box: (command) => `The sandbox for \`${command}\` did not start. \`agentpr doctor\` says why.`,
  no_room: (command) =>
    `\`${command}\` ran out of memory, disk or processes. Free some, or raise sandboxLimits.`,
  stale_lockfile: (command) =>
    `\`${command}\` fails on the base branch: its lockfile does not match its manifest. Only the project can fix that.`,
  no_package: (command, { host }) =>
    `\`${command}\` fails on the base branch: ${host ?? 'the registry'} does not have a package that it asks for.`,
  not_installed: (command) => `\`${command}\` was not run, because the installation before it failed.`,
  fails: (command) => `\`${command}\` fails on the base branch, before any change.`,
};

const faults: Record<StopFault, string> = {
  environment: 'This machine is not ready for the repository',
  install: 'The base branch does not install',
};

export const enStopped = ({ stop, more }: { stop: BaselineStop; more: number }): string => {
  const { commandFailure: trouble, command } = stop;
  const says = trouble.says === '' ? '' : ` First error: ${trouble.says}`;
  const others = more === 0 ? '' : ` The same stops ${countWords(more, 'other command')}.`;
  return `${faults[faultOf(stop)]}. ${troubles[trouble.kind](command, trouble)}${says}${others}`;
};

export const enToolMismatch = ({ name, asked, source, version }: ObservedToolchain): string =>
  `${name} is ${version ?? 'unknown'} here; the repository asks for ${asked ?? 'another'}${source ? ` (${source})` : ''}`;
