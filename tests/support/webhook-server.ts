/**
 * The webhook receiver in a process of its own, over a ledger on disk or in a Postgres: <data dir>
 * <secret> [address]. Says its address, then its peak memory for each line it reads.
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
  // Whatever it says concerns somebody.
  alive: async () => true,
  log,
});
console.log(await listenOn(createHttpServer([receiver], log), '127.0.0.1', 0));
for await (const _ of createInterface(process.stdin)) {
  // In kB, from the kernel: what is collected again between two looks counts as well.
  console.log(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0');
}
