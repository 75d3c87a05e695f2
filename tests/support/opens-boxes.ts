/** Opens boxes one after the other, and dies while they open: <level> <data dir> [socket]. */
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { childEnvironment, listenOnSocket, spawnProcess } from '#process';
import { EGRESS_PORT } from '../../executors/sandbox/box-egress.ts';
import { sandboxOf, type Level } from './contained.ts';

const [level, dataDir, socket] = process.argv.slice(2) as [Level, string, string?];
const [workspace, home] = [path.join(dataDir, 'runs/r1/ws'), path.join(dataDir, 'runs/r1/home')];
const sandbox = await sandboxOf(level, dataDir);
if (socket !== undefined) await listenOnSocket(createServer(), socket);

/** A parent that lives on: the kernel tells such a box nothing. */
const OTHER_PARENT = ['sh', '-c', '"$@" & wait', 'sh'] as const;
const openBox = (parent: readonly string[]): void => {
  const { argv, ...wrapped } = sandbox.wrap({
    runId: 'r1',
    argv: ['sleep', '600'],
    cwd: workspace,
    writable: [workspace, home],
    network: socket === undefined ? 'none' : { socket, port: EGRESS_PORT },
    env: childEnvironment({ home }),
  });
  const [program, ...rest] = [...parent, ...argv] as [string, ...string[]];
  void spawnProcess({ ...wrapped, argv: [program, ...rest], timeoutMs: 60_000, maxOutputBytes: 10_000 });
};
for (let opened = 0; opened < 8; opened += 1) {
  openBox([]);
  openBox(OTHER_PARENT);
  await pause(8);
}
process.kill(process.pid, 'SIGKILL');
