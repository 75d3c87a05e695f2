/** One installation on several machines: workers take jobs, and a run's files follow it. */
export { createWorker } from './job-worker.ts';
export { createRunMover } from './run-transfer.ts';
