/** Starts child processes of the benchmark and reads their output and /proc. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { toPathVariable } from '#process';

export type Running = {
  pid: number;
  stdout(): string;
  stderr(): string;
  /** The first match on standard output; rejects if the process ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  stop(): Promise<void>;
};

/** Children must not outlive the benchmark. */
const children = new Set<ChildProcess>();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

export const startNode = (
  argv: readonly string[],
  { cwd = tmpdir(), env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Running => {
  const child: ChildProcess = spawn(process.execPath, [...argv], {
    cwd,
    env: { PATH: toPathVariable(), HOME: tmpdir(), LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  let stdout = '';
  let stderr = '';
  let look = (): void => {};
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    look();
  });
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, 'close').then(() => child.exitCode);
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        look = () => {
          const found = pattern.exec(stdout);
          if (found) resolve(found);
        };
        look();
        void ended.then(() =>
          reject(new Error(`${argv.join(' ')} ended:\n${stdout}${stderr.slice(-2_000)}`)),
        );
      }),
    ended,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
};

export const resultOf = async <T>(running: Running): Promise<T> => {
  const code = await running.ended;
  if (code !== 0) throw new Error(`A child of the benchmark failed:\n${running.stderr().slice(-2_000)}`);
  return JSON.parse(running.stdout().trim().split('\n').at(-1) ?? '') as T;
};

const field = (pid: number, name: 'VmRSS' | 'VmHWM'): number => {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? NaN) / 1_024;
};
/** MB of 2^20 bytes. */
export const residentMb = (pid: number): number => field(pid, 'VmRSS');
/** Seconds, without children. */
export const processorSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Fields utime and stime, in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
export const peakMb = (pid: number): number => field(pid, 'VmHWM');
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');
