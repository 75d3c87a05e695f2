/**
 * The load in a process of its own: takes a wish as JSON, writes the ids that were taken to a file,
 * prints the rest as JSON.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { sendAll, type Wish } from './client.ts';
import { deliveries, type Payload } from './payloads.ts';

export type Order = Wish & {
  /** Where the ids of the answered deliveries go, one a line, each with the time that it was sent at. */
  takenTo: string;
  /** A file with payloads as JSON; 64 different ones of 10 KB without. */
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
