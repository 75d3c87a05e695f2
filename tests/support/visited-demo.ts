/** The demo as a process, with its lines and addresses. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createNews } from '#playground';

const CLI = path.join(import.meta.dirname, '../../cli/agentpr.js');
const PATIENCE = 60_000;

export type VisitedDemo = ReturnType<typeof visitDemo>;

export const visitDemo = (args: readonly string[] = []) => {
  const child = spawn(process.execPath, [CLI, 'demo', ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let shown = '';
  let read = 0;
  const news = createNews(() => shown.slice(-4_000));
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      shown += chunk.toString();
      news.tell();
    });
  return {
    types: (line: string): void => void child.stdin.write(`${line}\n`),
    /** Waits for the next match after the previous one. */
    sees: (like: RegExp): Promise<RegExpExecArray> =>
      news.waitFor(
        () => {
          const found = like.exec(shown.slice(read));
          if (found) read += found.index + found[0].length;
          return found;
        },
        { deadlineMs: PATIENCE, what: `${like.source} in the terminal` },
      ),
    shown: (): string => shown,
    /** Returns the exit code, or the signal that ended it. */
    async leaves(how: 'quit' | NodeJS.Signals = 'quit'): Promise<number | NodeJS.Signals | null> {
      const end = (): number | NodeJS.Signals | null => child.exitCode ?? child.signalCode;
      if (end() !== null) return end();
      const ended = once(child, 'close');
      if (how === 'quit') child.stdin.write('quit\n');
      else child.kill(how);
      await ended;
      return end();
    },
  };
};
