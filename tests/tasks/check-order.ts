/** Measures by hand what is true: the commands of a repository's CI on the base and on the change. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { spawnProcess, childEnvironment } from '#process';
import type { TaskBox } from './check-task.ts';
import type { PreparedOrder } from './prepare-order.ts';

export type HandResult = { command: string; code: number | null; tail: string };
export type CheckedOrder = { base: HandResult[]; change: HandResult[] };

const TIMEOUT_MS = 900_000;
const MAX_OUTPUT_BYTES = 20_000_000;
const TAIL_CHARS = 1_500;

type Command = {
  argv: readonly [string, ...string[]];
  cwd: string;
  home: string;
  signal: AbortSignal;
};

const runIn = async (
  box: TaskBox,
  runId: string,
  { argv, cwd, home, signal }: Command,
): Promise<HandResult> => {
  const wrapped = box.sandbox.wrap({
    runId,
    argv,
    cwd,
    writable: [cwd, home],
    network: 'shared',
    env: { ...childEnvironment({ home, pass: box.pass }), PATH: box.path },
  });
  const limits = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
  const { exitCode, stdout, stderr } = await spawnProcess({ ...wrapped, ...limits, signal });
  return { command: argv.at(-1) ?? '', code: exitCode, tail: `${stdout}${stderr}`.slice(-TAIL_CHARS) };
};

/** One checkout for both, so that packages are installed once unless the change touches a manifest; builds are not kept. */
export const checkOrder = async (
  box: TaskBox,
  prepared: PreparedOrder,
  at: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<CheckedOrder> => {
  const { dir, base, order } = prepared;
  const [cwd, home] = [path.join(at, 'ws'), path.join(at, 'home')];
  mkdirSync(home, { recursive: true });
  const git = (...args: string[]): string => execFileSync('git', ['-C', cwd, ...args], { encoding: 'utf8' });
  execFileSync('git', ['clone', '--quiet', dir, cwd]);
  git('repack', '--quiet', '-a', '-d');
  git('fetch', '--quiet', dir, order.fix);
  const runAll = async (sha: string, commands: readonly string[]): Promise<HandResult[]> => {
    git('-c', 'advice.detachedHead=false', 'checkout', '--quiet', '--force', sha);
    git('clean', '--quiet', '-fdx', '-e', 'node_modules', '-e', '.venv');
    const results: HandResult[] = [];
    for (const command of commands) {
      const result = await runIn(box, order.repo.replace('/', '-'), {
        argv: ['sh', '-c', command],
        cwd,
        home,
        signal,
      });
      signal.throwIfAborted();
      results.push(result);
      if (result.code !== 0 && order.hand.installs.includes(command)) break;
    }
    return results;
  };
  const { installs, checks } = order.hand;
  const installsAnew = /(?:^|\/)package\.json$|lock/m.test(git('diff', '--name-only', base, order.fix));
  return {
    base: await runAll(base, [...installs, ...checks]),
    change: await runAll(order.fix, installsAnew ? [...installs, ...checks] : checks),
  };
};
