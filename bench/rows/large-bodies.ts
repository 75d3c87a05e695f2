/** Memory of the real process for six unsigned bodies of 64 MB at once. */
import { connect } from 'node:net';
import { startHost } from '../host.ts';
import { forgetPeak, peakMb, residentMb } from '../processes.ts';
import type { Measurement, Row } from '../row.ts';
import { PATH } from './webhook.ts';

const COUNT = 6;
const MB = 2 ** 20;
const SIZE = 64 * MB;
const PIECE = Buffer.alloc(64 * 1_024, 0x78);
const CHUNK = Buffer.concat([Buffer.from(`${PIECE.length.toString(16)}\r\n`), PIECE, Buffer.from('\r\n')]);

type Way = { chunked: boolean; signed: boolean };
type Sent = { status: string; bytes: number };

const headOf = ({ chunked, signed }: Way): string =>
  [
    `POST ${PATH} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    'X-GitHub-Delivery: 72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'X-GitHub-Event: push',
    ...(signed ? [`X-Hub-Signature-256: sha256=${'0'.repeat(64)}`] : []),
    chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${SIZE}`,
    '\r\n',
  ].join('\r\n');

const send = (port: number, way: Way): Promise<Sent> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let bytes = 0;
    let answer = '';
    const go = (): void => {
      while (bytes < SIZE) {
        bytes += PIECE.length;
        if (!socket.write(way.chunked ? CHUNK : PIECE)) return;
      }
      if (way.chunked) socket.end('0\r\n\r\n');
      else socket.end();
    };
    socket.on('connect', () => {
      socket.write(headOf(way));
      go();
    });
    socket.on('drain', go);
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    // A closed connection is a refusal too.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve({ status: answer.slice(9, 12) || 'cut off', bytes }));
  });

export const largeBodies: Measurement = {
  name: 'large-bodies',
  about: 'memory for 6 × 64 MB of unsigned bodies',
  run: async (): Promise<Row[]> => {
    const host = await startHost();
    try {
      const { pid, port } = await host.start();
      const before = residentMb(pid);
      const says: string[] = [];
      let most = 0;
      for (const way of [
        { chunked: false, signed: false },
        { chunked: true, signed: false },
        { chunked: false, signed: true },
        { chunked: true, signed: true },
      ]) {
        forgetPeak(pid);
        const sent = await Promise.all(Array.from({ length: COUNT }, () => send(port, way)));
        const growth = peakMb(pid) - before;
        most = Math.max(most, growth);
        const statuses = [...new Set(sent.map(({ status }) => status))].join('/');
        const got = Math.round(sent.reduce((n, { bytes }) => n + bytes, 0) / MB);
        says.push(
          `${way.chunked ? 'chunked' : 'with its length'}, ${way.signed ? 'falsely signed' : 'unsigned'}: ${growth.toFixed(0)} MB, ${statuses}, ${got} MB written`,
        );
      }
      const alive = await fetch(`http://127.0.0.1:${port}/healthz`).then((response) => response.ok);
      const note = `peak over ${before.toFixed(0)} MB at rest; ${says.join('; ')}; ${alive ? 'still answers' : 'DOES NOT ANSWER'}`;
      const value = alive ? Math.round(most) : NaN;
      return [{ name: 'large-bodies', value, unit: 'MB', bar: { is: '<=', at: 64 }, note }];
    } finally {
      await host.close();
    }
  },
};
