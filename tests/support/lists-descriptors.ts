/** Starts a child that lists its file descriptors, to find leaked ones. */
import { spawnProcess } from '#process';

const end = await spawnProcess({
  argv: ['sh', '-c', 'echo ran; ls -l /proc/$$/fd'],
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  timeoutMs: 5000,
  maxOutputBytes: 10_000,
});
process.stdout.write(end.stdout);
