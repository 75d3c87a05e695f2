/** The thread that parses untrusted bytes. It loads a task's module on first use. */
import { parentPort } from 'node:worker_threads';
import { hasLongerText, maxTextLengthOf } from './answer-length.ts';
import type { ReaderAnswer, ReaderJob, ReaderTasks } from './reader-threads.ts';

const postAnswer = (message: ReaderAnswer): void => parentPort?.postMessage(message);

const performJob = async ({ id, module, task, input }: ReaderJob): Promise<void> => {
  try {
    const { readerTasks } = (await import(module)) as { readerTasks: ReaderTasks };
    const run = readerTasks[task];
    if (!run) throw new Error(`${module} has no task ${task}`);
    postAnswer({ id, is: 'reading', file: null });
    const value = await run(input, (file) => postAnswer({ id, is: 'reading', file }));
    const maxTextLength = maxTextLengthOf(run);
    // guard: L9-answer-bounded
    if (hasLongerText(value, maxTextLength)) postAnswer({ id, is: 'too_long', maxTextLength });
    else postAnswer({ id, is: 'done', value });
  } catch (error) {
    postAnswer({ id, is: 'failed', error });
  }
};

parentPort?.on('message', (job: ReaderJob) => void performJob(job));
