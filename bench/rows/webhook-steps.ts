/** Time from a signed delivery to the run's committed step, at a fixed rate. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { ANA, drained, SECRET, startHost } from '../host.ts';
import { checkRun } from '../load/payloads.ts';
import { quantile, round } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';
import { greenRuns } from '../story.ts';
import { CONNECTIONS, load, PATH } from './webhook.ts';

const RUNS = 10;
const RATE = 200;
/** Checks per run, as many as a large repository has. */
const CHECKS = 20;
const FIRST = Date.parse('2026-09-01T10:00:00Z');

const watchSteps = (dataDir: string) => {
  const db = new Database(join(dataDir, 'ledger.db'), { readonly: true, timeout: 5_000 });
  const newest = db.prepare('select max(rowid) from events').pluck();
  const since = db.prepare(
    'select rowid as row, idempotency_key as key from events where rowid > ? order by rowid',
  );
  const seen = new Map<string, number>();
  let last = Number(newest.get());
  const look = (): void => {
    const rows = since.all(last) as { row: number; key: string }[];
    const now = performance.timeOrigin + performance.now();
    for (const { row, key } of rows) {
      last = row;
      if (key.startsWith('forge:')) seen.set(key.slice('forge:'.length), now);
    }
  };
  let over = false;
  const watching = (async () => {
    for (; !over; await pause(1)) look();
    look();
  })();
  return {
    seen,
    stop: async (): Promise<void> => {
      over = true;
      await watching;
      db.close();
    },
  };
};

export const webhookSteps: Measurement = {
  name: 'webhook-steps',
  about: 'from a signed delivery of a live run to its committed step, at 200 deliveries a second',
  run: async ({ quick }): Promise<Row[]> => {
    const host = await startHost();
    try {
      const runs = await greenRuns(host.dataDir, { count: RUNS, chat: ANA });
      const requests = RATE * (quick ? 5 : 20);
      // Every delivery is a new attempt of a check, so each is a step.
      const payloads = Array.from({ length: requests }, (_, i) => {
        return checkRun(i % (RUNS * CHECKS), 10_240, runs[i % RUNS], FIRST + i * 1_000);
      });
      const file = join(host.dataDir, 'payloads.json');
      writeFileSync(file, JSON.stringify(payloads));
      const product = await host.start();
      const steps = watchSteps(host.dataDir);
      const wish = { path: PATH, secret: SECRET, port: product.port, payloads: file };
      const told = await load({ ...wish, connections: CONNECTIONS, requests, perSecond: RATE }, host.dataDir);
      await drained(host);
      await steps.stop();
      const waits = told.taken.map((id, i) => (steps.seen.get(id) ?? NaN) - (told.sentAt[i] ?? NaN));
      const without = waits.filter((ms) => Number.isNaN(ms)).length + requests - told.taken.length;
      const done = waits.filter((ms) => !Number.isNaN(ms));
      const at = (q: number): string => quantile(done, q).toFixed(1);
      return [
        {
          name: 'webhook-committed',
          value: quantile(done, 0.95),
          unit: 'ms',
          bar: { is: '<=', at: 50 },
          note: `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, most ${at(1)} ms over ${round(done.length)} deliveries of ${RUNS} live runs at ${round(told.perSecond)}/s, from the first byte sent to the step that another connection reads; answered in p50 ${told.p50.toFixed(1)}, p99 ${told.p99.toFixed(1)} ms`,
        },
        {
          name: 'webhook-without-step',
          value: without,
          unit: 'deliveries',
          bar: { is: '=', at: 0 },
          note: `of ${round(requests)}: not answered with a 2xx, or without a step`,
        },
      ];
    } finally {
      await host.close();
    }
  },
};
