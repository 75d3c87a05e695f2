/** Builds a contained process's environment from an allow-list, never from our own. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { hasCredential } from './credential-variables.ts';

const SYSTEM_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

export const toPathVariable = (tools: readonly string[] = []): string =>
  [...new Set([...tools, ...SYSTEM_PATH, path.dirname(process.execPath)])].join(':');

const PASSES = new RegExp(
  `^(${[
    ...['TZ', '(HTTPS?|NO|ALL)_PROXY'],
    ...[
      'SSL_CERT_(FILE|DIR)',
      'NODE_EXTRA_CA_CERTS',
      'REQUESTS_CA_BUNDLE',
      'CURL_CA_BUNDLE',
      'GIT_SSL_CAINFO',
    ],
    ...['NPM_CONFIG_REGISTRY', 'YARN_NPM_REGISTRY_SERVER', 'COREPACK_(NPM_REGISTRY|INTEGRITY_KEYS)'],
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
export const listCertificatePaths = (env: Readonly<Record<string, string>>): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    CERTIFICATES.test(name)
      ? value.split(':').filter((place) => path.isAbsolute(place) && existsSync(place))
      : [],
  );

/** Drops variables with credentials. */
export const passableEnvironment = (
  operator: Readonly<Record<string, string | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(operator).flatMap(([name, value]) =>
      value !== undefined && PASSES.test(name) && !hasCredential(value) ? [[name, value]] : [],
    ),
  );

/** A `~` at the start of a value or after its `=` is the run's HOME. */
const atHome = (env: Readonly<Record<string, string>>, home: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value.replace(/(^|=)~(?=\/|$)/, `$1${home}`)]),
  );

/** Every command of the box can see `own`, an engine's key. */
export const childEnvironment = (input: {
  home: string;
  tools?: readonly string[];
  pass?: Readonly<Record<string, string>>;
  own?: Readonly<Record<string, string>>;
}): Record<string, string> => ({
  // guard: E19-language-of-ci
  LANG: 'C.UTF-8',
  ...atHome(input.pass ?? {}, input.home),
  PATH: toPathVariable(input.tools),
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
