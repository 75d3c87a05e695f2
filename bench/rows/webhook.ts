/** How many signed deliveries a second the real process makes durable and answers, beside probot, which stores nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drained, SECRET, startHost, type Host } from '../host.ts';
import type { Told } from '../load/client.ts';
import type { Order } from '../load/main.ts';
import { inPairs, median, round, spread } from '../measure.ts';
import { installPeers, peer, peerVersion } from '../peers.ts';
import { resultOf, startNode } from '../processes.ts';
import type { Measurement, Row } from '../row.ts';

const LOAD = join(import.meta.dirname, '../load/main.ts');
export const PATH = '/webhooks/github';
export const CONNECTIONS = 32;

export type Loaded = Omit<Told, 'taken'> & { taken: string[] };

/** Sends from a third process, and gives back which deliveries were answered with a 2xx. */
export const load = async (order: Omit<Order, 'takenTo'>, dir: string): Promise<Loaded> => {
  const takenTo = join(dir, 'taken');
  const told = await resultOf<Omit<Told, 'taken'>>(startNode([LOAD, JSON.stringify({ ...order, takenTo })]));
  return { ...told, taken: readFileSync(takenTo, 'utf8').split('\n').filter(Boolean) };
};

/** Answered deliveries that are no row of the inbox. */
export const lost = (host: Host, taken: readonly string[]): number => {
  const rows = host.look<{ key: string }>("select key from inbox where source = 'github'");
  const stored = new Set(rows.map(({ key }) => key));
  return taken.filter((id) => !stored.has(id)).length;
};

export const webhook: Measurement = {
  name: 'webhook',
  about: 'signed 10 KB deliveries, 32 connections: durable and answered, beside probot with an empty handler',
  run: async ({ quick, pairs }): Promise<Row[]> => {
    installPeers((text) => process.stderr.write(`${text}\n`));
    const host = await startHost();
    const probot = startNode([peer('probot.js'), SECRET]);
    try {
      const product = await host.start();
      const [, peerPort] = await probot.says(/listening on (\d+)/);
      const wish = { path: PATH, secret: SECRET, connections: CONNECTIONS, ms: quick ? 1_500 : 3_000 };
      const p99s = { ours: [] as number[], theirs: [] as number[] };
      const drains: number[] = [];
      let missing = 0;
      let taken = 0;
      const ours = async (): Promise<number> => {
        const told = await load({ ...wish, port: product.port }, host.dataDir);
        missing += lost(host, told.taken) + told.taken.length - new Set(told.taken).size;
        taken += told.taken.length;
        p99s.ours.push(told.p99);
        // What waits to be handled would slow down whoever is measured next.
        drains.push((await drained(host)) / told.ms);
        return told.perSecond;
      };
      const theirs = async (): Promise<number> => {
        const told = await load({ ...wish, port: Number(peerPort) }, host.dataDir);
        p99s.theirs.push(told.p99);
        return told.perSecond;
      };
      const { a, b, ratio, ...rest } = await inPairs(pairs, ours, theirs);
      const says = [
        `durable and 2xx ${round(a)}/s (p99 ${median(p99s.ours).toFixed(1)} ms)`,
        `probot ${peerVersion('probot')} ${round(b)}/s (p99 ${median(p99s.theirs).toFixed(1)} ms)`,
        spread({ a, b, ratio, ...rest }),
        `the inbox is empty ${median(drains).toFixed(1)} × the time later`,
        'goal >= 1',
      ];
      return [
        {
          name: 'webhook',
          value: ratio,
          unit: 'x probot',
          bar: { is: '>=', at: 0.85 },
          note: says.join('; '),
        },
        {
          ...{ name: 'webhook-lost', value: missing, unit: 'deliveries', bar: { is: '=', at: 0 } },
          note: `each of the ${round(taken)} deliveries that got a 2xx was looked up in the inbox`,
        },
      ];
    } finally {
      await probot.stop();
      await host.close();
    }
  },
};
