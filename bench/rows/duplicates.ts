/** Duplicate deliveries: each must be one row of the inbox and one event. */
import { writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ANA, drained, SECRET, startHost } from '../host.ts';
import { checkRun } from '../load/payloads.ts';
import { round } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';
import { greenRuns } from '../story.ts';
import { CONNECTIONS, load, PATH } from './webhook.ts';

const RUNS = 10;
const IDS = 100;

export const duplicates: Measurement = {
  name: 'duplicates',
  about: 'deliveries of few ids: rows and events for each id',
  run: async ({ quick }): Promise<Row[]> => {
    const host = await startHost();
    try {
      const runs = await greenRuns(host.dataDir, { count: RUNS, chat: ANA });
      const bodies = Array.from({ length: IDS }, (_, i) => {
        return checkRun(i, 10_240, runs[i % RUNS]);
      });
      const payloads = join(host.dataDir, 'payloads.json');
      writeFileSync(payloads, JSON.stringify(bodies));
      const ids = bodies.map(() => randomUUID());
      const product = await host.start();
      const requests = quick ? 10_000 : 100_000;
      const wish = { path: PATH, secret: SECRET, connections: CONNECTIONS, port: product.port };
      const told = await load({ ...wish, requests, ids, payloads }, host.dataDir);
      await drained(host);
      const rows = host.look<{ key: string; n: number }>(
        "select key, count(*) as n from inbox where source = 'forge' group by key",
      );
      const events = host.look<{ key: string; n: number }>(
        "select idempotency_key as key, count(*) as n from events where idempotency_key like 'forge:%' group by idempotency_key",
      );
      const wrong = (found: readonly { key: string; n: number }[], prefix: string): number => {
        const counts = new Map(found.map(({ key, n }) => [key, n]));
        return ids.filter((id) => counts.get(`${prefix}${id}`) !== 1).length;
      };
      const note = `${round(told.taken.length)} of ${round(requests)} deliveries of ${IDS} ids answered with 2xx, ${round(told.perSecond)}/s, ${CONNECTIONS} connections`;
      const none = { unit: 'ids', bar: { is: '=' as const, at: 0 } };
      return [
        {
          name: 'duplicate-rows',
          value: wrong(rows, ''),
          ...none,
          note: `ids without exactly one row; ${note}`,
        },
        {
          name: 'duplicate-transitions',
          value: wrong(events, 'forge:'),
          ...none,
          note: `ids without exactly one event in the log of their run`,
        },
      ];
    } finally {
      await host.close();
    }
  },
};
