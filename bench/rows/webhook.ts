/** Deliveries per second, compared with a probot that stores nothing, and with one that stores ids. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANA, drained, SECRET, startHost, type Host } from '../host.ts';
import type { Told } from '../load/client.ts';
import type { Order } from '../load/main.ts';
import { checkRun, type Payload } from '../load/payloads.ts';
import { inPairs, median, round, spread, type Paired } from '../measure.ts';
import { installPeers, peer, peerVersion } from '../peers.ts';
import { resultOf, startNode } from '../processes.ts';
import type { BenchOptions, Measurement, Row } from '../row.ts';
import { greenRuns } from '../story.ts';

const LOAD = join(import.meta.dirname, '../load/main.ts');
export const PATH = '/webhooks/github';
export const CONNECTIONS = 32;

type Printed = Omit<Told, 'taken' | 'sentAt'>;
export type Loaded = Printed & Pick<Told, 'taken' | 'sentAt'>;

export const load = async (order: Omit<Order, 'takenTo'>, dir: string): Promise<Loaded> => {
  const takenTo = join(dir, 'taken');
  const told = await resultOf<Printed>(startNode([LOAD, JSON.stringify({ ...order, takenTo })]));
  const lines = readFileSync(takenTo, 'utf8').split('\n').filter(Boolean);
  const sent = lines.map((line) => line.split(' '));
  return { ...told, taken: sent.map(([id = '']) => id), sentAt: sent.map(([, at]) => Number(at)) };
};

export const lost = (host: Host, taken: readonly string[]): number => {
  const rows = host.look<{ key: string }>("select key from inbox where source = 'forge'");
  const stored = new Set(rows.map(({ key }) => key));
  return taken.filter((id) => !stored.has(id)).length;
};

const RUNS = 10;
const DIFFERENT = 64;

type Compared = Paired & {
  p99s: { ours: number; theirs: number };
  drained: number;
  taken: number;
  missing: number;
};

const countUnrelated = async (port: number): Promise<number> => {
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const counts = page.matchAll(/^agentpr_unrelated_deliveries\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
};

/** Alternates between the product and probot; `about` gives the payloads for a ledger. */
const compare = async (
  { quick, pairs }: BenchOptions,
  about: (dataDir: string) => Promise<Payload[] | null>,
  peerStores = false,
): Promise<Compared> => {
  const host = await startHost();
  const storesTo = peerStores ? [join(host.dataDir, 'probot.db')] : [];
  const probot = startNode([peer('probot.js'), SECRET, ...storesTo]);
  try {
    const chosen = await about(host.dataDir);
    const payloads = join(host.dataDir, 'payloads.json');
    if (chosen) writeFileSync(payloads, JSON.stringify(chosen));
    const product = await host.start();
    const [, peerPort] = await probot.says(/listening on (\d+)/);
    const wish = {
      path: PATH,
      secret: SECRET,
      connections: CONNECTIONS,
      ms: quick ? 1_500 : 3_000,
      ...(chosen ? { payloads } : {}),
    };
    const p99s = { ours: [] as number[], theirs: [] as number[] };
    const drains: number[] = [];
    let missing = 0;
    let taken = 0;
    const ours = async (): Promise<number> => {
      const told = await load({ ...wish, port: product.port }, host.dataDir);
      taken += told.taken.length;
      missing += chosen
        ? lost(host, told.taken) + told.taken.length - new Set(told.taken).size
        : Math.max(0, taken - (await countUnrelated(product.port)));
      p99s.ours.push(told.p99);
      // Unhandled deliveries would slow down the next measurement.
      drains.push((await drained(host)) / told.ms);
      return told.perSecond;
    };
    const theirs = async (): Promise<number> => {
      const told = await load({ ...wish, port: Number(peerPort) }, host.dataDir);
      p99s.theirs.push(told.p99);
      return told.perSecond;
    };
    const paired = await inPairs(pairs, ours, theirs);
    const p99 = { ours: median(p99s.ours), theirs: median(p99s.theirs) };
    return { ...paired, p99s: p99, drained: median(drains), taken, missing };
  } finally {
    await probot.stop();
    await host.close();
  }
};

const says = ({ p99s, drained, ...paired }: Compared): string =>
  [
    `2xx ${round(paired.a)}/s (p99 ${p99s.ours.toFixed(1)} ms)`,
    `probot ${peerVersion('probot')} ${round(paired.b)}/s (p99 ${p99s.theirs.toFixed(1)} ms)`,
    spread(paired),
    `the inbox is empty ${drained.toFixed(1)} × the time later`,
  ].join('; ');

const aboutRuns = async (dataDir: string): Promise<Payload[]> => {
  const runs = await greenRuns(dataDir, { count: RUNS, chat: ANA });
  return Array.from({ length: DIFFERENT }, (_, i) => checkRun(i, 10_240, runs[i % RUNS]));
};

export const webhook: Measurement = {
  name: 'webhook',
  about: 'signed 10 KB deliveries, 32 connections: counted or durable, and answered, beside probot',
  run: async (options): Promise<Row[]> => {
    installPeers((text) => process.stderr.write(`${text}\n`));
    const foreign = await compare(options, async () => null);
    const ours = await compare(options, aboutRuns);
    const durable = await compare(options, async () => null, true);
    return [
      {
        name: 'webhook',
        value: foreign.ratio,
        unit: 'x probot',
        bar: { is: '>=', at: 1.2 },
        note: `of repositories without a run, as most are: verified and counted; ${says(foreign)}`,
      },
      {
        name: 'webhook-ours',
        value: ours.ratio,
        unit: 'x probot',
        bar: { is: '>=', at: 0.4 },
        note: `checks of ${RUNS} live runs, durable before they are answered, and the steps that follow beside them; ${says(ours)}`,
      },
      {
        name: 'webhook-durable',
        value: durable.ratio,
        unit: 'x probot that stores ids',
        bar: { is: '>=', at: 2 },
        note: `of repositories without a run, beside a probot that keeps each id in SQLite (WAL, synchronous = full), so that a repetition is known; ${says(durable)}`,
      },
      {
        name: 'webhook-lost',
        value: foreign.missing + ours.missing + durable.missing,
        unit: 'deliveries',
        bar: { is: '=', at: 0 },
        note: `each of the ${round(foreign.taken + ours.taken + durable.taken)} deliveries that got a 2xx was looked up in the inbox or the counts`,
      },
    ];
  },
};
