/** The one place that starts processes (E2). */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Excess, ProcessEnd } from '../../orchestrator/ports.ts';
import { searchPath } from './environment.ts';
import { closeStrays } from './open-descriptors.ts';
import { keepFirst, text } from './output.ts';
import { takePipes, type MakePipes, type Pipes } from './pipes.ts';
import { SCARCE, whyNotStarted } from './not-started.ts';
import { askToStop, killTree, MARK, send, startTime, type ProcessTree } from './process-tree.ts';

/** Watches what a process tree uses. */
export type Caps = {
  everyMs: number;
  /** Right before the start. */
  open(): void;
  /** What is over its limit now. */
  look(tree: ProcessTree): Promise<Excess | null>;
  /** When every process is dead: what the kernel refused it. */
  close(end: Pick<ProcessEnd, 'exitCode' | 'signal' | 'stderr'>): Promise<Excess | null>;
};

export type SpawnRequest = {
  /** Absolute path or a name found on the PATH of `env`. */
  argv: readonly [string, ...string[]];
  cwd: string;
  /** The whole environment: nothing is inherited. */
  env: Readonly<Record<string, string>>;
  stdin?: string | Uint8Array;
  /** In place of `stdin`: written to while the process runs, by whoever gets hold of it here. */
  onStdin?(stdin: Writable): void;
  /** For programs of others: `/dev/stdout` and its like can be opened, as in a shell. */
  pipes?: boolean;
  /** Extra descriptors the child inherits, from 3 on; each is a pipe that we fill and close. */
  inherit?: readonly { fd: number; content: string }[];
  timeoutMs: number;
  signal?: AbortSignal;
  /** Per stream, in bytes; past it the process tree is stopped (`output_limit`). */
  maxOutputBytes: number;
  /** Between the polite signal and the kill, in ms. */
  graceMs?: number;
  caps?: Caps;
  onStart?(pid: number, pidStart: string | null): void;
  onStdout?(chunk: Buffer): void;
};

export type Spawned = ProcessEnd & { stdoutBytes: Buffer };

type Reason = 'timed_out' | 'aborted' | 'output_limit' | 'over_limit';

/** Longest time (ms) that pipes may stay open after everybody who could write to them is dead. */
const DRAIN_MS = 1000;

const notStarted = (ended: ProcessEnd['ended'], stderr: string, excess?: Excess): Spawned => ({
  exitCode: null,
  ended,
  ...(excess ? { excess } : {}),
  signal: null,
  ms: 0,
  stdout: '',
  stderr,
  stdoutBytes: Buffer.alloc(0),
});

/** What each descriptor of the child is, from 0 on: a pipe that gets its content at once, or one of ours. */
type Given = 'ignore' | 'pipe' | number | { content: string | Uint8Array };

const givenTo = (request: SpawnRequest, pipes: Pipes | null): Given[] => {
  const inherit = request.inherit ?? [];
  const last = Math.max(2, ...inherit.map(({ fd }) => fd));
  const extra = Array.from({ length: last - 2 }, (_, i): Given => {
    const given = inherit.find(({ fd }) => fd === i + 3);
    return given === undefined ? 'ignore' : { content: given.content };
  });
  const open = request.onStdin && ('pipe' as const);
  const input = request.stdin === undefined ? 'ignore' : { content: request.stdin };
  return pipes === null
    ? [open ?? input, 'pipe', 'pipe', ...extra]
    : [open ?? pipes.stdin ?? 'ignore', pipes.stdout, pipes.stderr, ...extra];
};

/** Stops a tree once, for the first reason given: politely, then for good after the grace time. */
const createStopper = (pid: number, tree: ProcessTree, graceMs: number) => {
  let reason: Reason | null = null;
  let grace: NodeJS.Timeout | undefined;
  return {
    reason: () => reason,
    stop: (why: Reason): void => {
      if (reason !== null) return;
      reason = why;
      // Who floods us is not asked politely.
      if (why === 'output_limit' || why === 'over_limit' || graceMs <= 0) return void killTree(tree);
      askToStop(pid);
      grace = setTimeout(() => void killTree(tree), graceMs);
    },
    clear: () => clearTimeout(grace),
  };
};

