/** E20: connections of a box on another machine reach one socket of ours, by a program's input and output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect as connectSession } from 'node:http2';
import { Duplex, type Writable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { createRemoteEgress } from '../../executors/sandbox/hosts/remote-egress.ts';

const DOOR = fileURLToPath(import.meta.resolve('#programs/host-door'));

/** A server on a socket that answers with what it heard, once its client has said all. */
const startEcho = async (): Promise<string> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'way-'));
  const socket = path.join(folder, 'out');
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const heard: Buffer[] = [];
    client.on('data', (chunk) => heard.push(chunk));
    client.on('end', () => client.end(Buffer.concat(heard)));
  });
  server.listen(socket);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return socket;
};

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
};

const openDoor = async (socket: string) => {
  const port = await findFreePort();
  const child = spawn(process.execPath, ['--no-warnings', DOOR, String(port)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const way = createRemoteEgress(socket);
  child.stdout.on('data', (chunk: Buffer) => way.onStdout(chunk));
  way.onStdin(child.stdin);
  await way.opened;
  return { port, child, way };
};

const ask = async (port: number, said: Buffer): Promise<Buffer> => {
  const client: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const heard: Buffer[] = [];
  client.on('data', (chunk: Buffer) => heard.push(chunk));
  client.end(said);
  await once(client, 'end');
  return Buffer.concat(heard);
};

it('E20: carries many connections at once, whole and in both directions', async () => {
  const { port } = await openDoor(await startEcho());
  const said = Array.from({ length: 8 }, (_, i) => Buffer.alloc(300_000, String.fromCharCode(97 + i)));
  const heard = await Promise.all(said.map((one) => ask(port, one)));
  expect(heard.map((one, i) => one.equals(said[i] ?? Buffer.alloc(0)))).toEqual(said.map(() => true));
});

it('E20: ends with either end', async () => {
  const { child, way } = await openDoor(await startEcho());
  child.stdin.end();
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
  way.close();
});

it('E20: gives the other end nothing but streams to that socket', async () => {
  const way = createRemoteEgress(await startEcho());
  const there = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _, done) => {
      way.onStdout(chunk);
      done();
    },
  });
  const back: Writable = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _, done) => {
      there.push(chunk);
      done();
    },
  });
  way.onStdin(back);
  const session = connectSession('http://out', { createConnection: () => there });
  onTestFinished(() => {
    session.destroy();
    way.close();
  });
  const stream = session.request({ ':method': 'GET', ':path': '/' });
  await expect(once(stream, 'close')).rejects.toThrow('REFUSED');
});
