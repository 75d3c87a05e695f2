/** The thread in which large content is searched. */
import { parentPort } from 'node:worker_threads';
import { contentFindings } from './content.ts';
import type { Sides } from './scan.ts';

parentPort?.on('message', ({ before, after }: Sides) => {
  parentPort?.postMessage(contentFindings(before, after));
});
