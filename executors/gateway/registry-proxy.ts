/** Serves package registries to a box, read-only and without credentials. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { networkFaultOf, networkWords } from '#network-faults';
import { MB, MINUTE } from '#model/values';
import { relayAnswer } from './relay-answer.ts';
import {
  isPublicAddress,
  createPinnedLookup,
  NOT_PUBLIC,
  createPublicLookup,
  type ResolveHost,
} from './listed-hosts.ts';
import type { ServedRegistries, ServedRegistry } from './package-registries.ts';
import type { HttpAgents } from '#network';
import { sendUpstreamRequest, pickHeaders } from './upstream-request.ts';

/** Larger answers are passed on without rewriting (bytes). */
const LARGEST_REWRITTEN = 64 * MB;
const MAX_PACKAGE_BYTES = 8_192 * MB;
const LONGEST_MS = 30 * MINUTE;
const MAX_REDIRECTS = 3;
const TEXT = /json|html|xml|text\/plain/i;

const sendPlainText = (response: ServerResponse, status: number, says: string): void => {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' });
  response.end(`${says}\n`);
};

const textOf = async (from: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of from as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_REWRITTEN) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const MAX_DECODINGS = 4;
const decodePath = (path: string): string | null => {
  let read = path;
  for (let left = MAX_DECODINGS; read.includes('%'); left -= 1) {
    if (left === 0) return null;
    try {
      read = decodeURIComponent(read);
    } catch {
      return null;
    }
  }
  return read;
};

/** Returns false for paths that another reader may take for a parent or another server. */
const isPlainPath = (path: string): boolean => {
  const read = decodePath(path);
  if (read === null || /[\\\0-\x1f\x7f]/.test(read)) return false;
  const [, ...names] = read.split('/');
  return names.every((name, i) => !/^\.{1,2}(;|$)/.test(name) && (name !== '' || i === names.length - 1));
};

export const createRegistryProxy = (
  { served, changes }: ServedRegistries,
  deps: { agents: HttpAgents; resolve: ResolveHost },
) => {
  const bases = [...served.values()].map(({ base }) => `${base}/`);
  const isServed = ({ href }: URL): boolean => bases.some((base) => href.startsWith(base));
  /** npm sends the full path of an address to the configured registry. */
  const pathBelow = (base: string, rest: string): string => {
    const own = new URL(base).pathname.replace(/\/$/, '');
    return own !== '' && rest.startsWith(`${own}/`) ? rest.slice(own.length) : rest;
  };
  const rewriteText = (text: string): string =>
    changes.reduce((so, [from, to]) => so.replaceAll(from, to), text);

  /** Redirects lead only to public addresses or served registries, without credentials. */
  const followRedirects = async (
    url: URL,
    place: ServedRegistry,
    asked: { method: string; headers: Record<string, string>; signal: AbortSignal },
  ): Promise<IncomingMessage> => {
    for (let left = MAX_REDIRECTS, at = url; ; left -= 1) {
      const isOwn = (place.own && at.origin === url.origin) || isServed(at);
      // A literal address is never resolved, so it is checked here.
      const literal = at.hostname.replace(/^\[|\]$/g, '');
      if (!isOwn && isIP(literal) !== 0 && !isPublicAddress(literal))
        throw Object.assign(new Error('leads inward'), { code: NOT_PUBLIC });
      const found = isOwn ? createPinnedLookup(deps.resolve) : createPublicLookup(deps.resolve);
      const lookup = deps.agents.proxied(at) ? {} : { lookup: found };
      const answer = await sendUpstreamRequest(deps.agents, at, { ...asked, ...lookup, body: null });
      const status = answer.statusCode ?? 502;
      const { location } = answer.headers;
      if (status < 300 || status >= 400 || status === 304 || location === undefined || left === 0)
        return answer;
      answer.destroy();
      const next = new URL(location, at);
      if (next.protocol !== 'https:' && next.origin !== url.origin && !isServed(next)) return answer;
      at = next;
    }
  };

  return async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const { method = '' } = request;
    // guard: E16-registries-read
    if (method !== 'GET' && method !== 'HEAD')
      return sendPlainText(response, 405, 'Registries can only be read from here.');
    const [, name = '', rest = ''] = /^\/registry\/([a-z+-]+)(\/.*)?$/.exec(url.pathname) ?? [];
    // guard: E16-registry-path
    if (!isPlainPath(rest)) return sendPlainText(response, 400, 'This is no path of a registry.');
    const place = served.get(name);
    if (place === undefined) return sendPlainText(response, 404, 'No such registry is served here.');
    const left = new AbortController();
    response.once('close', () => left.abort());
    const signal = AbortSignal.any([left.signal, AbortSignal.timeout(LONGEST_MS)]);
    const headers = { ...pickHeaders(request.headers, 'reads'), 'accept-encoding': 'identity' };
    try {
      const answer = await followRedirects(
        new URL(place.base + pathBelow(place.base, rest) + url.search),
        place,
        {
          method,
          headers,
          signal,
        },
      );
      const status = answer.statusCode ?? 502;
      if (status >= 300 && status < 400 && status !== 304) {
        answer.destroy();
        return sendPlainText(response, 502, 'The registry sends its readers elsewhere.');
      }
      const isText =
        TEXT.test(answer.headers['content-type'] ?? '') && answer.headers['content-encoding'] === undefined;
      const head = pickHeaders(answer.headers, 'answers');
      if (isText && method === 'GET' && place.rewrites(request.headers['user-agent'] ?? '')) {
        const bytes = await textOf(answer);
        if (bytes === null) return sendPlainText(response, 502, 'The registry’s answer is too large.');
        response.writeHead(status, head);
        return void response.end(rewriteText(bytes.toString('utf8')));
      }
      const length = answer.headers['content-length'];
      response.writeHead(status, { ...head, ...(length === undefined ? {} : { 'content-length': length }) });
      if (method === 'HEAD') {
        answer.resume();
        return void response.end();
      }
      await relayAnswer(answer, response, () => {}, MAX_PACKAGE_BYTES);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
      const fault = networkFaultOf(error);
      sendPlainText(
        response,
        502,
        code === NOT_PUBLIC
          ? 'The registry leads to no public address.'
          : fault !== null
            ? networkWords('the registry', fault)
            : `The registry cannot be reached (${code}).`,
      );
    }
  };
};
