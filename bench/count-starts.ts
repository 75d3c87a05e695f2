/** Loaded before the product: writes each started program to a file per process. */
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const startsOf = (pid: number): string => join(tmpdir(), `agentpr-bench-starts-${pid}`);

subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess };
  child.once('spawn', () => appendFileSync(startsOf(process.pid), `${JSON.stringify(child.spawnargs)}\n`));
});
