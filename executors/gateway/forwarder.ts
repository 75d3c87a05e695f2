/**
 * Runs inside a box that has no network: passes each connection to a port of its loopback on to the
 * socket that leads out. Stands alone, because nothing else of ours is shown there.
 */
import { connect, createServer, type Socket } from 'node:net';

const [, , out = '', port = ''] = process.argv;

const joined = (from: Socket, to: Socket): void => {
  from.pipe(to);
  for (const end of [from, to]) {
    end.on('error', () => [from, to].forEach((one) => one.destroy()));
    end.on('close', () => [from, to].forEach((one) => one.destroy()));
  }
  to.pipe(from);
};

const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) =>
  joined(client, connect({ path: out, allowHalfOpen: true })),
);
server.listen(Number(port), '127.0.0.1', () => {
  // A loopback that is down would let us listen all the same.
  const probe = connect(Number(port), '127.0.0.1', () => {
    probe.destroy();
    process.stdout.write('open\n');
  });
});
