/** One core's share of the trials. */
import { parentPort, workerData } from 'node:worker_threads';
import { createGateProver } from './gate.ts';
import { playHistory } from './history.ts';
import type { Coverage } from './scheduler.ts';

export type Job = {
  kind: 'history' | 'gate';
  from: number;
  count: number;
  share: { of: number; at: number };
};
export type Report = { trials: number; violations: string[]; facts: Record<string, number> };

const histories = async ({ from, count }: Job): Promise<Report> => {
  const coverage: Coverage = new Map();
  const violations: string[] = [];
  const facts = { crashes: 0, 'pull requests': 0 };
  for (let seed = from; seed < from + count; seed += 1) {
    const result = await playHistory(seed, coverage);
    facts.crashes += result.crashes;
    facts['pull requests'] += result.pulls;
    for (const v of result.violations) violations.push(`--seed ${seed}: ${v}`);
  }
  return { trials: count, violations, facts };
};

/** Half of the trials in a private chat, half in a group. */
const gate = async ({ from, count, share }: Job): Promise<Report> => {
  const half = Math.ceil(count / 2);
  const alone = await (await createGateProver(from, null, share)).run(half);
  const shared = await (await createGateProver(from, -7, share)).run(count - half);
  const both = (f: (r: typeof alone) => number): number => f(alone) + f(shared);
  const facts = {
    'state × move pairs': both((r) => r.pairs),
    'crash points': both((r) => r.points),
    'crash points not reached': both((r) => r.missed.length),
    'pull requests': both((r) => r.pulls),
  };
  return { trials: both((r) => r.trials), violations: [...alone.violations, ...shared.violations], facts };
};

const job = workerData as Job;
parentPort?.postMessage(await (job.kind === 'history' ? histories(job) : gate(job)));
