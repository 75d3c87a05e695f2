/** A WebSocket server as RFC 6455 describes it, as much of it as Slack's Socket Mode uses. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

export type ServerSocket = {
  send(message: unknown): void;
  ping(): void;
  /** Closes properly, or breaks the connection off. */
  close(): void;
  destroy(): void;
};
type Hears = { message: (text: string) => void; closed: () => void };

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const OPCODE = { text: 1, close: 8, ping: 9, pong: 10 } as const;

const frame = (opcode: number, payload: Buffer): Buffer => {
  const head =
    payload.length < 126
      ? Buffer.from([0x80 | opcode, payload.length])
      : payload.length < 65_536
        ? Buffer.from([0x80 | opcode, 126, payload.length >> 8, payload.length & 0xff])
        : Buffer.concat([Buffer.from([0x80 | opcode, 127, 0, 0, 0, 0]), uint32(payload.length)]);
  return Buffer.concat([head, payload]);
};
const uint32 = (n: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(n);
  return bytes;
};

type Frame = { opcode: number; payload: Buffer; rest: Buffer };
/** Frames of a client are masked. */
const readFrame = (bytes: Buffer): Frame | null => {
  if (bytes.length < 2) return null;
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const at = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < at + 4) return null;
  const length =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const end = at + 4 + length;
  if (bytes.length < end) return null;
  const mask = bytes.subarray(at, at + 4);
  const payload = Buffer.from(bytes.subarray(at + 4, end).map((byte, i) => byte ^ (mask[i % 4] ?? 0)));
  return { opcode: first & 0x0f, payload, rest: bytes.subarray(end) };
};

export const acceptWebSocket = (request: IncomingMessage, stream: Duplex, hears: Hears): ServerSocket => {
  const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}${MAGIC}`).digest('base64');
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
  );
  let bytes: Buffer = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let one = readFrame(bytes); one; one = readFrame(bytes)) {
      bytes = one.rest;
      if (one.opcode === OPCODE.text) hears.message(one.payload.toString('utf8'));
      if (one.opcode === OPCODE.ping) stream.write(frame(OPCODE.pong, one.payload));
      if (one.opcode === OPCODE.close) stream.end(frame(OPCODE.close, one.payload));
    }
  });
  stream.on('error', () => {});
  stream.on('end', () => stream.destroy());
  stream.on('close', () => hears.closed());
  return {
    send: (message) => void stream.write(frame(OPCODE.text, Buffer.from(JSON.stringify(message)))),
    ping: () => void stream.write(frame(OPCODE.ping, Buffer.from('ping'))),
    close: () => void stream.end(frame(OPCODE.close, Buffer.from([3, 232]))),
    destroy: () => void stream.destroy(),
  };
};
