/** Starts a long-lived program of ours. It ends with us, because its input closes. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Socket } from 'node:net';
import { closeInheritedDescriptors } from './close-inherited-descriptors.ts';
import { sendSignal } from './process-tree.ts';

export type PlainProcess = ChildProcessByStdio<Socket, Socket, Socket>;

export const startPlainProcess = (
  argv: readonly [string, ...string[]],
  /** The complete environment; nothing is inherited. */
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
): PlainProcess => {
  const [program, ...args] = argv;
  closeInheritedDescriptors();
  const stdio = ['pipe', 'pipe', 'pipe'] satisfies ['pipe', 'pipe', 'pipe'];
  return spawn(program, args, { cwd, env, detached: true, stdio }) as unknown as PlainProcess;
};

export const killPlainProcess = ({ pid }: PlainProcess): void => {
  if (pid !== undefined) sendSignal(-pid, 'SIGKILL');
};