/** Looks again and again until it is told to end, or something is over its limit. */
const createWatch = (caps: Caps | undefined, tree: ProcessTree, stop: () => void) => {
  let excess: Excess | null = null;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const found = (await caps?.look(tree)) ?? null;
    if (ended) return;
    excess = found;
    if (excess === null) next();
    else stop();
  };
  const next = (): void => {
    if (ended) return;
    // A look that fails tells nothing; the next one may.
    timer = setTimeout(() => void look().catch(next), caps?.everyMs);
  };
  if (caps) next();
  return {
    end: (): Excess | null => {
      ended = true;
      clearTimeout(timer);
      return excess;
    },
  };
};

const makePipes: MakePipes = async (files) => {
  const argv = ['mkfifo', '-m', '600', '--', ...files] as const;
  const limits = { timeoutMs: 10_000, maxOutputBytes: 4_096 };
  return (
    (await spawnProcess({ argv: [...argv], cwd: '/', env: { PATH: searchPath() }, ...limits })).exitCode === 0
  );
};

type End = { exitCode: number | null; signal: NodeJS.Signals | null };
/** `closed` comes when the process is dead and nobody holds its streams any more. */
type Child = { pid: number; process: ChildProcess; exited: Promise<void>; closed: Promise<End> };

/** The code of the error when it could not be started. */
const startChild = async (request: SpawnRequest, pipes: Pipes | null): Promise<Child | string> => {
  const [file, ...args] = request.argv;
  const given = givenTo(request, pipes);
  const stdio = given.map((one) => (typeof one === 'object' ? 'pipe' : one));
  try {
    const process = spawn(file, args, { cwd: request.cwd, env: request.env, detached: true, stdio });
    const { pid } = process;
    if (pid === undefined) return codeOf((await once(process, 'error'))[0]);
    given.forEach((one, fd) => {
      const stream = process.stdio[fd];
      if (typeof one !== 'object' || !stream || !('end' in stream)) return;
      // Who does not read it to its end is not to blame.
      stream.on('error', () => {});
      stream.end(one.content);
    });
    const exited = new Promise<void>((resolve) => process.once('exit', () => resolve()));
    const closed = new Promise<End>((resolve) =>
      process.once('close', (exitCode, signal) => resolve({ exitCode, signal })),
    );
    return { pid, process, exited, closed };
  } catch (error) {
    return codeOf(error);
  }
};

const codeOf = (error: unknown): string => {
  if (error instanceof Error && 'code' in error) return String(error.code);
  throw error;
};

/** What the child could not be started for. */
const failedStart = async (request: SpawnRequest, code: string): Promise<Spawned> => {
  await request.caps?.close({ exitCode: null, signal: null, stderr: '' });
  const says = SCARCE[code];
  const excess: Excess | undefined = says === undefined ? undefined : { limit: 'host', says };
  return notStarted('not_started', whyNotStarted(request, code), excess);
};

type Stopper = ReturnType<typeof createStopper>;
type Outputs = { stdout: Readable | null; stderr: Readable | null };

/** Keeps what the process prints, up to the limit of each stream. */
const capture = (request: SpawnRequest, { stdout, stderr }: Outputs, stopper: Stopper) => {
  const kept = { stdout: keepFirst(request.maxOutputBytes), stderr: keepFirst(request.maxOutputBytes) };
  stdout?.on('data', (chunk: Buffer) => {
    const { kept: part, over } = kept.stdout.add(chunk);
    if (part.length > 0) request.onStdout?.(part);
    if (over) stopper.stop('output_limit');
  });
  stderr?.on('data', (chunk: Buffer) => {
    if (kept.stderr.add(chunk).over) stopper.stop('output_limit');
  });
  return kept;
};

