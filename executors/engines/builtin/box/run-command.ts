/** Runs commands inside the box, with a time limit and shortened output. */
import { spawn } from 'node:child_process';

type CommandOutcome = { code: number | null; output: string; timedOut: boolean };

const MAX_OUTPUT_HEAD_LENGTH = 6_000;
const MAX_OUTPUT_TAIL_LENGTH = 18_000;
/** Surviving processes may hold the output open for this long (ms). */
const LINGER_MS = 300;

const createOutput = () => {
  let head = '';
  let tail = '';
  let size = 0;
  return {
    add: (text: string): void => {
      size += text.length;
      const room = MAX_OUTPUT_HEAD_LENGTH - head.length;
      head += text.slice(0, Math.max(0, room));
      tail = (tail + text.slice(Math.max(0, room))).slice(-MAX_OUTPUT_TAIL_LENGTH);
    },
    text: (): string => {
      const left = size - head.length - tail.length;
      return left > 0 ? `${head}\n… ${left} characters are left out …\n${tail}` : head + tail;
    },
  };
};

export const runTimedCommand = (
  cwd: string,
  argv: readonly [string, ...string[]],
  ms: number,
): Promise<CommandOutcome> =>
  new Promise((resolve) => {
    const [file, ...args] = argv;
    const child = spawn(file, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = createOutput();
    let timedOut = false;
    const killGroup = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        child.kill('SIGKILL');
      }
    };
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup();
    }, ms);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text: string) => output.add(text));
    }
    const settleCommand = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code, output: output.text(), timedOut });
    };
    child.once('error', (error) => {
      output.add(error.message);
      settleCommand(null);
    });
    child.once('exit', (code) => {
      const late = setTimeout(() => {
        killGroup();
        child.stdout.destroy();
        child.stderr.destroy();
      }, LINGER_MS);
      child.once('close', () => {
        clearTimeout(late);
        settleCommand(code);
      });
    });
  });
