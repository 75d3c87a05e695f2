/** A real S3 server behind a proxy that can refuse, fail, lie and be public. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
// @ts-expect-error: it comes without types.
import S3rver from '@20minutes/s3rver';

type Server = { run(): Promise<AddressInfo>; close(): Promise<void> };
export const KEYS = { keyId: 'S3RVER', secret: 'S3RVER', region: 'us-east-1' };

export const startBucket = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agentpr-bucket-'));
  const make = S3rver as new (options: object) => Server;
  const server = new make({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'moves' }],
  });
  const { port } = await server.run();
  const asked: string[] = [];
  const how = { status: null as number | null, open: false, lie: null as string | null };
  const door = createServer((incoming, answer) => {
    void buffer(incoming).then((body) => {
      const { method = '', url = '', headers } = incoming;
      asked.push(`${method} ${url}`);
      const refused = how.status ?? (headers.authorization || how.open ? null : 403);
      if (refused !== null)
        return void answer.writeHead(refused, { location: 'http://127.0.0.1:1/' }).end('no');
      if (how.lie !== null && method === 'GET') return void answer.end(how.lie);
      request({ port, host: '127.0.0.1', method, path: url, headers }, (found) => {
        answer.writeHead(found.statusCode ?? 500, found.headers);
        found.pipe(answer);
      }).end(body);
    });
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}/moves`,
    how,
    asked,
    close: async () => {
      door.closeAllConnections();
      door.close();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
