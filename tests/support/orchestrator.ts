/** Starts a hostile sandboxed command and is then killed: <level as JSON> <data dir> <command>. */
import path from 'node:path';
import { createContainment } from '../../executors/sandbox/contain-command.ts';
import { childEnvironment, spawnProcess } from '#process';

const [level, dataDir, command] = process.argv.slice(2) as [string, string, string];
const start = JSON.parse(level) as Omit<Parameters<typeof createContainment>[0], 'dataDir'>;
const outcome = await createContainment({ ...start, dataDir });
if (outcome.kind === 'refused') throw new Error(outcome.weaknesses.join(' '));
const [workspace, home] = [path.join(dataDir, 'runs/r1/ws'), path.join(dataDir, 'runs/r1/home')];
const wrapped = outcome.sandbox.wrap({
  runId: 'r1',
  argv: ['sh', '-c', command],
  cwd: workspace,
  writable: [workspace, home],
  network: 'shared',
  env: childEnvironment({ home }),
});
await spawnProcess({
  ...wrapped,
  timeoutMs: 60_000,
  maxOutputBytes: 10_000,
  onStart: (pid, pidStart) => process.stdout.write(`started ${pid} ${pidStart}\n`),
  onStdout: (chunk) => process.stdout.write(chunk),
});
