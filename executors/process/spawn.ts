/** The only place that starts processes (E2). */
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { existsSync } from 'node:fs';
import type { CapExcess, ProcessEnd } from '#ports/processes';
import { toPathVariable } from './box-environment.ts';
import { closeInheritedDescriptors } from './close-inherited-descriptors.ts';
import { createOutputBuffer, decodeOutput } from './output-buffer.ts';
import { openNamedPipes, type MakePipes, type NamedPipes } from './named-pipes.ts';
import {
  requestTreeStop,
  killProcessTree,
  RUN_MARK_VARIABLE,
  sendSignal,
  findProcessStartTime,
  type ProcessTree,
} from './process-tree.ts';

export type ProcessCaps = {
  everyMs: number;
  open(): void;
  measure(tree: ProcessTree): Promise<CapExcess | null>;
  /** Called after every process is dead. */
  close(end: Pick<ProcessEnd, 'exitCode' | 'signal' | 'stderr'>): Promise<CapExcess | null>;
};

/** Without content, a pipe that stays open as long as we live. */
export type InheritedDescriptor = { fd: number; content: string | Uint8Array | null };

export type SpawnRequest = {
  /** An absolute path, or a name on the PATH of `env`. */
  argv: readonly [string, ...string[]];
  cwd: string;
  /** The complete environment; nothing is inherited. */
  env: Readonly<Record<string, string>>;
  stdin?: string | Uint8Array;
  onStdin?(stdin: Writable): void;
  /** Lets the program open `/dev/stdout` and so on, as in a shell. */
  pipes?: boolean;
  /** Extra descriptors from 3 on, as pipes. */
  inherit?: readonly InheritedDescriptor[];
  timeoutMs: number;
  signal?: AbortSignal;
  /** Limit per stream (bytes); past it the tree is killed (`output_limit`). */
  maxOutputBytes: number;
  /** Time between the polite signal and the kill (ms). */
  graceMs?: number;
  caps?: ProcessCaps;
  onStart?(pid: number, pidStart: string | null): void;
  onStdout?(chunk: Buffer): void;
  onStderr?(chunk: Buffer): void;
  /** Standard output goes to `onStdout` alone: nothing of it is kept, and it has no limit. */
  streamsStdout?: true;
};

export type SpawnResult = ProcessEnd & { stdoutBytes: Buffer };

type StopReason = 'timed_out' | 'aborted' | 'output_limit' | 'over_limit';

/** Time that pipes may stay open after all writers died (ms). */
const DRAIN_MS = 1000;

const notStarted = (ended: ProcessEnd['ended'], stderr: string, excess?: CapExcess): SpawnResult => ({
  exitCode: null,
  ended,
  ...(excess ? { excess } : {}),
  signal: null,
  ms: 0,
  stdout: '',
  stderr,
  stdoutBytes: Buffer.alloc(0),
});

const START_FAILURES: Readonly<Record<string, string>> = {
  EMFILE: 'too many files are open; allow more (`ulimit -n`, or LimitNOFILE of the service)',
  ENFILE: 'too many files are open on this machine',
  EAGAIN: 'no more processes may be started; allow more (`ulimit -u`, or TasksMax of the service)',
  ENOMEM: 'the machine has no memory left',
};

const explainStartFailure = (request: SpawnRequest, code: string | undefined): string => {
  const [program] = request.argv;
  if (!existsSync(request.cwd))
    return `"${program}" was not started: the directory ${request.cwd} is missing.`;
  if (code === 'ENOENT') return `"${program}" was not found. Install it, or put it on the PATH.`;
  // An unreadable directory on the PATH also gives EACCES.
  if (code === 'EACCES' && !program.includes('/'))
    return `"${program}" was not found, or may not be executed. Install it, or put it on the PATH.`;
  if (code === 'EACCES') return `"${program}" may not be executed. Look at its permissions.`;
  return `"${program}" could not be started: ${START_FAILURES[code ?? ''] ?? code ?? 'unknown error'}.`;
};

const stdioDescriptor = (fd: number) => fd as 3;

