/** Sends deliveries as GitHub does, and invalid ones. */
import { request, type Agent } from 'node:http';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { WEBHOOK_PATH } from '../../webhooks/receiver.ts';
import { signPayload } from '../../webhooks/verify-signature.ts';

export const SECRET = 'the secret of the tests';

export type Delivering = {
  event?: string;
  id?: string;
  secret?: string;
  /** Undefined removes a header. */
  headers?: Record<string, string | undefined>;
  /** Keeps connections open. */
  agent?: Agent;
};
export type Said = {
  status: number;
  error: string | null;
  id: number | null;
  duplicate: boolean | null;
  raw: string;
};

export const headersFor = (body: string | Uint8Array, { event, id, secret, headers }: Delivering = {}) => {
  const all = {
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/9a1b2c3',
    'x-github-event': event ?? 'ping',
    'x-github-delivery': id ?? randomUUID(),
    'x-hub-signature-256': signPayload(secret ?? SECRET, body),
    ...headers,
  };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
};

const said = (status: number, raw: string): Said => {
  const answer = JSON.parse(raw) as Partial<Said>;
  return { status, error: null, id: null, duplicate: null, ...answer, raw };
};

export const deliver = async (url: string, payload: unknown, how: Delivering = {}): Promise<Said> => {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return post(url, headersFor(body, how), async (write) => write(body), how.agent);
};

/** Streams the body; `write` resolves when there is room for more. */
export const post = (
  url: string,
  headers: Record<string, string>,
  body: (write: (piece: string | Uint8Array) => Promise<void>) => Promise<void>,
  agent: Agent | false = false,
): Promise<Said> => {
  const { promise, resolve, reject } = Promise.withResolvers<Said>();
  const sending = request(url + WEBHOOK_PATH, { method: 'POST', headers, agent }, (response) => {
    text(response).then((raw) => resolve(said(response.statusCode ?? 0, raw)), reject);
  });
  // The server may close after its answer; such errors are ignored.
  sending.on('error', reject);
  sending.flushHeaders();
  let goOn = (): void => {};
  sending.on('drain', () => goOn()).on('close', () => goOn());
  const write = (piece: string | Uint8Array): Promise<void> =>
    new Promise((next) => {
      goOn = next;
      if (sending.destroyed || sending.write(piece)) next();
    });
  body(write).then(
    () => sending.end(),
    (error: Error) => sending.destroy(error),
  );
  return promise;
};

export const bytes =
  (total: number) =>
  async (write: (piece: Uint8Array) => Promise<void>): Promise<void> => {
    const piece = Buffer.alloc(65_536, 120);
    for (let left = total; left > 0; left -= piece.length)
      await write(piece.subarray(0, Math.min(left, piece.length)));
  };