/** Stops the tree at a cap, at its time, or on request; `end` says what was over its limit. */
const stopInTime = (request: SpawnRequest, tree: ProcessTree, stopper: Stopper) => {
  const watch = createWatch(request.caps, tree, () => stopper.stop('over_limit'));
  const clock = setTimeout(() => stopper.stop('timed_out'), request.timeoutMs);
  const onAbort = (): void => stopper.stop('aborted');
  request.signal?.addEventListener('abort', onAbort, { once: true });
  return {
    end: (): Excess | null => {
      clearTimeout(clock);
      const seen = watch.end();
      stopper.clear();
      request.signal?.removeEventListener('abort', onAbort);
      return seen;
    },
  };
};

/** Kills what the process left behind; how many could not be killed. */
const killRest = async (pid: number, tree: ProcessTree, stopper: Stopper): Promise<number> => {
  // A tree without a mark is our own tool (git): an empty group is proof enough, unless we had to
  // stop it.
  const over = tree.mark === null && stopper.reason() === null && !send(-pid, 'SIGKILL');
  return over ? 0 : killTree(tree);
};

/** Waits for the end of the streams, but not for one that somebody else holds open. */
const drained = async (child: Child, own: Outputs | null): Promise<End> => {
  const streams = own === null ? child.process.stdio : [own.stdout, own.stderr];
  const drain = setTimeout(() => {
    for (const stream of streams) stream?.destroy();
  }, DRAIN_MS);
  const end = await child.closed;
  for (const stream of [own?.stdout, own?.stderr]) if (stream && !stream.closed) await once(stream, 'close');
  clearTimeout(drain);
  return end;
};

/**
 * Runs a process to its end and never throws for what the process does; the whole tree is gone when
 * it resolves.
 */
export const spawnProcess = async (request: SpawnRequest): Promise<Spawned> => {
  const pipes = request.pipes === true ? await takePipes(request.stdin, makePipes) : null;
  if (request.signal?.aborted === true) {
    pipes?.drop();
    return notStarted('aborted', '');
  }
  closeStrays();
  const began = performance.now();
  request.caps?.open();
  const child = await startChild(request, pipes);
  if (typeof child === 'string') {
    pipes?.drop();
    return failedStart(request, child);
  }

  const { pid } = child;
  const own = pipes?.started() ?? null;
  const pidStart = startTime(pid);
  const tree: ProcessTree = { root: pid, start: Number(pidStart ?? 0), mark: request.env[MARK] ?? null };
  const stopper = createStopper(pid, tree, request.graceMs ?? 2000);
  const kept = capture(request, own ?? child.process, stopper);
  const limits = stopInTime(request, tree, stopper);
  request.onStart?.(pid, pidStart);
  const stdin = request.onStdin ? child.process.stdin : null;
  // Writing to a process that has ended fails; its end is reported below.
  stdin?.on('error', () => {});
  if (stdin) request.onStdin?.(stdin);

  await child.exited;
  stdin?.destroy();
  const ms = Math.round(performance.now() - began);
  const seen = limits.end();
  const survivors = await killRest(pid, tree, stopper);
  const code = await drained(child, own);

  const reason = stopper.reason();
  const stderr = text(kept.stderr.bytes(), reason === 'output_limit');
  const met = (await request.caps?.close({ ...code, stderr: stderr.slice(-64_000) })) ?? null;
  const excess = seen ?? met;
  const stdoutBytes = kept.stdout.bytes();
  const warning = survivors === 0 ? '' : `\n${survivors} processes could not be killed.`;
  return {
    ...code,
    ended: reason ?? (code.signal === null ? 'exited' : 'signalled'),
    ...(excess === null ? {} : { excess }),
    ms,
    stdout: text(stdoutBytes, reason === 'output_limit'),
    stderr: stderr + warning,
    stdoutBytes,
  };
};
