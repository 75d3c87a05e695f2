/**
 * Runs beside a box on another machine. What connects to its port becomes a stream of one HTTP/2
 * connection over standard input and output. Imports nothing else, as only this file goes there.
 */
import { connect as connectSession } from 'node:http2';
import { createServer } from 'node:net';
import { Duplex } from 'node:stream';

const [, , port = ''] = process.argv;

const openSession = (): void => {
  const line = Duplex.from({ readable: process.stdin, writable: process.stdout });
  const session = connectSession('http://out', { createConnection: () => line });
  session.on('error', () => process.exit(1));
  for (const end of [session, process.stdin]) end.on('close', () => process.exit());
  server.on('connection', (client) => {
    const stream = session.request({ ':method': 'CONNECT', ':authority': 'out' });
    client.pipe(stream);
    stream.pipe(client);
    for (const [one, other] of [
      [client, stream],
      [stream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      // What ended well was ended by its pipe, and may still have something to say to the other side.
      one.on('close', () => (one.readableEnded ? other.resume() : other.destroy()));
    }
  });
};

const server = createServer({ allowHalfOpen: true, noDelay: true });
// The other end learns by the session that the port is open.
server.listen(Number(port), '127.0.0.1', openSession);
