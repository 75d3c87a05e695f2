/** Forwards a box's loopback port to the outside. Imports nothing else, as boxes show only this. */
import { connect, createServer, type Socket } from 'node:net';

const [, , out = '', port = ''] = process.argv;

const joinSockets = (from: Socket, to: Socket): void => {
  from.pipe(to);
  for (const end of [from, to]) {
    end.on('error', () => [from, to].forEach((one) => one.destroy()));
    end.on('close', () => [from, to].forEach((one) => one.destroy()));
  }
  to.pipe(from);
};

const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) =>
  joinSockets(client, connect({ path: out, allowHalfOpen: true })),
);
server.listen(Number(port), '127.0.0.1', () => {
  // Listening works even if the loopback is down, so test it.
  const probe = connect(Number(port), '127.0.0.1', () => {
    probe.destroy();
    process.stdout.write('open\n');
  });
});
