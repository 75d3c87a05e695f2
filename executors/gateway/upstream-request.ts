/** Sends requests to configured servers: no redirects, only listed headers of the box. */
import http from 'node:http';
import https from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { HttpAgents } from '#network';

const FORWARDED_HEADERS =
  /^(accept|content-type|user-agent|anthropic-(version|beta)|openai-beta|originator|session[_-]id|conversation[_-]id|idempotency-key|x-(app|stainless-[\w-]+))$/;
const ANSWERS =
  /^(content-type|content-encoding|retry-after(-ms)?|x-should-retry|(x-|anthropic-)ratelimit-[\w-]+|(x-)?request-id|openai-[\w-]+|etag|last-modified|content-range|accept-ranges)$/;

const READS = /^(accept|user-agent|range|if-none-match|if-modified-since)$/;
const CHOICES = { asks: FORWARDED_HEADERS, reads: READS, answers: ANSWERS };

export const pickHeaders = (
  headers: IncomingHttpHeaders,
  which: keyof typeof CHOICES,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && CHOICES[which].test(name) ? [[name, value]] : [],
    ),
  );

/** The provider may have billed a request with a body, so it is not resent. */
const maySendAgain = (request: http.ClientRequest, error: Error, body: Uint8Array | null): boolean =>
  body === null &&
  request.reusedSocket &&
  'code' in error &&
  (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/** Rejects if the server does not answer; `signal` also aborts the answer. */
export const sendUpstreamRequest = (
  agents: HttpAgents,
  url: URL,
  asked: {
    method: string;
    headers: Record<string, string>;
    body: Uint8Array | null;
    signal: AbortSignal;
    lookup?: LookupFunction;
  },
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { method, headers, body, signal, lookup } = asked;
    // A kept connection may close during the request.
    const length = body === null ? {} : { 'content-length': String(body.length), connection: 'close' };
    let answered = false;
    const request = (url.protocol === 'http:' ? http : https).request(
      url,
      {
        method,
        signal,
        agent: agents.to(url),
        headers: { ...headers, ...length },
        ...(lookup ? { lookup } : {}),
      },
      (answer) => {
        answered = true;
        resolve(answer);
      },
    );
    request.on('error', (error) => {
      if (answered || !maySendAgain(request, error, body)) return reject(error);
      sendUpstreamRequest(agents, url, asked).then(resolve, reject);
    });
    request.end(body ?? undefined);
  });