const stdioOf = (request: SpawnRequest, pipes: NamedPipes | null) => {
  const inherit = request.inherit ?? [];
  const last = Math.max(2, ...inherit.map(({ fd }) => fd));
  const extra = Array.from({ length: last - 2 }, (_, i) => {
    const given = inherit.find(({ fd }) => fd === i + 3);
    if (given === undefined) return 'ignore' as const;
    if (given.content === null) return 'pipe' as const;
    return typeof given.content === 'string' ? Buffer.from(given.content) : given.content;
  });
  const open = request.onStdin && ('pipe' as const);
  if (pipes === null) {
    const input = request.stdin === undefined ? ('ignore' as const) : Buffer.from(request.stdin);
    return [open ?? input, 'pipe', 'pipe', ...extra] as const;
  }
  const input = open ?? (pipes.stdin === null ? ('ignore' as const) : stdioDescriptor(pipes.stdin));
  return [input, stdioDescriptor(pipes.stdout), stdioDescriptor(pipes.stderr), ...extra] as const;
};

const createStopper = (pid: number, tree: ProcessTree, graceMs: number) => {
  let reason: StopReason | null = null;
  let grace: NodeJS.Timeout | undefined;
  return {
    reason: () => reason,
    stop: (why: StopReason): void => {
      if (reason !== null) return;
      reason = why;
      // Limits of output and resources: kill at once, no grace period.
      if (why === 'output_limit' || why === 'over_limit' || graceMs <= 0) return void killProcessTree(tree);
      requestTreeStop(pid);
      grace = setTimeout(() => void killProcessTree(tree), graceMs);
    },
    clear: () => clearTimeout(grace),
  };
};

