/** Calls the gateway's socket from our process, with the attempt's token. */
import http from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { shortSocketPath } from '../../process/unix-socket.ts';
import { PROPOSER_HEADER } from '#gateway';
import type { BoxReach } from '#sandbox';

const headersOf = (headers: http.IncomingHttpHeaders): Headers => {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') kept.set(name, value);
  return kept;
};

export const fetchThrough =
  (reach: BoxReach, proposer: string | null = null): typeof fetch =>
  (input, init) =>
    new Promise((resolve, reject) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const named = proposer === null ? {} : { [PROPOSER_HEADER]: encodeURIComponent(proposer) };
      const headers = { ...Object.fromEntries(new Headers(init?.headers)), ...named };
      const body = typeof init?.body === 'string' ? init.body : '';
      const short = typeof reach === 'string' ? null : shortSocketPath(reach.socket);
      const socket = short === null ? {} : { socketPath: short.path };
      const request = http.request(
        url,
        {
          ...socket,
          agent: false,
          method: init?.method ?? 'GET',
          headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
          ...(init?.signal ? { signal: init.signal } : {}),
        },
        (answer) => {
          const stream = Readable.toWeb(answer) as WebStream<Uint8Array>;
          resolve(
            new Response(stream, {
              status: answer.statusCode ?? 502,
              headers: headersOf(answer.headers),
            }),
          );
        },
      );
      request.once('close', () => short?.close());
      request.on('error', reject);
      request.end(body);
    });
