/** The thread in which large content, and large patches, are searched. */
import { parentPort } from 'node:worker_threads';
import { contentFindings } from './content.ts';
import { patchFindings } from './patch-lines.ts';
import type { Sought } from './scan.ts';

parentPort?.on('message', (sought: Sought) => {
  if ('patch' in sought) {
    // What cannot be read ends the thread, and whoever asked hears so.
    void patchFindings(sought.patch).then((found) => parentPort?.postMessage(found));
    return;
  }
  const { before, after } = sought.sides;
  parentPort?.postMessage(contentFindings(before, after));
});