const watchCaps = (caps: ProcessCaps | undefined, tree: ProcessTree, stop: () => void) => {
  let excess: CapExcess | null = null;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const measureUsage = async (): Promise<void> => {
    const found = (await caps?.measure(tree)) ?? null;
    if (ended) return;
    excess = found;
    if (excess === null) scheduleCheck();
    else stop();
  };
  const scheduleCheck = (): void => {
    if (ended) return;
    timer = setTimeout(() => void measureUsage().catch(scheduleCheck), caps?.everyMs);
  };
  if (caps) scheduleCheck();
  return {
    end: (): CapExcess | null => {
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
    (await spawnProcess({ argv: [...argv], cwd: '/', env: { PATH: toPathVariable() }, ...limits }))
      .exitCode === 0
  );
};

/** Loaded with the first process, because it costs 60 ms of start-up. */
const loadExeca = async () => (await import('execa')).execa;
type Execa = Awaited<ReturnType<typeof loadExeca>>;

const startChild = (execa: Execa, request: SpawnRequest, pipes: NamedPipes | null) => {
  const [file, ...args] = request.argv;
  return execa(file, args, {
    cwd: request.cwd,
    env: { ...request.env },
    extendEnv: false,
    detached: true,
    cleanup: false,
    buffer: false,
    encoding: 'buffer',
    reject: false,
    stdio: [...stdioOf(request, pipes)],
  });
};
type Child = ReturnType<typeof startChild>;

const concludeFailedStart = async (request: SpawnRequest, child: Child): Promise<SpawnResult> => {
  await request.caps?.close({ exitCode: null, signal: null, stderr: '' });
  const { code = '' } = await child;
  const says = START_FAILURES[code];
  const excess: CapExcess | undefined = says === undefined ? undefined : { limit: 'host', says };
  return notStarted('not_started', explainStartFailure(request, code), excess);
};

type Stopper = ReturnType<typeof createStopper>;
type Outputs = { stdout: Readable | null; stderr: Readable | null };

const captureOutput = (request: SpawnRequest, { stdout, stderr }: Outputs, stopper: Stopper) => {
  const captured = {
    stdout: createOutputBuffer(request.maxOutputBytes),
    stderr: createOutputBuffer(request.maxOutputBytes),
  };
  stdout?.on('data', (chunk: Buffer) => {
    if (request.streamsStdout) return request.onStdout?.(chunk);
    const { kept: part, over } = captured.stdout.add(chunk);
    if (part.length > 0) request.onStdout?.(part);
    if (over) stopper.stop('output_limit');
  });
  stderr?.on('data', (chunk: Buffer) => {
    const { kept: part, over } = captured.stderr.add(chunk);
    if (part.length > 0) request.onStderr?.(part);
    if (over) stopper.stop('output_limit');
  });
  return captured;
};

const enforceLimits = (request: SpawnRequest, tree: ProcessTree, stopper: Stopper) => {
  const watch = watchCaps(request.caps, tree, () => stopper.stop('over_limit'));
  const clock = setTimeout(() => stopper.stop('timed_out'), request.timeoutMs);
  const onAbort = (): void => stopper.stop('aborted');
  request.signal?.addEventListener('abort', onAbort, { once: true });
  return {
    end: (): CapExcess | null => {
      clearTimeout(clock);
      const seen = watch.end();
      stopper.clear();
      request.signal?.removeEventListener('abort', onAbort);
      return seen;
    },
  };
};

/** Returns how many processes could not be killed. */
const killSurvivors = async (pid: number, tree: ProcessTree, stopper: Stopper): Promise<number> => {
  // A tree without a mark is our own git, so an empty group suffices as proof.
  const over = tree.mark === null && stopper.reason() === null && !sendSignal(-pid, 'SIGKILL');
  return over ? 0 : killProcessTree(tree);
};

const collectResult = async (child: Child, own: Outputs | null): Promise<Awaited<Child>> => {
  const streams = [...child.nodeChildProcess.stdio, own?.stdout, own?.stderr];
  const drain = setTimeout(() => {
    for (const stream of streams) stream?.destroy();
  }, DRAIN_MS);
  const result = await child;
  for (const stream of [own?.stdout, own?.stderr]) if (stream && !stream.closed) await once(stream, 'close');
  clearTimeout(drain);
  return result;
};

/** Never throws for a result of the process. The whole tree is dead on return. */
export const spawnProcess = async (request: SpawnRequest): Promise<SpawnResult> => {
  const execa = await loadExeca();
  const pipes = request.pipes === true ? await openNamedPipes(request.stdin, makePipes) : null;
  if (request.signal?.aborted === true) {
    pipes?.drop();
    return notStarted('aborted', '');
  }
  closeInheritedDescriptors();
  const began = performance.now();
  request.caps?.open();
  const child = startChild(execa, request, pipes);
  const { pid, nodeChildProcess } = child;
  if (pid === undefined) {
    pipes?.drop();
    return concludeFailedStart(request, child);
  }

  const own = pipes?.started() ?? null;
  const pidStart = findProcessStartTime(pid);
  const tree: ProcessTree = {
    root: pid,
    start: Number(pidStart ?? 0),
    mark: request.env[RUN_MARK_VARIABLE] ?? null,
  };
  const stopper = createStopper(pid, tree, request.graceMs ?? 2000);
  const captured = captureOutput(request, own ?? nodeChildProcess, stopper);
  const limits = enforceLimits(request, tree, stopper);
  const exited = new Promise<void>((resolve) => nodeChildProcess.once('exit', () => resolve()));
  request.onStart?.(pid, pidStart);
  const stdin = request.onStdin ? nodeChildProcess.stdin : null;
  stdin?.on('error', () => {});
  if (stdin) request.onStdin?.(stdin);

  await exited;
  stdin?.destroy();
  const ms = Math.round(performance.now() - began);
  const seen = limits.end();
  const survivors = await killSurvivors(pid, tree, stopper);
  const result = await collectResult(child, own);

  const reason = stopper.reason();
  const code = { exitCode: result.exitCode ?? null, signal: result.signal ?? null };
  const stderr = decodeOutput(captured.stderr.bytes(), { cut: reason === 'output_limit' });
  const met = (await request.caps?.close({ ...code, stderr: stderr.slice(-64_000) })) ?? null;
  const excess = seen ?? met;
  const stdoutBytes = captured.stdout.bytes();
  const warning = survivors === 0 ? '' : `\n${survivors} processes could not be killed.`;
  return {
    ...code,
    ended: reason ?? (result.signal === undefined ? 'exited' : 'signalled'),
    ...(excess === null ? {} : { excess }),
    ms,
    stdout: decodeOutput(stdoutBytes, { cut: reason === 'output_limit' }),
    stderr: stderr + warning,
    stdoutBytes,
  };
};
