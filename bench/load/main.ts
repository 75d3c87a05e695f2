/** Runs the load in its own process: reads JSON, writes accepted ids to a file, prints JSON. */
import { readFileSync, writeFileSync } from 'node:fs';
import { sendAll, type Wish } from './client.ts';
import { deliveries, type Payload } from './payloads.ts';

export type Order = Wish & {
  /** File for accepted ids, one per line with the time of sending. */
  takenTo: string;
  /** File with payloads as JSON; default: 64 different ones of 10 KB. */
  payloads?: string;
};

const order = JSON.parse(process.argv[2] ?? '') as Order;
const payloads =
  order.payloads === undefined
    ? deliveries(64)
    : (JSON.parse(readFileSync(order.payloads, 'utf8')) as Payload[]);
const { taken, sentAt, ...told } = await sendAll(order, payloads);
writeFileSync(order.takenTo, taken.map((id, i) => `${id} ${sentAt[i] ?? NaN}`).join('\n'));
console.log(JSON.stringify(told));
