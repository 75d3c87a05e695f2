/** The one place that starts processes (E2). */
import type { ProcessEnd } from '../orchestrator/ports.ts';

export type SpawnRequest = {
  /** Absolute path or a name found on the PATH of `env`. */
  argv: readonly [string, ...string[]];
  cwd: string;
  /** The whole environment: nothing is inherited. */
  env: Readonly<Record<string, string>>;
  stdin?: string | Uint8Array;
  /** Extra descriptors the child inherits, from 3 on; each is a pipe that we fill and close. */
  inherit?: readonly { fd: number; content: string }[];
  timeoutMs: number;
  signal?: AbortSignal;
  /** Per stream, in bytes; past it the process tree is stopped (`output_limit`). */
  maxOutputBytes: number;
  /** Between the polite signal and the kill, in ms. */
  graceMs?: number;
  onStart?(pid: number, pidStart: string | null): void;
  onStdout?(chunk: Buffer): void;
};

export type Spawned = ProcessEnd & { stdoutBytes: Buffer };

/** Runs a process to its end and never throws for what the process does; the whole tree is gone when it resolves. */
export declare const spawnProcess: (request: SpawnRequest) => Promise<Spawned>;
