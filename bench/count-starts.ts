/** Loaded before the product: notes each program that it starts, in the file that STARTS names. */
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';

subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess };
  child.once('spawn', () =>
    appendFileSync(process.env['STARTS'] ?? '', `${JSON.stringify(child.spawnargs)}\n`),
  );
});
