/** P6: the recording of what commands execute, against the shells of this machine. */
import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readTraces, traceCommands } from '../../support/trace-commands.ts';

/** Debian's, and the right to build a box with it. */
const CAN_TRACE =
  existsSync('/usr/bin/strace') &&
  spawnSync('/usr/bin/unshare', ['-rnpf', '--mount-proc', 'true']).status === 0;

/** Programs of every Linux, so that nothing depends on what else is installed. */
const SAMPLE = [
  'echo ok\u00a0#; ./evil; rm -rf src/old; curl x',
  '/tmp/ls',
  "test -v 'a[$(./evil)]'",
  'ls &>/dev/null ./evil',
  'sort -S 1k --comp=./evil big.txt',
  "env '-S./evil' ls",
  'git grep -nO./evil export',
  'ls -la src',
  'touch src/new.ts',
  'find . -name a.txt | xargs cat',
];

describe.skipIf(!CAN_TRACE)('a recorded command', () => {
  it('P6: executes and writes on this machine what was recorded of it', () => {
    const recorded = new Map(readTraces().map((one) => [one.command, one]));
    for (const now of traceCommands(SAMPLE)) expect(now).toEqual(recorded.get(now.command));
  }, 120_000);
});
