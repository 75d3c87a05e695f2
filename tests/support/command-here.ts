/** Runs commands of the program in this process, which spares the start of one for each. */
import { main } from '../../cli/main.ts';

export type CommandSaid = { code: number; out: string; err: string };
type Place = { cwd: string; env: Readonly<Record<string, string | undefined>> };

const hearWrites = (stream: NodeJS.WriteStream): { text: () => string; restore: () => void } => {
  const chunks: string[] = [];
  const write = stream.write.bind(stream);
  const listeners = stream.listeners('error');
  stream.write = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
    chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    const written = more.at(-1);
    if (typeof written === 'function') process.nextTick(written);
    return true;
  };
  const restore = (): void => {
    stream.write = write;
    for (const listener of stream.listeners('error'))
      if (!listeners.includes(listener)) stream.off('error', listener as () => void);
  };
  return { text: () => chunks.join(''), restore };
};

/** Gives this process another environment; the result gives it back what it had. */
const replaceEnvironment = (env: Place['env']): (() => void) => {
  const before = { ...process.env };
  const set = (all: Place['env']): void => {
    for (const name of Object.keys(process.env)) delete process.env[name];
    for (const [name, value] of Object.entries(all)) if (value !== undefined) process.env[name] = value;
  };
  set(env);
  return () => set(before);
};

/** Writes and exit code of one command at a time; none may run beside it. */
export const runCommandHere = async (args: readonly string[], { cwd, env }: Place): Promise<CommandSaid> => {
  const here = process.cwd();
  const { exitCode } = process;
  const restoreEnvironment = replaceEnvironment(env);
  process.chdir(cwd);
  process.exitCode = undefined;
  const [out, err] = [hearWrites(process.stdout), hearWrites(process.stderr)];
  try {
    await main(args);
    return { code: Number(process.exitCode ?? 0), out: out.text(), err: err.text() };
  } finally {
    out.restore();
    err.restore();
    process.exitCode = exitCode;
    process.chdir(here);
    restoreEnvironment();
  }
};
