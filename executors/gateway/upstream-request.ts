/**
 * Asks a server outside, by its configured address alone: no redirect is followed, and nothing of
 * the box goes along but what is named here.
 */
import http from 'node:http';
import https from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { HttpAgents } from '#network';

/** What of a client's headers a provider needs. The key is put in by whoever asks. */
const FORWARDED_HEADERS =
  /^(accept|content-type|user-agent|anthropic-(version|beta)|openai-beta|originator|session[_-]id|conversation[_-]id|idempotency-key|x-(app|stainless-[\w-]+))$/;
/** What of a server's headers a client may see. */
const ANSWERS =
  /^(content-type|content-encoding|retry-after(-ms)?|x-should-retry|(x-|anthropic-)ratelimit-[\w-]+|(x-)?request-id|openai-[\w-]+|etag|last-modified|content-range|accept-ranges)$/;

/** What of them a registry needs. */
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

/**
 * Our request met the end of a connection that was kept. One with a body is not sent again: a
 * provider may have read and billed it before it hung up, and it is counted once.
 */
const maySendAgain = (request: http.ClientRequest, error: Error, body: Uint8Array | null): boolean =>
  body === null &&
  request.reusedSocket &&
  'code' in error &&
  (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/** Rejects when nobody answers; `signal` ends the request and what of the answer is still to come. */
export const askUpstream = (
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
    // A connection of its own: a kept one may end while the request is on its way.
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
      // Each such connection is gone now, so that this ends at a new one.
      if (answered || !maySendAgain(request, error, body)) return reject(error);
      askUpstream(agents, url, asked).then(resolve, reject);
    });
    request.end(body ?? undefined);
  });
