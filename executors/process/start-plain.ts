/**
 * Starts a program of ours that stays for more than one question. It is its own process group, and
 * it ends by itself when we do: it reads from a pipe that then closes.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Socket } from 'node:net';
import { closeInheritedDescriptors } from './open-descriptors.ts';
import { sendSignal } from './process-tree.ts';

export type PlainProcess = ChildProcessByStdio<Socket, Socket, Socket>;

export const startPlain = (
  argv: readonly [string, ...string[]],
  /** The whole environment: nothing is inherited. */
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
): PlainProcess => {
  const [program, ...args] = argv;
  closeInheritedDescriptors();
  const stdio = ['pipe', 'pipe', 'pipe'] satisfies ['pipe', 'pipe', 'pipe'];
  // What Node calls streams here are sockets, which can be kept from holding our process alive.
  return spawn(program, args, { cwd, env, detached: true, stdio }) as unknown as PlainProcess;
};

/** Ends it and whatever it started. */
export const killPlain = ({ pid }: PlainProcess): void => {
  if (pid !== undefined) sendSignal(-pid, 'SIGKILL');
};
