/**
 * The webhook receiver as a process: <data dir> <secret> [Postgres URL]. Prints its address, then
 * its peak memory per input line.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openLedger } from '../../db/directory/open-ledger.ts';
import { createHttpServer, listenOn } from '../../webhooks/http-server.ts';
import { createReceiver } from '../../webhooks/receiver.ts';

const [dataDir = '', secret = '', database] = process.argv.slice(2);
const ledger = await openLedger({ dataDir, database, now: Date.now });
const log = { error: (fields: unknown) => console.error(fields) };
const receiver = createReceiver({
  secrets: [secret],
  receive: (items) => ledger.receive(items, Date.now()),
  // Every delivery concerns somebody.
  hasLiveRun: async () => true,
  countUnrelated: () => {},
  log,
});
console.log(await listenOn(createHttpServer([receiver], log), '127.0.0.1', 0));
for await (const _ of createInterface(process.stdin)) {
  // Peak memory from the kernel (kB), garbage included.
  console.log(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0');
}
