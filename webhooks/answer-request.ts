/** Sends answers, including refusals before the body was read. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpRefusal } from './delivery-headers.ts';

/** Time to read the answer for a client that still sends its body (ms). */
const LINGER_MS = 2_000;
const JSON_TYPE = 'application/json; charset=utf-8';

export const sendJson = (response: ServerResponse, status: number, json: string): void => {
  response.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(json) });
  response.end(json);
};

const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Discards the body's rest: closing at once would reset the connection before the answer is read. */
export const refuseRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, error }: HttpRefusal,
): void => {
  const json = JSON.stringify({ error });
  if (request.complete || !announcesBody(request)) return sendJson(response, status, json);
  response.writeHead(status, {
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(json),
    connection: 'close',
  });
  response.cork();
  response.write(json);
  response.uncork();
  const endResponse = (): void => void response.end();
  const cut = setTimeout(endResponse, LINGER_MS);
  request.once('end', endResponse).once('close', () => clearTimeout(cut));
  request.on('error', endResponse).resume();
};
