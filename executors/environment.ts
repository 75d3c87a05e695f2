/** The whole environment of a contained process: an allow-list with fixed values, never the orchestrator's own. */
import path from 'node:path';

const SYSTEM_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** Where programs are looked for: the machine's own first, and the node that runs us where there is no other. */
export const searchPath = (tools: readonly string[] = []): string =>
  [...new Set([...tools, ...SYSTEM_PATH, path.dirname(process.execPath)])].join(':');

/** Names that may pass from the operator: where the network and the certificates are, and what time it is. */
const PASSES =
  /^(TZ|LANG|LC_ALL|(HTTPS?|NO|ALL)_PROXY|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|NPM_CONFIG_REGISTRY|PIP_INDEX_URL|PIP_CERT|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|GIT_SSL_CAINFO)$/i;
const hasCredential = (value: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/[^/]*@/i.test(value);

/** What of the operator's environment a run may see; an address with a name or password in it stays behind. */
export const passable = (operator: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(operator).flatMap(([name, value]) =>
      value !== undefined && PASSES.test(name) && !hasCredential(value) ? [[name, value]] : [],
    ),
  );

/** `pass` is what `passable` gave; `own` is what one engine needs (its key), which every command it runs can see. */
export const childEnvironment = (input: {
  home: string;
  tools?: readonly string[];
  pass?: Readonly<Record<string, string>>;
  own?: Readonly<Record<string, string>>;
}): Record<string, string> => ({
  LANG: 'C.UTF-8',
  ...input.pass,
  PATH: searchPath(input.tools),
  HOME: input.home,
  TMPDIR: '/tmp',
  SHELL: '/bin/sh',
  TERM: 'dumb',
  CI: 'true',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  npm_config_update_notifier: 'false',
  ...input.own,
});
