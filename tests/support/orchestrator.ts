/**
 * Starts a hostile sandboxed command and is then killed:
 * <level as JSON> <data dir> <command> [what the repository asks of its box, as JSON].
 */
import path from 'node:path';
import type { BoxWish } from '#model/environment';
import { createSandbox, prepareBox } from '../../executors/sandbox/create-sandbox.ts';
import { childEnvironment } from '#process';

const [level, dataDir, command, wished = 'null'] = process.argv.slice(2) as [string, string, string, string?];
const start = JSON.parse(level) as Omit<Parameters<typeof createSandbox>[0], 'dataDir'>;
const wish = JSON.parse(wished) as BoxWish | null;
const outcome = await createSandbox({ ...start, dataDir });
if (outcome.kind === 'refused') throw new Error(outcome.weaknesses.join(' '));
const network = wish === null ? 'shared' : 'none';
const { signal } = new AbortController();
const box = await prepareBox(outcome.sandbox, { runId: 'r1', kind: 'check', wish, network, signal });
if ('says' in box) throw new Error(box.says);
const [workspace, home] = [path.join(dataDir, 'runs/r1/ws'), path.join(dataDir, 'runs/r1/home')];
await box.run(
  {
    runId: 'r1',
    argv: ['sh', '-c', command],
    cwd: workspace,
    writable: [workspace, home],
    network,
    env: childEnvironment({ home }),
  },
  {
    timeoutMs: 60_000,
    maxOutputBytes: 10_000,
    onStart: (pid, pidStart) => process.stdout.write(`started ${pid} ${pidStart}\n`),
    onStdout: (chunk) => process.stdout.write(chunk),
  },
);
