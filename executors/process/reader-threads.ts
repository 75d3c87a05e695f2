/** Parses untrusted bytes in threads with time and memory limits (O10). */
import { Worker } from 'node:worker_threads';
import type { TaskLength } from './answer-length.ts';
import { UnreadableFailure } from '#ports/forge';
import { MB, MINUTE, SECOND } from '#model/values';

/** `reading` names the file that is parsed next. Input and result are plain data. */
type ReaderTask = ((input: never, reading: (file: string) => void) => unknown) & TaskLength;
export type ReaderTasks = Readonly<
  Record<string, ((input: unknown, reading: (file: string) => void) => unknown) & TaskLength>
>;
export type ReaderJob = { id: number; module: string; task: string; input: unknown };
export type ReaderAnswer = { id: number } & (
  | { is: 'reading'; file: string | null }
  | { is: 'done'; value: unknown }
  | { is: 'too_long'; maxTextLength: number }
  | { is: 'failed'; error: unknown }
);

export type ReaderLimits = {
  threads: number;
  fileMs: number;
  totalMs: number;
  heapMb: number;
  youngMb: number;
  idleMs: number;
};

const READER_THREAD_LIMITS: ReaderLimits = {
  threads: 2,
  fileMs: 10 * SECOND,
  totalMs: MINUTE,
  heapMb: 192,
  youngMb: 32,
  idleMs: MINUTE,
};
/** On a machine that is busy with other work a thread may take this many times its limit. */
const MAX_STRETCH = 4;

/** Milliseconds of processor time of the whole process: no thread of it used more. */
const processorTime = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

type Asked = ReaderJob & {
  share: number;
  settle: (value: unknown) => void;
  fail: (error: Error) => void;
};
type Thread = { worker: Worker; end: () => void; take: (job: Asked) => void };

export type ReaderThreads = {
  /** Throws UnreadableFailure past a limit, or where a text of the answer is too long to be read again. Large `bytes` extend the time limit. */
  ask: <T extends Readonly<Record<string, ReaderTask>>, K extends keyof T & string>(
    module: string,
    task: K,
    input: Parameters<T[K]>[0],
    bytes?: number,
  ) => Promise<Awaited<ReturnType<T[K]>>>;
  count: () => number;
  end: () => Promise<void>;
};

const isOutOfMemory = (error: unknown): boolean =>
  // A stack or string that is too large ends as a RangeError.
  error instanceof RangeError ||
  (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');

export const createReaderThreads = (
  given: Partial<ReaderLimits> = {},
  usedMs: () => number = processorTime,
): ReaderThreads => {
  const limits = { ...READER_THREAD_LIMITS, ...given };
  const free: Thread[] = [];
  const all = new Set<Thread>();
  const waiting: Asked[] = [];
  let count = 0;

  const startThread = (): Thread => {
    const worker = new Worker(new URL(import.meta.resolve('#programs/reader-thread')), {
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: limits.youngMb },
    });
    let job: Asked | null = null;
    let file: string | null = null;
    const timers: { file?: NodeJS.Timeout; total?: NodeJS.Timeout; idle?: NodeJS.Timeout } = {};
    const stopTimers = (): void => Object.values(timers).forEach((timer) => clearTimeout(timer));

    const finishJob = (end: (asked: Asked) => void): void => {
      const asked = job;
      job = null;
      stopTimers();
      if (asked) end(asked);
    };
    const dropThread = (error: Error): void => {
      all.delete(thread);
      const at = free.indexOf(thread);
      if (at >= 0) free.splice(at, 1);
      finishJob(({ fail }) => fail(error));
      void worker.terminate();
      startNext();
    };
    const dropLate = (ms: number): void =>
      dropThread(new UnreadableFailure(file, { limit: 'time', limitValue: ms / SECOND }));
    const startTimer = (of: 'file' | 'total', ms: number): void => {
      const [usedBefore, begunAt] = [usedMs(), performance.now()];
      const dropWhenUsed = (): void => {
        const used = usedMs() - usedBefore;
        if (used >= ms || performance.now() - begunAt >= MAX_STRETCH * ms) dropLate(ms);
        else timers[of] = setTimeout(dropWhenUsed, ms - used);
      };
      timers[of] = setTimeout(dropWhenUsed, ms);
    };
    const toReadFailure = (error: unknown): Error => {
      if (isOutOfMemory(error))
        return new UnreadableFailure(file, { limit: 'memory', limitValue: limits.heapMb });
      return error instanceof Error ? error : new Error(String(error));
    };

    worker.on('message', (answer: ReaderAnswer) => {
      if (answer.id !== job?.id) return;
      if (answer.is === 'reading') {
        file = answer.file;
        clearTimeout(timers.file);
        if (file !== null) startTimer('file', limits.fileMs * job.share);
        return;
      }
      if (answer.is === 'too_long') {
        const limit = { limit: 'size', limitValue: answer.maxTextLength / MB } as const;
        finishJob(({ fail }) => fail(new UnreadableFailure(file, limit)));
      } else if (answer.is === 'done') finishJob(({ settle }) => settle(answer.value));
      else finishJob(({ fail }) => fail(toReadFailure(answer.error)));
      free.push(thread);
      // An idle thread keeps no process alive.
      worker.unref();
      timers.idle = setTimeout(() => dropThread(new Error('idle')), limits.idleMs).unref();
      startNext();
    });
    worker.on('error', (error) => dropThread(toReadFailure(error)));
    worker.on('exit', () => all.has(thread) && dropThread(new Error('the thread that reads has ended')));
    const thread: Thread = {
      worker,
      end: () => dropThread(new Error('the thread that reads has ended')),
      take: (asked) => {
        stopTimers();
        job = asked;
        file = null;
        worker.ref();
        // guard: O10-reader-deadline
        startTimer('total', limits.totalMs * asked.share);
        const { id, module, task, input } = asked;
        worker.postMessage({ id, module, task, input } satisfies ReaderJob);
      },
    };
    all.add(thread);
    return thread;
  };

  const startNext = (): void => {
    if (waiting.length === 0) return;
    const thread = free.pop() ?? (all.size < limits.threads ? startThread() : null);
    const asked = thread && waiting.shift();
    if (asked) thread.take(asked);
  };

  return {
    ask: (module, task, input, bytes = 0) =>
      new Promise((resolve, reject) => {
        const settle = resolve as (value: unknown) => void;
        const share = 1 + Math.floor(bytes / MB);
        waiting.push({
          id: (count += 1),
          module: import.meta.resolve(module),
          task,
          input,
          share,
          settle,
          fail: reject,
        });
        startNext();
      }),
    count: () => all.size,
    end: async () => {
      const ended = [...all].map(({ worker }) => new Promise((resolve) => worker.once('exit', resolve)));
      for (const thread of [...all]) thread.end();
      await Promise.all(ended);
    },
  };
};

export const readerThreads = createReaderThreads();
