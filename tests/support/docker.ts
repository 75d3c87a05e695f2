/** The container tool of this machine, if there is one. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns why containers cannot be started, or null. */
export const lacksDocker = (): string | null => {
  for (const args of [['compose', 'version'], ['info']]) {
    const { error, status, stderr } = spawnSync('docker', args, { encoding: 'utf8' });
    if (error ?? status !== 0) return `docker ${args.join(' ')}: ${error?.message ?? stderr.trim()}`;
  }
  return null;
};

/** Returns stdout; throws with stderr. */
export const docker = async (cwd: string, ...args: string[]): Promise<string> => {
  const { stdout } = await run('docker', args, { cwd, maxBuffer: 50_000_000 });
  return stdout.trim();
};
