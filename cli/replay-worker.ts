/** Runs one thread of `agentpr replay`. */
import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from '#db';
import { replayShare, type ReplayShare } from '#audit';

const { dataDir, database, share } = workerData as {
  dataDir: string;
  database: string | null;
  share: ReplayShare;
};
const ledger = openReader(dataDir, { snapshot: true, database });
const part = await replayShare(ledger, share);
await ledger.close();
parentPort?.postMessage(part);
