/** How a request is answered that reads its body itself. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpRefusal } from './head.ts';

/** How long a client that is still sending a refused body may take to read the answer (ms). */
const LINGER = 2_000;

export const say = (reply: FastifyReply, status: number, json: string): void => {
  void reply.code(status).header('content-type', 'application/json').send(json);
};

/**
 * A client that is still sending gets the answer with `connection: close`, because a further
 * request on this connection would be lost. We read and discard the rest of the body for a moment:
 * closing at once would reset the connection before the client has read the answer.
 */
export const refuse = (
  request: FastifyRequest,
  reply: FastifyReply,
  { status, error }: HttpRefusal,
): void => {
  const json = JSON.stringify({ error });
  const { raw: sending } = request;
  if (sending.complete) return say(reply, status, json);
  reply.hijack();
  const { raw: answer } = reply;
  answer.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(json),
    connection: 'close',
  });
  answer.cork();
  answer.write(json);
  answer.uncork();
  const close = (): void => void answer.end();
  const cut = setTimeout(close, LINGER);
  sending.once('end', close).once('close', () => clearTimeout(cut));
  sending.on('error', close).resume();
};
