/** Plays the orders one after another, and prints their table as it grows. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkOrder } from './check-order.ts';
import { createTaskBox } from './check-task.ts';
import { readOrders, type Order } from './order-list.ts';
import { playOrder } from './play-order.ts';
import { prepareOrder } from './prepare-order.ts';
import { compareRecord, pullText } from './recorded-pulls.ts';
import {
  judgeOrder,
  ORDER_HEAD,
  orderRow,
  orderTranscript,
  summariseOrders,
  type OrderOutcome,
} from './report-orders.ts';

type Asked = {
  repos: string;
  only: readonly string[];
  out: string | null;
  byHand: boolean;
  record: boolean;
  signal: AbortSignal;
};

export const playOrders = async ({ repos, only, out, byHand, record, signal }: Asked): Promise<boolean> => {
  const orders = readOrders(path.join(import.meta.dirname, 'orders.json')).filter(
    ({ repo }) => only.length === 0 || only.includes(repo),
  );
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'agentpr-orders-'));
  if (out !== null) mkdirSync(out, { recursive: true });
  const box = byHand ? await createTaskBox(path.join(scratch, 'box')) : null;
  const play = async (order: Order): Promise<OrderOutcome> => {
    const prepared = prepareOrder(order, repos, scratch);
    const played = await playOrder(prepared, signal);
    const at = path.join(scratch, 'box', order.repo.replace('/', '+'));
    const checked = box === null ? null : await checkOrder(box, prepared, at, signal);
    rmSync(at, { recursive: true, force: true });
    return { order, played, checked };
  };
  const outcomes: OrderOutcome[] = [];
  let isBroken = false;
  console.log(
    `load ${(os.loadavg()[0] ?? 0).toFixed(1)} at the start, ${os.cpus().length} processors\n\n${ORDER_HEAD}`,
  );
  try {
    for (const order of orders) {
      if (signal.aborted) break;
      const outcome = await play(order).catch((error: unknown) => {
        isBroken = true;
        console.log(`| ${order.repo} | | | | | | NOT PLAYED: ${String(error).slice(0, 300)} |`);
        return null;
      });
      if (outcome === null) continue;
      outcomes.push(outcome);
      console.log(orderRow(outcome));
      const text = compareRecord(order.repo, pullText(outcome.played), { record });
      if (text === 'other') console.log(`${order.repo}: what is published is not what was read and graded`);
      if (out !== null) {
        writeFileSync(path.join(out, `${order.repo.replace('/', '+')}.md`), orderTranscript(outcome));
        appendFileSync(path.join(out, 'table.md'), `${orderRow(outcome)}\n`);
      }
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  console.log(`\n${summariseOrders(outcomes)}`);
  return !isBroken && outcomes.every((one) => judgeOrder(one).problems.length === 0);
};
