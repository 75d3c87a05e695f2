/**
 * The whole environment of a contained process: an allow-list with fixed values, never the
 * orchestrator's own.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { hasCredential } from './credential-variables.ts';

const SYSTEM_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/**
 * Where programs are looked for: the machine's own first, and the node that runs us where there is
 * no other.
 */
export const searchPath = (tools: readonly string[] = []): string =>
  [...new Set([...tools, ...SYSTEM_PATH, path.dirname(process.execPath)])].join(':');

/**
 * Names that may pass from the operator: where network, certificates, registries and shared
 * packages are, and what time it is.
 */
const PASSES = new RegExp(
  `^(${[
    ...['TZ', 'LANG', 'LC_ALL', '(HTTPS?|NO|ALL)_PROXY'],
    ...[
      'SSL_CERT_(FILE|DIR)',
      'NODE_EXTRA_CA_CERTS',
      'REQUESTS_CA_BUNDLE',
      'CURL_CA_BUNDLE',
      'GIT_SSL_CAINFO',
    ],
    ...['NPM_CONFIG_REGISTRY', 'YARN_NPM_REGISTRY_SERVER', 'COREPACK_NPM_REGISTRY'],
    // Whether pnpm and Corepack fetch the version that a project pins.
    ...['P?NPM_CONFIG_(MANAGE_PACKAGE_MANAGER_VERSIONS|PM_ON_FAIL)', 'COREPACK_ENABLE_STRICT'],
    ...[
      'PIP_((EXTRA_)?INDEX_URL|CERT|FIND_LINKS|NO_INDEX)',
      'UV_(DEFAULT_INDEX|INDEX_URL|FIND_LINKS|OFFLINE)',
    ],
    ...['GO(PROXY|NOPROXY|SUMDB|NOSUMDB|PRIVATE|FLAGS)', 'CARGO_NET_OFFLINE', 'BUNDLE_MIRROR__ALL'],
  ].join('|')})$`,
  'i',
);

const CERTIFICATES =
  /^(SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|GIT_SSL_CAINFO|PIP_CERT)$/i;
/**
 * Files and directories of certificates that an environment names: who passes the name wants them
 * read.
 */
export const certificatesIn = (env: Readonly<Record<string, string>>): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    CERTIFICATES.test(name)
      ? value.split(':').filter((place) => path.isAbsolute(place) && existsSync(place))
      : [],
  );

/**
 * What of the operator's environment a run may see; what has a name, password or token in it stays
 * behind.
 */
export const passableEnvironment = (
  operator: Readonly<Record<string, string | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(operator).flatMap(([name, value]) =>
      value !== undefined && PASSES.test(name) && !hasCredential(value) ? [[name, value]] : [],
    ),
  );

/** Where `~` begins a value, or follows its `=`, it is the run's HOME. */
const atHome = (env: Readonly<Record<string, string>>, home: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value.replace(/(^|=)~(?=\/|$)/, `$1${home}`)]),
  );

/**
 * `pass` is what `passable` gave, and what toolchains want to be told; `own` is what one engine
 * needs (its key), which every command it runs can see.
 */
export const childEnvironment = (input: {
  home: string;
  tools?: readonly string[];
  pass?: Readonly<Record<string, string>>;
  own?: Readonly<Record<string, string>>;
}): Record<string, string> => ({
  LANG: 'C.UTF-8',
  ...atHome(input.pass ?? {}, input.home),
  PATH: searchPath(input.tools),
  HOME: input.home,
  TMPDIR: '/tmp',
  SHELL: '/bin/sh',
  TERM: 'dumb',
  CI: 'true',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  npm_config_update_notifier: 'false',
  ...input.own,
});
