/**
 * Starts a child and prints what its descriptors lead to; for a parent that has one open that it
 * should not pass on.
 */
import { spawnProcess } from '../../executors/process/spawn.ts';

const end = await spawnProcess({
  argv: ['sh', '-c', 'echo ran; ls -l /proc/$$/fd'],
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  timeoutMs: 5000,
  maxOutputBytes: 10_000,
});
process.stdout.write(end.stdout);
