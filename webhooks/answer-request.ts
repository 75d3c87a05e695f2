/** How a request is answered, whether its body was read or not. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpRefusal } from './delivery-headers.ts';

/** How long a client that is still sending a refused body may take to read the answer (ms). */
const LINGER_MS = 2_000;
const JSON_TYPE = 'application/json; charset=utf-8';

export const answerJson = (response: ServerResponse, status: number, json: string): void => {
  response.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(json) });
  response.end(json);
};

const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * A client that is still sending gets the answer with `connection: close`, because a further
 * request on this connection would be lost. We read and discard the rest of the body for a moment:
 * closing at once would reset the connection before the client has read the answer.
 */
export const refuseRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, error }: HttpRefusal,
): void => {
  const json = JSON.stringify({ error });
  if (request.complete || !announcesBody(request)) return answerJson(response, status, json);
  response.writeHead(status, {
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(json),
    connection: 'close',
  });
  response.cork();
  response.write(json);
  response.uncork();
  const close = (): void => void response.end();
  const cut = setTimeout(close, LINGER_MS);
  request.once('end', close).once('close', () => clearTimeout(cut));
  request.on('error', close).resume();
};
