/** Resolves `--repo`: a path is used as it is, a URL is cloned once. */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { spawnProcess } from '#process';
import { CommandExit, EXIT_CODES } from '../exit-codes.ts';

const TEN_MINUTES = 600_000;

export const fetchRepository = async (given: string, scratch: string): Promise<string> => {
  if (!/^[a-z+]+:\/\//i.test(given)) {
    const path = resolve(given);
    if (!existsSync(path) || !statSync(path).isDirectory())
      throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_directory', path });
    return path;
  }
  const into = join(scratch, 'clone.git');
  const { exitCode, stderr } = await spawnProcess({
    argv: ['git', 'clone', '--quiet', '--bare', '--', given, into],
    cwd: scratch,
    env: {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: process.env.HOME ?? '/',
      GIT_TERMINAL_PROMPT: '0',
    },
    timeoutMs: TEN_MINUTES,
    maxOutputBytes: 1_000_000,
  });
  if (exitCode !== 0)
    throw new CommandExit(EXIT_CODES.notFound, {
      kind: 'not_cloned',
      url: given,
      says: stderr.trim().split('\n').at(-1) ?? '',
    });
  return into;
};
