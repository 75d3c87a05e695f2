/** One thread of `agentpr replay`. */
import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from '../db/directory/open.ts';
import { replayShare, type Share } from '../orchestrator/engine/replay.ts';

const { dataDir, share } = workerData as { dataDir: string; share: Share };
const ledger = openReader(dataDir, { snapshot: true });
const part = await replayShare(ledger, share);
await ledger.close();
parentPort?.postMessage(part);
