/** A client on bare sockets that sends prepared deliveries; it must never be the bottleneck. */
import { createHmac, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Payload } from './payloads.ts';

export type Wish = {
  port: number;
  path: string;
  secret: string;
  connections: number;
  requests?: number;
  ms?: number;
  /** Delivery ids to repeat; default: new random ones. */
  ids?: readonly string[];
  /** Fixed rate; default: as fast as answers arrive. */
  perSecond?: number;
};
export type Told = {
  /** Ids of the deliveries answered with 2xx. */
  taken: string[];
  /** Times of sending in the same order (epoch ms). */
  sentAt: number[];
  statuses: Record<string, number>;
  ms: number;
  perSecond: number;
  p50: number;
  p99: number;
};

const ID = '00000000-0000-4000-8000-000000000000';

type Prepared = { bytes: Buffer; idAt: number };

const prepare = ({ path, secret }: Wish, { event, body }: Payload): Prepared => {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'User-Agent: GitHub-Hookshot/bench',
    'Accept: */*',
    'Content-Type: application/json',
    `X-GitHub-Delivery: ${ID}`,
    `X-GitHub-Event: ${event}`,
    `X-Hub-Signature-256: sha256=${signature}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '\r\n',
  ].join('\r\n');
  return { bytes: Buffer.from(head + body), idAt: head.indexOf(ID) };
};

const readAnswer = (bytes: Buffer): { status: string; end: number } | null => {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return null;
  const text = bytes.toString('latin1', 0, head);
  const status = text.slice(9, 12);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  if (length !== undefined) {
    const end = head + 4 + Number(length);
    return bytes.length >= end ? { status, end } : null;
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(text)) return { status, end: head + 4 };
  const end = bytes.indexOf('0\r\n\r\n', head + 4);
  return end < 0 ? null : { status, end: end + 5 };
};

const talk = (
  port: number,
  next: () => { bytes: Buffer; id: string; waitMs: number } | null,
  answered: (id: string, status: string, began: number) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let id = '';
    let began = 0;
    let got = Buffer.alloc(0);
    let over = false;
    const send = (): void => {
      const message = next();
      over = message === null;
      if (message === null) return void socket.end();
      const go = (): void => {
        began = performance.now();
        socket.write(message.bytes);
      };
      id = message.id;
      if (message.waitMs > 0) setTimeout(go, message.waitMs);
      else go();
    };
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      got = got.length === 0 ? chunk : Buffer.concat([got, chunk]);
      const answer = readAnswer(got);
      if (!answer) return;
      got = got.subarray(answer.end);
      answered(id, answer.status, began);
      send();
    });
    socket.on('error', reject);
    socket.on('close', () =>
      over ? resolve() : reject(new Error('The server closed a connection that was in use')),
    );
  });

export const sendAll = async (wish: Wish, payloads: readonly Payload[]): Promise<Told> => {
  const { connections, requests = Infinity, ms = Infinity, ids, perSecond = Infinity } = wish;
  const taken: string[] = [];
  const sentAt: number[] = [];
  const statuses: Record<string, number> = {};
  const waits: number[] = [];
  let sent = 0;
  // Each connection writes ids into its own copies; payloads that are sent once need none.
  const copy = () => payloads.map((payload) => prepare(wish, payload));
  const shared = requests <= payloads.length ? copy() : null;
  const copies = Array.from({ length: connections }, () => shared ?? copy());
  // Start the clock after preparation, or a burst would distort the rate.
  const began = performance.now();
  const connection = (own: ReturnType<typeof copy>): Promise<void> => {
    const next = (): { bytes: Buffer; id: string; waitMs: number } | null => {
      if (sent >= requests || performance.now() - began >= ms) return null;
      const one = own[sent % own.length];
      if (!one) return null;
      const id = ids ? (ids[sent % ids.length] ?? ID) : randomUUID();
      sent += 1;
      one.bytes.write(id, one.idAt, 'latin1');
      const due = began + ((sent - 1) * 1_000) / perSecond;
      return { bytes: one.bytes, id, waitMs: due - performance.now() };
    };
    return talk(wish.port, next, (id, status, at) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status.startsWith('2')) {
        taken.push(id);
        sentAt.push(performance.timeOrigin + at);
      }
      waits.push(performance.now() - at);
    });
  };
  await Promise.all(copies.map(connection));
  const took = performance.now() - began;
  waits.sort((a, b) => a - b);
  const at = (q: number): number => waits[Math.floor(waits.length * q)] ?? NaN;
  const rate = (taken.length * 1_000) / took;
  return { taken, sentAt, statuses, ms: took, perSecond: rate, p50: at(0.5), p99: at(0.99) };
};
