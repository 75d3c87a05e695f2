/** Reads what `agentpr verify` judges: a pull request or an envelope, and the operator's keys (G9). */
import { parseRepoLink } from '#orders';
import { MB, SECOND } from '#model/values';
import type { Receipt } from '#pull-text';
import { isEnvelope, PublishedKeys, readReceiptEnvelope, type ShownPull } from '#receipts';
import { readRawEnvironment } from './load-config.ts';
import { readTextInput } from './read-input.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';
import { parsePull } from './pull-page.ts';

const FETCH_LIMIT_MS = 15 * SECOND;
const KEYS_PATH = '/.well-known/agentpr.json';

const jsonIn = (text: string, from: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandExit(EXIT_CODES.usage, { kind: 'no_json', from });
  }
};

/** `GITHUB_TOKEN` belongs to the API that the operator names, or to GitHub's; a link is anybody's. */
const tokenFor = (url: string, api: string | undefined): string | undefined => {
  const { GITHUB_TOKEN, GITHUB_API_URL } = readRawEnvironment();
  const own = URL.parse(api ?? GITHUB_API_URL ?? 'https://api.github.com')?.origin;
  return url.includes('/repos/') && new URL(url).origin === own ? GITHUB_TOKEN : undefined;
};

const fetchText = async (url: string, api?: string): Promise<string> => {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
    throw new CommandExit(EXIT_CODES.usage, { kind: 'not_https', url });
  const token = tokenFor(url, api);
  const isApi = url.includes('/repos/');
  let response: Response;
  try {
    response = await fetch(url, {
      headers: {
        accept: 'application/json, text/plain',
        'user-agent': 'agentpr-verify',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      redirect: isApi ? 'follow' : 'error',
      signal: AbortSignal.timeout(FETCH_LIMIT_MS),
    });
  } catch (error) {
    const { cause, message } = error as Error;
    const says = cause instanceof Error ? cause.message : message;
    throw new CommandExit(EXIT_CODES.failed, { kind: 'url_unread', url, says });
  }
  if (!response.ok)
    throw new CommandExit(response.status === 404 ? EXIT_CODES.notFound : EXIT_CODES.failed, {
      kind: 'url_answered',
      url,
      status: response.status,
      wantsToken: isApi && !token,
    });
  const text = await response.text();
  if (text.length > MB) throw new CommandExit(EXIT_CODES.failed, { kind: 'too_long', url });
  return text;
};

const fetchJson = async (url: string, api?: string): Promise<unknown> =>
  jsonIn(await fetchText(url, api), url);

/** GitHub, "Getting started with the REST API": api.<host> in the cloud, <host>/api/v3 elsewhere. */
const apiOf = (host: string): string =>
  /^(?:github\.com|[a-z0-9-]+\.ghe\.com)$/.test(host) ? `https://api.${host}` : `https://${host}/api/v3`;

const requirePullPage = (page: unknown, from: string): ShownPull => {
  const pull = parsePull(page);
  if (!pull) throw new CommandExit(EXIT_CODES.usage, { kind: 'no_pull', from });
  return pull;
};

/** A pull request, or a receipt alone, as its envelope has it. */
export type Shown =
  | { pull: ShownPull }
  | { pull: null; receipt: Receipt | null; inclusionProof: string | null };

const readFile = (name: string): Shown => {
  const json = jsonIn(readTextInput(name), name);
  if (!isEnvelope(json)) return { pull: requirePullPage(json, name) };
  return { pull: null, receipt: null, inclusionProof: null, ...readReceiptEnvelope(json) };
};

/** `named`: a link of a pull request, or a file with one or with an envelope. */
export const readPullOrEnvelope = async (named: string, api: string | undefined): Promise<Shown> => {
  const link = /^https?:\/\/|^[\w.-]+\.[a-z]+\//i.test(named) ? parseRepoLink(named) : null;
  if (!link) return readFile(named);
  if (link.pull === null) throw new CommandExit(EXIT_CODES.usage, { kind: 'no_pull_link', link: named });
  const local = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::|\/)/i.test(named);
  const url = `${api ?? (local ? `http://${link.host}/api/v3` : apiOf(link.host))}/repos/${link.repo}/pulls/${link.pull}`;
  return { pull: requirePullPage(await fetchJson(url, api), url) };
};

export const isHttpUrl = (from: string): boolean => /^https?:\/\//i.test(from);
/** An address of the operator without a path means what stands at this path there. */
const addressOf = (from: string, path: string): string =>
  new URL(from).pathname === '/' ? new URL(path, from).href : from;

/** A text of the operator's: at an address of theirs, or in a file. */
export const readPublishedText = (from: string, path: string): Promise<string> | string =>
  isHttpUrl(from) ? fetchText(addressOf(from, path)) : readTextInput(from);

export const readPublishedKeys = async (from: string): Promise<PublishedKeys> => {
  const bare = isHttpUrl(from) ? addressOf(from, KEYS_PATH) : from;
  const read = PublishedKeys.safeParse(jsonIn(await readPublishedText(from, KEYS_PATH), bare));
  if (read.success) return read.data;
  throw new CommandExit(EXIT_CODES.usage, { kind: 'no_published_keys', from: bare });
};
