/** Runs one CI job in a clean clone with its own environment, and leaves nothing behind. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { git } from './git.ts';
import type { CiJob } from './model.ts';

export type JobEnd =
  | { conclusion: 'success' }
  | { conclusion: 'failure'; exitCode: number | null }
  | { conclusion: 'cancelled' }
  | { conclusion: 'timed_out' };
type Wish = {
  job: CiJob;
  repo: { fullName: string; dir: string };
  sha: string;
  signal: AbortSignal;
  print: (line: string) => void;
};

const TIMEOUT_MS = 600_000;
const CLEAN =
  'exec env -i PATH="$PATH" LANG=C.UTF-8 CI=true GITHUB_ACTIONS=true HOME="$1/home" TMPDIR="$1/tmp" ' +
  'GITHUB_REPOSITORY="$2" GITHUB_SHA="$3" sh -c "$4"';

export async function runJob({ job, repo, sha, signal, print }: Wish): Promise<JobEnd> {
  const box = await mkdtemp(join(tmpdir(), 'playground-ci-'));
  const late = AbortSignal.timeout(job.timeoutMs ?? TIMEOUT_MS);
  const over = AbortSignal.any([signal, late]);
  const ended = (): JobEnd | null =>
    signal.aborted ? { conclusion: 'cancelled' } : late.aborted ? { conclusion: 'timed_out' } : null;
  const run = (command: string): Promise<number | null> =>
    runStep(['-c', CLEAN, 'ci', box, repo.fullName, sha, command], box, over, print);
  try {
    for (const name of ['home', 'tmp']) await mkdir(join(box, name));
    await checkOut(repo.dir, join(box, 'work'), sha);
    print(`Checked out ${repo.fullName} at ${sha}`);
    for (const command of [job.install, job.command]) {
      if (command === undefined) continue;
      if (over.aborted) break;
      print(`##[group]Run ${command}`);
      print('##[endgroup]');
      const exitCode = await run(command);
      if (over.aborted) break;
      if (exitCode !== 0) {
        print(`##[error]Process completed with exit code ${exitCode ?? 'unknown'}.`);
        return { conclusion: 'failure', exitCode };
      }
    }
    const end = ended() ?? { conclusion: 'success' };
    if (end.conclusion === 'cancelled') print('##[error]The operation was canceled.');
    if (end.conclusion === 'timed_out') print('##[error]The job has exceeded the maximum execution time.');
    return end;
  } finally {
    await rm(box, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function checkOut(from: string, to: string, sha: string): Promise<void> {
  await mkdir(to);
  await git(to, ['init', '--quiet', '-b', 'head', '.']);
  await git(to, ['fetch', '--quiet', '--depth', '1', pathToFileURL(from).href, sha]);
  await git(to, ['checkout', '--quiet', '--detach', 'FETCH_HEAD']);
}

/** Returns the exit code, or null after a signal. Kills the whole process group afterwards. */
async function runStep(
  args: string[],
  box: string,
  over: AbortSignal,
  print: (line: string) => void,
): Promise<number | null> {
  const child = spawn('sh', args, {
    cwd: join(box, 'work'),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = Promise.withResolvers<number | null>();
  child.once('error', exit.reject);
  child.once('exit', exit.resolve);
  const read = [child.stdout, child.stderr].map(async (stream) => {
    for await (const line of createInterface({ input: stream })) print(line);
  });
  const kill = (): void => end(-(child.pid ?? 0));
  over.addEventListener('abort', kill, { once: true });
  if (over.aborted) kill();
  try {
    return await exit.promise;
  } finally {
    over.removeEventListener('abort', kill);
    kill();
    await killStrays(box);
    await Promise.all(read);
  }
}

/** Processes that left the group are found by their environment, on Linux only. */
async function killStrays(box: string): Promise<void> {
  if (!existsSync('/proc/self/environ')) return;
  let found = true;
  for (let round = 0; found && round < 100; round += 1) {
    found = false;
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      if (!environment.includes(`HOME=${box}/home\0`)) continue;
      found = true;
      end(Number(pid));
    }
  }
}

function end(pid: number): void {
  try {
    if (pid !== 0) process.kill(pid, 'SIGKILL');
  } catch (error) {
    const gone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!gone) throw error;
  }
}
