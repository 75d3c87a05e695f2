/** Makes pipes that a child can open as `/dev/stdout`, unlike Node's sockets. */
import { closeSync, constants, openSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';
import { makeTemporaryDirectory } from './temporary-directories.ts';

const { O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants;

/** Pipes are made in batches, because each batch starts a program. */
const PIPES_PER_BATCH = 16;

const fresh: number[] = [];
let making: Promise<boolean> | null = null;

export type MakePipes = (files: readonly string[]) => Promise<boolean>;

const makeBatch = async (makePipes: MakePipes): Promise<boolean> => {
  const directory = makeTemporaryDirectory('agentpr-pipes-');
  try {
    const files = Array.from({ length: PIPES_PER_BATCH }, (_, i) => path.join(directory, String(i)));
    if (!(await makePipes(files))) return false;
    for (const file of files) fresh.push(openSync(file, O_RDWR | O_NONBLOCK));
    return true;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

/** The child's end blocks, as programs expect; ours does not. */
type Ends = { ours: number; child: number };
const endsOf = (fd: number): Ends => {
  const here = `/proc/self/fd/${fd}`;
  try {
    return { ours: openSync(here, O_RDONLY | O_NONBLOCK), child: openSync(here, O_WRONLY) };
  } finally {
    closeSync(fd);
  }
};

/** An unlinked file, because a named pipe cannot be opened after its writer is gone. */
const inputOf = (content: string | Uint8Array): number => {
  const directory = makeTemporaryDirectory('agentpr-input-');
  try {
    const file = path.join(directory, 'input');
    writeFileSync(file, content, { mode: 0o600 });
    return openSync(file, O_RDONLY);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

export type NamedPipes = {
  /** Descriptors for the child; null means no input. */
  stdin: number | null;
  stdout: number;
  stderr: number;
  /** Call it after the child started. Streams end after all holders closed their ends. */
  started(): { stdout: Socket; stderr: Socket };
  drop(): void;
};

/** Returns null if pipes cannot be made; the caller then uses sockets. */
export const openNamedPipes = async (
  input: string | Uint8Array | undefined,
  makePipes: MakePipes,
): Promise<NamedPipes | null> => {
  const open: number[] = [];
  try {
    while (fresh.length < 2)
      if (!(await (making ??= makeBatch(makePipes).finally(() => (making = null))))) return null;
    const [out, err] = [endsOf(fresh.pop() ?? -1), endsOf(fresh.pop() ?? -1)];
    open.push(out.child, err.child);
    const stdin = input === undefined ? null : inputOf(input);
    if (stdin !== null) open.push(stdin);
    const toSocket = (fd: number): Socket => new Socket({ fd, readable: true, writable: false });
    const closeDescriptors = (more: readonly number[]): void =>
      [...open, ...more].forEach((fd) => closeSync(fd));
    return {
      stdin,
      stdout: out.child,
      stderr: err.child,
      started: () => {
        closeDescriptors([]);
        return { stdout: toSocket(out.ours), stderr: toSocket(err.ours) };
      },
      drop: () => closeDescriptors([out.ours, err.ours]),
    };
  } catch (error) {
    if (!(error instanceof Error && ('code' in error || error.cause !== undefined))) throw error;
    for (const fd of open) closeSync(fd);
    return null;
  }
};
