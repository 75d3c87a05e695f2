/** The thread that parses untrusted bytes. It loads a task's module on first use. */
import { parentPort } from 'node:worker_threads';
import { isWithin } from './answer-bounds.ts';
import type { ReaderAnswer, ReaderJob, ReaderModule } from './reader-threads.ts';

const answer = (message: ReaderAnswer): void => parentPort?.postMessage(message);

const work = async ({ id, module, task, input, maxTextLength }: ReaderJob): Promise<void> => {
  try {
    const { tasks, longAnswers = [] } = (await import(module)) as ReaderModule;
    const run = tasks[task];
    if (!run) throw new Error(`${module} has no task ${task}`);
    answer({ id, is: 'reading', file: null });
    const value = await run(input, (file) => answer({ id, is: 'reading', file }));
    // guard: O10-answer-bounded
    if (!longAnswers.includes(task) && !isWithin(value, maxTextLength)) answer({ id, is: 'too_long' });
    else answer({ id, is: 'done', value });
  } catch (error) {
    answer({ id, is: 'failed', error });
  }
};

parentPort?.on('message', (job: ReaderJob) => void work(job));
